package io.weir.lab.oracle;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Which events of a partition of weir.events or weir.scheduled count, and which are on the dead
 * dead letters instead, by the table of reasons. One thread.
 */
public final class NaiveEvents {
  private static final int MOST_TEXT_BYTES = 256;
  private static final long SHORTEST_EVERY_MS = 1_000;
  private static final String EXPIRED = "EXPIRED_EVENT";

  /** A header that a forger of a run adds: the reason for which its batch must be refused. */
  public static final String FORGED = "lab.forged";

  /** Which of the two topics it is. */
  public enum Kind {
    HAPPENED,
    SCHEDULED
  }

  /** An event that counts, and its place in the batch. */
  public record Accepted(int index, Event event) {}

  private final Kind kind;
  private final int partition;
  private final NaiveRules rules;
  private final NaiveGateways gateways;
  private final NaiveNewest newest = new NaiveNewest();
  private final DeadLetterCounts deadLetters;
  private final List<Event> ahead = new ArrayList<>();
  private long offered;
  private long repeated;

  /** For those that look at what counts and not at dead letters. */
  public NaiveEvents(Kind kind, int partition, NaiveRules rules) {
    this(kind, partition, rules, new DeadLetterCounts(""));
  }

  NaiveEvents(Kind kind, int partition, NaiveRules rules, DeadLetterCounts deadLetters) {
    this.kind = kind;
    this.partition = partition;
    this.rules = rules;
    this.gateways = new NaiveGateways(rules);
    this.deadLetters = deadLetters;
  }

  /** Takes a record, ticks too; those of its events that count. */
  public List<Accepted> take(ConsumerRecord<byte[], byte[]> record, long logMs) {
    long latestMs = newest.record(record.timestamp());
    if (NaiveRecord.isTick(record)) {
      return List.of();
    }
    String forged = header(record, FORGED);
    if (!forged.isEmpty()) {
      deadLetters.expect(whole(record.topic(), record.offset(), forged));
      return List.of();
    }
    EventBatch batch;
    try {
      batch = EventBatch.parseFrom(record.value());
    } catch (InvalidProtocolBufferException | NullPointerException e) {
      deadLetters.expect(whole(record.topic(), record.offset(), RejectReason.UNDECODABLE.name()));
      return List.of();
    }
    offered += batch.getEventsCount();
    if (batch.getBootId() == 0 && rules.signed()) {
      // A copy of it would count again.
      RejectReason refused = RejectReason.INVALID_SEQUENCE;
      deadLetters.expect(whole(record.topic(), record.offset(), refused.name()));
      return List.of();
    }
    if (batch.getBootId() != 0 && !isNew(batch, record, latestMs, logMs)) {
      return List.of();
    }
    List<Accepted> accepted = new ArrayList<>();
    for (int i = 0; i < batch.getEventsCount(); i++) {
      Event event = batch.getEvents(i);
      String refused = refusal(event, record.timestamp(), latestMs);
      if (refused == null) {
        accepted.add(new Accepted(i, event));
      } else {
        deadLetters.expect(single(record.topic(), record.offset(), refused, event));
        if (refused.equals(RejectReason.FUTURE_TIMESTAMP.name())) {
          ahead.add(event);
        }
      }
    }
    return accepted;
  }

  /** Events that were refused because their sender's clock, or its broker's, is ahead. */
  List<Event> ahead() {
    return ahead;
  }

  private boolean isNew(
      EventBatch batch, ConsumerRecord<byte[], byte[]> record, long latestMs, long logMs) {
    String id = batch.getGatewayId();
    long boot = batch.getBootId();
    long sequence = batch.getSequence();
    if (gateways.remembers(id, boot, sequence, logMs)) {
      repeated += batch.getEventsCount();
      return false;
    }
    RejectReason refused =
        gateways.jumps(id, boot, sequence, logMs)
            ? RejectReason.INVALID_SEQUENCE
            : gateways.refusal(id, boot, sequence, latestMs, logMs);
    if (refused != null) {
      deadLetters.expect(whole(record.topic(), record.offset(), refused.name()));
      if (refused == RejectReason.FUTURE_BOOT) {
        ahead.addAll(batch.getEventsList());
      }
      return false;
    }
    gateways.remember(id, boot, sequence, logMs);
    return true;
  }

  private String refusal(Event event, long appendMs, long latestMs) {
    if (event.getKey().isEmpty()) {
      return "MISSING_KEY";
    }
    boolean isLong =
        Stream.concat(
                Stream.of(event.getKey(), event.getSubject(), event.getType(), event.getId()),
                event.getFieldsMap().keySet().stream())
            .anyMatch(text -> text.getBytes(StandardCharsets.UTF_8).length > MOST_TEXT_BYTES);
    if (isLong) {
      return "TEXT_TOO_LONG";
    }
    String ofTimes = kind == Kind.HAPPENED ? happened(event, latestMs) : scheduled(event, latestMs);
    if (ofTimes != null) {
      return ofTimes;
    }
    if (event.getExpiresMs() != 0 && comesMs(event, appendMs) > event.getExpiresMs()) {
      return EXPIRED;
    }
    return SensorPartition.of(event.getKey()) == partition ? null : "MISROUTED";
  }

  private long comesMs(Event event, long appendMs) {
    boolean isToCome = kind == Kind.SCHEDULED && !event.getCancel();
    return isToCome && event.getDueMs() > appendMs ? event.getDueMs() : appendMs;
  }

  /** What was scheduled comes to nothing, as it is of no use any more. */
  void expired(String topic, Event event) {
    deadLetters.expect(single(topic, 0, EXPIRED, event));
  }

  private String happened(Event event, long latestMs) {
    if (event.getTimestampMs() <= 0) {
      return "INVALID_TIMESTAMP";
    }
    return event.getTimestampMs() > latestMs + rules.maxFutureSkewMs() ? "FUTURE_TIMESTAMP" : null;
  }

  private String scheduled(Event event, long latestMs) {
    if (event.getCancel()) {
      return null;
    }
    if (event.getTimestampMs() < 0) {
      return "INVALID_TIMESTAMP";
    }
    if (event.getDueMs() <= 0) {
      return "INVALID_DUE";
    }
    if (event.getTimestampMs() > Math.max(event.getDueMs(), latestMs) + rules.maxFutureSkewMs()) {
      return "FUTURE_TIMESTAMP";
    }
    long everyMs = event.getEveryMs();
    return everyMs == 0 || everyMs >= SHORTEST_EVERY_MS ? null : "INVALID_EVERY";
  }

  /** Events on the topic, repeats each time. */
  long offered() {
    return offered;
  }

  /** Events of batches that were there before. */
  long repeated() {
    return repeated;
  }

  /** The topic that a dead letter came from; empty where it does not say. */
  static String origin(ConsumerRecord<byte[], byte[]> record) {
    return header(record, DeadLetterHeaders.TOPIC);
  }

  /** The names of what is in a dead letter. */
  static List<String> found(ConsumerRecord<byte[], byte[]> record)
      throws InvalidProtocolBufferException {
    String topic = origin(record);
    long offset = Long.parseLong(header(record, DeadLetterHeaders.OFFSET));
    String reason = header(record, DeadLetterHeaders.REASON);
    if (Arrays.stream(RejectReason.values()).anyMatch(each -> isWhole(each, reason))) {
      return List.of(whole(topic, offset, reason));
    }
    return EventBatch.parseFrom(record.value()).getEventsList().stream()
        .map(event -> single(topic, offset, reason, event))
        .toList();
  }

  private static boolean isWhole(RejectReason reason, String name) {
    return reason.name().equals(name) && reason.scope() != RejectReason.Scope.READING;
  }

  private static String whole(String topic, long offset, String reason) {
    return topic + " " + offset + " " + reason;
  }

  private static String single(String topic, long offset, String reason, Event event) {
    // A timer expires at any record, where many are due at one of them.
    long place = reason.equals(EXPIRED) ? 0 : offset;
    return topic + " " + place + " " + reason + " " + event.getKey() + " " + event.hashCode();
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }
}
