package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.edge.DeadLetterWatch;
import io.weir.edge.EventPublisher;
import io.weir.edge.EventPublisherSettings;
import io.weir.edge.Offer;
import io.weir.edge.PublisherBounds;
import io.weir.edge.PublisherSettings;
import io.weir.internal.app.Keys;
import io.weir.internal.app.Publishers;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.wire.EventRules;
import io.weir.topic.Topic;
import io.weir.v1.Event;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir send events}: sends events from JSON lines. */
@Command(
    name = "events",
    description = "Send events, one JSON object a line, to weir.events and weir.scheduled.",
    footer = {
      "",
      "Events with due_ms or cancel go to weir.scheduled, others to weir.events. Files may be",
      "compressed (.gz); - is standard input. Skips invalid lines. The last line on standard",
      "output has the counts: sent N, scheduled M, rejected K. Exit status 1 if Kafka accepts",
      "no event for a minute, if a file cannot be read (earlier events are sent), or if Weir",
      "refuses events within a second of the last one.",
      "",
      "Examples:",
      "  echo '{\"key\":\"account_1\",\"subject\":\"post_1\",\"timestamp_ms\":1700000000000,"
          + "\"fields\":{\"likes\":10}}' | weir send events -",
      "  weir send events --rejects bad.csv events.jsonl.gz"
    })
final class SendEventsCommand extends ClusterCommand {
  /** Longest time without an accepted event. */
  private static final Duration KAFKA_AWAY = Duration.ofSeconds(60);

  private static final Duration FIRST_CONTACT = Duration.ofSeconds(10);

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files, or - for standard input.")
  private List<Path> files;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description = "Write bad lines to this file: line_no,reason,line.")
  private Path rejects;

  @Option(
      names = "--gateway-id",
      paramLabel = "ID",
      description =
          "Gateway id of the batches (weir-send- and random letters). Batches of a run are refused"
              + " after four later runs with the same id.")
  private String gatewayId;

  @Option(names = "--strict", description = "Exit status 1 if a line was rejected.")
  private boolean strict;

  SendEventsCommand() {
    super(
        Keys.BOOTSTRAP_SERVERS,
        TopicKeys.name(Topic.EVENTS),
        TopicKeys.name(Topic.SCHEDULED),
        TopicKeys.name(Topic.DEAD_LETTERS));
  }

  @Override
  int run(WeirConfig config) {
    String id =
        gatewayId == null ? "weir-send-" + UUID.randomUUID().toString().substring(0, 8) : gatewayId;
    PublisherSettings gateway = Publishers.build(Publishers.builder(config, id));
    EventPublisherSettings settings =
        EventPublisherSettings.of(gateway)
            .topics(config.nameOf(Topic.EVENTS), config.nameOf(Topic.SCHEDULED));
    PrintWriter err = spec().commandLine().getErr();
    Refusals refusals = new Refusals(err, "weir send events", "events");
    try (EventLines lines = EventLines.open(Optional.ofNullable(rejects), this::say);
        DeadLetterWatch watch =
            DeadLetterWatch.start(gateway, config.topics().deadLetters(), refusals);
        Publishing publishing = new Publishing(EventPublisher.start(settings))) {
      EventPublisher publisher = publishing.publisher();
      requireReady(publisher);
      EventFeed feed = new EventFeed(publisher, KAFKA_AWAY);
      Optional<String> unread = read(lines, feed);
      if (!publisher.flush(KAFKA_AWAY)) {
        throw new StartRefusedException(
            publisher.queuedEvents() + " events were not acknowledged: " + feed.lastTrouble());
      }
      if (feed.sent() + feed.scheduled() > 0) {
        refusals.awaitWatch(watch::isReading);
        refusals.lastLook(watch::isReading, () -> false);
      }
      refusals.summarize();
      Results out = Results.standard();
      out.line(
          "sent %d, scheduled %d, rejected %d"
              .formatted(feed.sent(), feed.scheduled(), lines.rejected()));
      out.flush();
      if (unread.isPresent()) {
        throw new StartRefusedException(unread.get());
      }
      return refusals.any() || strict && lines.rejected() > 0 ? Failures.FAILED : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Failures.FAILED;
    }
  }

  private void say(String line) {
    printError("weir send events: " + line);
  }

  /** The read error, if any; the feed has the events before it. */
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

  /** Closes the publisher without further sends. */
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
    if (gatewayId == null) {
      return;
    }
    int bytes = Event.newBuilder().setKey(gatewayId).getKeyBytes().size();
    if (bytes == 0 || bytes > PublisherBounds.MAX_GATEWAY_ID_BYTES) {
      throw wrongUsage(
          "--gateway-id: expected: 1 to " + PublisherBounds.MAX_GATEWAY_ID_BYTES + " bytes");
    }
  }

  /** Offers events of files to a publisher and waits while its queue is full. One thread. */
  static final class EventFeed {
    private final EventPublisher publisher;
    private final Duration away;
    private long sent;
    private long scheduled;

    /**
     * @param away longest wait for space in the queue
     */
    EventFeed(EventPublisher publisher, Duration away) {
      this.publisher = publisher;
      this.away = away;
    }

    /**
     * Sends an event.
     *
     * @throws StartRefusedException if Kafka accepted no event for too long
     */
    void send(Event event) {
      try {
        Offer offer = publisher.offer(event, away);
        if (offer != Offer.ACCEPTED) {
          throw new StartRefusedException(
              offer == Offer.REFUSED_EVENT
                  ? "an event is refused: " + EventPublisher.refusal(event).orElse("")
                  : "Kafka accepted no event for " + away.toSeconds() + " s: " + lastTrouble());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StartRefusedException("interrupted");
      }
      if (EventRules.isScheduled(event)) {
        scheduled++;
      } else {
        sent++;
      }
    }

    /** The current or last cause of a failed send. */
    String lastTrouble() {
      String cause = publisher.status().cause();
      return cause.isEmpty() ? "no answer" : cause;
    }

    /** Events sent to the topic of events. */
    long sent() {
      return sent;
    }

    /** Scheduled events and cancellations. */
    long scheduled() {
      return scheduled;
    }
  }
}
