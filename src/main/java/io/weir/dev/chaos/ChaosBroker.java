package io.weir.dev.chaos;

import io.weir.dev.EmbeddedKafka;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.Uuid;

/**
 * A node of a cluster in a process of its own, broker and controller, made to be killed. Arguments:
 * the cluster's id, the node's directory, and its settings as {@code name=value}.
 */
public final class ChaosBroker {
  private ChaosBroker() {}

  /** Runs until the process is ended. */
  public static void main(String... arguments) throws InterruptedException {
    Map<String, String> settings = new HashMap<>();
    for (int i = 2; i < arguments.length; i++) {
      String[] nameAndValue = arguments[i].split("=", 2);
      settings.put(nameAndValue[0], nameAndValue[1]);
    }
    EmbeddedKafka kafka =
        EmbeddedKafka.start(
            EmbeddedKafka.Options.DEFAULT
                .withClusterId(Uuid.fromString(arguments[0]))
                .withDataDir(Path.of(arguments[1]))
                .withOverrides(settings));
    Runtime.getRuntime().addShutdownHook(new Thread(kafka::close));
    new CountDownLatch(1).await();
  }
}
