package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.BrokerControlLog;
import io.weir.internal.app.GatewayResets;
import io.weir.internal.app.Keys;
import io.weir.internal.app.ResetReport;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir gateway reset}: clears the boots and sequences of a gateway. */
@Command(
    name = "reset",
    description = "Clear the sequences of a gateway after another sender used them.",
    footer = {
      "",
      "For a gateway whose batches are refused as FENCED or STALE_SEQUENCE because another",
      "sender used its id, with a stolen credential or on another machine. First revoke the",
      "credential, and stop the gateway: a batch that was counted before and is sent again",
      "afterwards counts twice.",
      "",
      "The order is written to weir.control; only operators may write to that topic. It takes",
      "effect when the application reads its mark, one in each of the 64 partitions of",
      "weir.readings. Prints one line: the gateway's id, a tab, and the offset of the order.",
      "Standard error lists the partitions in which the application has executed the order, has",
      "not reached the mark yet, or skips it because a later order for the gateway has an",
      "earlier mark; this needs READ on weir.readings and weir.control, and DESCRIBE on the",
      "application's group.",
      "",
      "Examples:",
      "  weir gateway reset plant-7-gateway",
      "  weir tail control --from-beginning --no-follow"
    })
final class GatewayResetCommand extends ClusterCommand {
  private static final long PAUSE_NANOS = 200_000_000;

  @Parameters(paramLabel = "ID", description = "The gateway's id, as in its batches.")
  private String gatewayId;

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      description = "Maximum wait for the application to execute the order (10s).")
  private Duration wait = Duration.ofSeconds(10);

  GatewayResetCommand() {
    super(TopicKeys.with(List.of(Keys.BOOTSTRAP_SERVERS, Keys.APPLICATION_ID), User.OPERATOR));
  }

  @Override
  int run(WeirConfig config) {
    checkId(config.limits().maxIdBytes());
    try (Admin admin = Connections.admin(config.kafka());
        KafkaConsumer<byte[], byte[]> reader =
            Connections.reader(config, Map.of("isolation.level", "read_uncommitted"))) {
      TopicAdmin topics = new TopicAdmin(admin, config.topics(), config.topicOptions());
      for (String topic : List.of(config.topics().control(), config.topics().readings())) {
        if (topics.id(topic).isEmpty()) {
          throw new KafkaException(
              "no topic " + topic + " on the cluster; create it with: weir topics");
        }
      }
      ResetReport report = new ResetReport(config.topics().readings(), reader);
      GatewayResets.Given given = give(config);
      Results out = Results.standard();
      out.line(gatewayId + "\t" + given.order());
      out.flush();
      report(config, admin, report, given);
    }
    return 0;
  }

  private GatewayResets.Given give(WeirConfig config) {
    byte[] nonce = new byte[ResetMark.NONCE_BYTES];
    new SecureRandom().nextBytes(nonce);
    try (KafkaProducer<byte[], byte[]> producer =
        Connections.writer(config.kafka(), Map.of("acks", "all", "enable.idempotence", true))) {
      return new GatewayResets(producer, config.topics()).give(gatewayId, nonce);
    }
  }

  private void report(
      WeirConfig config, Admin admin, ResetReport report, GatewayResets.Given given) {
    Uuid control =
        new TopicAdmin(admin, config.topics(), config.topicOptions())
            .id(config.topics().control())
            .orElse(Uuid.ZERO_UUID);
    try (BrokerControlLog orders = BrokerControlLog.open(config, control)) {
      Map<Integer, Long> skipped = report.skipped(given, gatewayId, orders);
      Set<Integer> ahead = ahead(config, admin, report, given);
      new ResetLines(gatewayId, given, config.topics().readings())
          .of(skipped, ahead)
          .forEach(this::printError);
    } catch (KafkaException e) {
      printError(
          "order "
              + given.order()
              + " is written; the partitions' answers are unknown, see the log of the application: "
              + e.getMessage());
    }
  }

  private Set<Integer> ahead(
      WeirConfig config, Admin admin, ResetReport report, GatewayResets.Given given) {
    long endNanos = System.nanoTime() + wait.toNanos();
    while (true) {
      Set<Integer> ahead = mayBeAhead(config, admin, report, given);
      long leftNanos = endNanos - System.nanoTime();
      if (ahead.isEmpty() || leftNanos <= 0) {
        return ahead;
      }
      LockSupport.parkNanos(Math.min(leftNanos, PAUSE_NANOS));
    }
  }

  /** All partitions, without DESCRIBE on the group. */
  private static Set<Integer> mayBeAhead(
      WeirConfig config, Admin admin, ResetReport report, GatewayResets.Given given) {
    try {
      return report.ahead(given, admin, config.applicationId());
    } catch (GroupAuthorizationException e) {
      return given.marks().keySet();
    }
  }

  private void checkId(int maxBytes) {
    int bytes = gatewayId.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > maxBytes) {
      throw wrongUsage("ID of " + bytes + " bytes: expected: 1 to " + maxBytes);
    }
  }

  /** The result of a gateway reset: one line for executed, waiting and skipped partitions each. */
  static final class ResetLines {
    private final String gatewayId;
    private final GatewayResets.Given given;
    private final String readings;

    ResetLines(String gatewayId, GatewayResets.Given given, String readings) {
      this.gatewayId = gatewayId;
      this.given = given;
      this.readings = readings;
    }

    /**
     * The lines.
     *
     * @param skipped partitions in which a later order was executed before, and that order
     * @param ahead partitions in which the application has not reached the mark
     */
    List<String> of(Map<Integer, Long> skipped, Set<Integer> ahead) {
      Set<Integer> done = new TreeSet<>(given.marks().keySet());
      done.removeAll(skipped.keySet());
      Set<Integer> waiting = new TreeSet<>(done);
      waiting.retainAll(ahead);
      done.removeAll(ahead);
      List<String> lines = new ArrayList<>();
      if (!done.isEmpty()) {
        lines.add(order() + " is executed in " + partitions(done));
      }
      if (!waiting.isEmpty()) {
        lines.add(
            order()
                + " waits in "
                + partitions(waiting)
                + ": it takes effect when the application reads its mark");
      }
      Map<Long, Set<Integer>> byOrder = new TreeMap<>();
      skipped.forEach(
          (partition, later) ->
              byOrder.computeIfAbsent(later, each -> new TreeSet<>()).add(partition));
      byOrder.forEach(
          (later, partitions) ->
              lines.add(
                  order()
                      + " is skipped in "
                      + partitions(partitions)
                      + ": order "
                      + later
                      + " for the same gateway has an earlier mark; run it again to clear more"));
      return lines;
    }

    private String order() {
      return "order " + given.order() + " for gateway " + gatewayId;
    }

    private String partitions(Set<Integer> partitions) {
      return partitions.size() == given.marks().size()
          ? "all partitions of " + readings
          : "partitions " + partitions + " of " + readings;
    }
  }
}
