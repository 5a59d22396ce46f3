package io.weir.cli;

import io.weir.app.Keys;
import io.weir.app.TopicKeys;
import io.weir.app.WeirConfig;
import io.weir.topic.Topic;
import io.weir.v1.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir send events}: events as JSON lines to their topics. */
@Command(
    name = "events",
    description = "Send events, a JSON object a line, to weir.events and weir.scheduled.",
    footer = {
      "",
      "Those with due_ms or cancel go to weir.scheduled, others to weir.events. Files may be",
      "compressed (.gz); - is standard input. A bad line does not stop the rest. The last line",
      "on standard output counts: sent N, scheduled M, rejected K. Exit status 1 where Kafka",
      "did not take something; what was sent before then is sent.",
      "",
      "Examples:",
      "  echo '{\"key\":\"account_1\",\"subject\":\"post_1\",\"timestamp_ms\":1700000000000,"
          + "\"fields\":{\"likes\":10}}' | weir send events -",
      "  weir send events --rejects bad.csv events.jsonl.gz"
    })
final class SendEventsCommand extends ClusterCommand {
  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files, or - for standard input.")
  private List<Path> files;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description = "Write lines that are no events here: line_no,reason,line.")
  private Path rejects;

  @Option(
      names = "--gateway-id",
      paramLabel = "ID",
      defaultValue = "weir-send",
      description = "Who sends, as it stands in the batches; default ${DEFAULT-VALUE}.")
  private String gatewayId;

  SendEventsCommand() {
    super(Keys.BOOTSTRAP_SERVERS, TopicKeys.name(Topic.EVENTS), TopicKeys.name(Topic.SCHEDULED));
  }

  @Override
  int run(WeirConfig config) {
    // One batch in flight, and again in its place: no batch passes another one by.
    Map<String, Object> own =
        Map.of(
            "acks",
            "all",
            "enable.idempotence",
            true,
            "max.in.flight.requests.per.connection",
            1,
            "compression.type",
            "zstd");
    try (KafkaProducer<byte[], byte[]> producer = Connections.writer(config.kafka(), own);
        EventLines lines = EventLines.open(Optional.ofNullable(rejects))) {
      EventSender sender =
          new EventSender(
              producer,
              gatewayId,
              config.nameOf(Topic.EVENTS),
              config.nameOf(Topic.SCHEDULED),
              System.currentTimeMillis());
      for (Path file : files) {
        lines.read(file, sender::send);
      }
      sender.flush();
      Results out = Results.standard();
      out.line(
          "sent %d, scheduled %d, rejected %d"
              .formatted(sender.sent(), sender.scheduled(), lines.rejected()));
      out.flush();
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  void checkUsage() {
    if (gatewayId.isEmpty() || Event.newBuilder().setKey(gatewayId).getKeyBytes().size() > 256) {
      throw wrongUsage("--gateway-id: allowed are 1 to 256 bytes");
    }
  }
}
