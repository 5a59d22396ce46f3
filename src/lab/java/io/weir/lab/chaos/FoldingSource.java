package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.edge.EventPublisher;
import io.weir.edge.EventPublisherSettings;
import io.weir.edge.Offer;
import io.weir.edge.PublisherSettings;
import io.weir.lab.oracle.Findings;
import io.weir.lab.oracle.NaiveEvents;
import io.weir.lab.oracle.NaiveRecord;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Weir's own publisher of events, which folds them before it sends them, in a thread of its own.
 * Its events of a key come in any order of their times, with other subjects between them. At the
 * end the newest value of each field on the topic must be the newest that it was given.
 */
final class FoldingSource implements AutoCloseable {
  private static final String GATEWAY = "folding-gateway";
  private static final Duration STEP = Duration.ofMillis(10);
  private static final Duration OFFER = Duration.ofSeconds(1);
  private static final Duration QUIET = Duration.ofMillis(200);
  private static final Duration MAX_HOLD = Duration.ofSeconds(1);
  private static final int KEYS = 12;
  private static final int SUBJECTS = 3;
  private static final int FIELDS = 5;
  private static final int SPREAD_MS = 3_000;

  /** A value, and the time that it is of. */
  private record Timed(long ms, long value) {
    static Timed newer(Timed before, Timed next) {
      return next.ms >= before.ms ? next : before;
    }
  }

  private final Random random;
  private final EventPublisher publisher;
  private final Map<String, Timed> given = new HashMap<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Thread thread = new Thread(this::run, GATEWAY);

  /** Keys and times: events of a key with one time have no order on the topic. */
  private final Set<String> times = new HashSet<>();

  private long number;
  private boolean complete;

  FoldingSource(Random random, ChaosKeys keys, String bootstrapServers) {
    this.random = random;
    PublisherSettings.Builder settings =
        PublisherSettings.builder(GATEWAY).bootstrapServers(bootstrapServers);
    keys.of(GATEWAY).ifPresent(settings::signWith);
    publisher =
        EventPublisher.start(EventPublisherSettings.of(settings.build()).fold(QUIET, MAX_HOLD));
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!Waiting.until(STEP, stopped::get)) {
      Event event = event();
      if (offer(event)) {
        take(event, given);
      }
    }
  }

  /** Whether it is the publisher's now. */
  private boolean offer(Event event) {
    try {
      while (!stopped.get()) {
        if (publisher.offer(event, OFFER) == Offer.ACCEPTED) {
          return true;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private Event event() {
    String key = "folded-" + random.nextInt(KEYS);
    long ms = System.currentTimeMillis() - random.nextInt(SPREAD_MS);
    while (!times.add(key + " " + ms)) {
      ms--;
    }
    Event.Builder event =
        Event.newBuilder()
            .setKey(key)
            .setType(random.nextBoolean() ? "said" : "asked")
            .setSubject("subject-" + random.nextInt(SUBJECTS))
            .setTimestampMs(ms);
    for (int left = random.nextInt(2); left >= 0; left--) {
      event.putFields(
          "f" + random.nextInt(FIELDS), Value.newBuilder().setInt64Value(number++).build());
    }
    return event.build();
  }

  private static void take(Event event, Map<String, Timed> newest) {
    event
        .getFieldsMap()
        .forEach(
            (field, value) -> {
              long ms = event.getFieldTimestampsMsOrDefault(field, event.getTimestampMs());
              newest.merge(
                  event.getKey() + " " + event.getType() + " " + field,
                  new Timed(ms, value.getInt64Value()),
                  Timed::newer);
            });
  }

  /** Sends nothing more; returns when all of it is acknowledged or given up. */
  void finish(Duration atMost) {
    stopped.set(true);
    try {
      thread.join(atMost.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    complete = publisher.close(atMost).complete();
  }

  /** Adds what it finds on the topic; to be called once, after the end. */
  void judge(String direct, EventVerdict.Builder verdict) {
    Findings findings = new Findings();
    Map<String, Timed> found = new HashMap<>();
    Set<String> batches = new HashSet<>();
    long[] events = new long[1];
    try (CommittedTopic reader = new CommittedTopic(direct)) {
      reader.read(
          TopicNames.ALL.of(Topic.EVENTS),
          record -> events[0] += own(record, batches, found, findings));
    }
    if (complete) {
      given.forEach(
          (name, newest) -> {
            if (!newest.equals(found.get(name))) {
              findings.wrongRecord(
                  "folded at the publisher: the newest of %s is %s, must be %s"
                      .formatted(name, found.get(name), newest));
            }
          });
    }
    verdict.add(
        findings,
        String.format(
            Locale.ROOT,
            "folds of a publisher: %,d values given in the fields of %,d events on the topic%s",
            number,
            events[0],
            complete ? "" : ", not all of them acknowledged"));
  }

  private static int own(
      ConsumerRecord<byte[], byte[]> record,
      Set<String> batches,
      Map<String, Timed> found,
      Findings findings) {
    if (record.value() == null
        || NaiveRecord.isTick(record)
        || record.headers().lastHeader(NaiveEvents.FORGED) != null) {
      return 0;
    }
    try {
      EventBatch batch = EventBatch.parseFrom(record.value());
      String name =
          "%d %d %d".formatted(record.partition(), batch.getBootId(), batch.getSequence());
      if (!batch.getGatewayId().equals(GATEWAY) || !batches.add(name)) {
        return 0;
      }
      batch.getEventsList().forEach(event -> take(event, found));
      return batch.getEventsCount();
    } catch (InvalidProtocolBufferException e) {
      findings.wrongRecord("a batch of events that is none, at offset " + record.offset());
      return 0;
    }
  }

  @Override
  public void close() {
    stopped.set(true);
    publisher.close(Duration.ZERO);
  }
}
