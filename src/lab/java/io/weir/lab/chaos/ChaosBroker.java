package io.weir.lab.chaos;

import io.weir.lab.EmbeddedKafka;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.Uuid;

/**
 * A node of a cluster in a process of its own, broker and controller, made to be killed. Arguments:
 * the cluster's id, the node's directory, how many milliseconds its clock is ahead, and its
 * settings as {@code name=value}. Reads {@code clock MS} from standard input.
 */
public final class ChaosBroker {
  /** Longer than the network keeps a quorum apart: a broker that gives up is not started again. */
  private static final String REGISTRATION_TIMEOUT_MS = "600000";

  private ChaosBroker() {}

  /** Runs until the process is ended. */
  public static void main(String... arguments) throws InterruptedException, IOException {
    Map<String, String> settings = new HashMap<>();
    settings.put("initial.broker.registration.timeout.ms", REGISTRATION_TIMEOUT_MS);
    for (int i = 3; i < arguments.length; i++) {
      String[] nameAndValue = arguments[i].split("=", 2);
      settings.put(nameAndValue[0], nameAndValue[1]);
    }
    WrongClock clock = new WrongClock();
    clock.wrongBy(Long.parseLong(arguments[2]));
    EmbeddedKafka kafka =
        EmbeddedKafka.start(
            EmbeddedKafka.Options.DEFAULT
                .withClusterId(Uuid.fromString(arguments[0]))
                .withDataDir(Path.of(arguments[1]))
                .withOverrides(settings),
            clock);
    Runtime.getRuntime().addShutdownHook(new Thread(kafka::close));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      clock.wrongBy(Long.parseLong(line.substring("clock ".length())));
    }
    new CountDownLatch(1).await();
  }
}
