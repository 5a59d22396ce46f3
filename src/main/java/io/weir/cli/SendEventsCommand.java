package io.weir.cli;

import io.weir.app.Keys;
import io.weir.app.Publishers;
import io.weir.app.StartRefusedException;
import io.weir.app.TopicKeys;
import io.weir.app.WeirConfig;
import io.weir.cli.output.Results;
import io.weir.edge.EventPublisher;
import io.weir.edge.EventPublisherSettings;
import io.weir.edge.PublisherBounds;
import io.weir.topic.Topic;
import io.weir.v1.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
      "takes nothing for a minute, or a file cannot be read; what was sent before",
      "then is sent.",
      "",
      "Examples:",
      "  echo '{\"key\":\"account_1\",\"subject\":\"post_1\",\"timestamp_ms\":1700000000000,"
          + "\"fields\":{\"likes\":10}}' | weir send events -",
      "  weir send events --rejects bad.csv events.jsonl.gz"
    })
final class SendEventsCommand extends ClusterCommand {
  /** So long Kafka may take nothing. */
  private static final Duration KAFKA_AWAY = Duration.ofSeconds(60);

  private static final Duration FIRST_CONTACT = Duration.ofSeconds(10);

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
      description = "Who sends, as it is in the batches; default ${DEFAULT-VALUE}.")
  private String gatewayId;

  SendEventsCommand() {
    super(Keys.BOOTSTRAP_SERVERS, TopicKeys.name(Topic.EVENTS), TopicKeys.name(Topic.SCHEDULED));
  }

  @Override
  int run(WeirConfig config) {
    EventPublisherSettings settings =
        EventPublisherSettings.of(Publishers.build(Publishers.builder(config, gatewayId)))
            .topics(config.nameOf(Topic.EVENTS), config.nameOf(Topic.SCHEDULED));
    try (EventLines lines = EventLines.open(Optional.ofNullable(rejects));
        Publishing publishing = new Publishing(EventPublisher.start(settings))) {
      EventPublisher publisher = publishing.publisher();
      requireReady(publisher);
      EventFeed feed = new EventFeed(publisher, KAFKA_AWAY);
      Optional<String> unread = read(lines, feed);
      if (!publisher.flush(KAFKA_AWAY)) {
        throw new StartRefusedException(
            publisher.queuedEvents() + " events were not acknowledged: " + feed.lastTrouble());
      }
      Results out = Results.standard();
      out.line(
          "sent %d, scheduled %d, rejected %d"
              .formatted(feed.sent(), feed.scheduled(), lines.rejected()));
      out.flush();
      if (unread.isPresent()) {
        throw new StartRefusedException(unread.get());
      }
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Failures.FAILED;
    }
  }

  /** Why files were not read to their end, if so; the events before that are with the feed. */
  private Optional<String> read(EventLines lines, EventFeed feed) {
    for (Path file : files) {
      try {
        lines.read(file, feed::send);
      } catch (IOException e) {
        return Optional.of(file + " cannot be read to its end: " + e);
      }
    }
    return Optional.empty();
  }

  /** However it ends, nothing more is sent; prints how many events are not acknowledged. */
  private record Publishing(EventPublisher publisher) implements AutoCloseable {
    @Override
    public void close() {
      publisher.close(Duration.ZERO);
    }
  }

  private static void requireReady(EventPublisher publisher) throws InterruptedException {
    if (!publisher.awaitReady(FIRST_CONTACT)) {
      throw new StartRefusedException(publisher.status().cause());
    }
  }

  @Override
  void checkUsage() {
    int bytes = Event.newBuilder().setKey(gatewayId).getKeyBytes().size();
    if (bytes == 0 || bytes > PublisherBounds.MAX_GATEWAY_ID_BYTES) {
      throw wrongUsage(
          "--gateway-id: allowed are 1 to " + PublisherBounds.MAX_GATEWAY_ID_BYTES + " bytes");
    }
  }
}
