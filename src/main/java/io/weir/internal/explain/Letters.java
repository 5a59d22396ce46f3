package io.weir.internal.explain;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.wire.BatchRows;
import io.weir.internal.wire.Protobuf;
import io.weir.reading.Quality;
import io.weir.reading.RejectReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Late records and dead letters of a sensor by the record of the readings that they come from. If
 * the application has read the readings again from their beginning, the last pass is valid: it
 * starts where the origin goes back.
 */
final class Letters {
  /** Readings that are the same, whatever form they were sent in; senders choose them. */
  private static final Comparator<Reading> SAME =
      Comparator.comparingLong(Reading::getTimestampMs)
          .thenComparingLong(each -> Double.doubleToRawLongBits(each.getValue()))
          .thenComparing(each -> Quality.ofNumber(each.getQualityValue()))
          .thenComparing(Reading::getSensorId);

  private final String readings;
  private final int partition;
  private final Bytes id;
  private final Room room;
  private Map<Long, List<Letter>> byOrigin = new HashMap<>();
  private long lastOrigin = -1;

  /**
   * A late record or dead letter.
   *
   * @param isWhole whether all readings of the batch were refused
   * @param readings otherwise those that it is about, each with how often it is there; they are
   *     taken away as they are found
   */
  record Letter(
      Explanation.Fate fate,
      String reason,
      Origin at,
      boolean isWhole,
      NavigableMap<Reading, Integer> readings) {}

  Letters(String readingsTopic, int partition, String sensorId, Room room) {
    this.room = room;
    this.readings = readingsTopic;
    this.partition = partition;
    this.id = new Bytes(sensorId.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds those of another topic. */
  void addAll(Letters other) {
    other.byOrigin.forEach(
        (origin, letters) ->
            byOrigin.computeIfAbsent(origin, any -> new ArrayList<>()).addAll(letters));
  }

  void add(ConsumerRecord<byte[], byte[]> record, boolean late) {
    if (!text(record, DeadLetterHeaders.TOPIC).equals(readings)
        || !text(record, DeadLetterHeaders.PARTITION).equals(String.valueOf(partition))) {
      return;
    }
    String offset = text(record, DeadLetterHeaders.OFFSET);
    if (!offset.matches("[0-9]{1,18}")) {
      return;
    }
    long origin = Long.parseLong(offset);
    if (origin < lastOrigin) {
      byOrigin = new HashMap<>();
    }
    lastOrigin = origin;
    String reason = text(record, DeadLetterHeaders.REASON);
    boolean cut = record.headers().lastHeader(DeadLetterHeaders.SIZE) != null;
    boolean whole = !late && (cut || isOfBatch(reason));
    if (whole || id.areIn(record.value())) {
      Explanation.Fate fate =
          !late
              ? Explanation.Fate.REFUSED
              : reason.isEmpty() ? Explanation.Fate.LATE : Explanation.Fate.WITHHELD;
      Origin at = new Origin(record.topic(), record.partition(), record.offset());
      List<Reading> rows = whole ? List.of() : rows(record.value());
      room.take(rows.size(), reason.length());
      byOrigin
          .computeIfAbsent(origin, any -> new ArrayList<>())
          .add(new Letter(fate, reason, at, whole, counted(rows)));
    }
  }

  private static boolean isOfBatch(String reason) {
    try {
      return RejectReason.valueOf(reason).scope() != RejectReason.Scope.READING;
    } catch (IllegalArgumentException newer) {
      return false;
    }
  }

  private static String text(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  private static List<Reading> rows(byte[] value) {
    return batch(value).map(BatchRows::of).orElse(List.of());
  }

  private static NavigableMap<Reading, Integer> counted(List<Reading> rows) {
    NavigableMap<Reading, Integer> counted = new TreeMap<>(SAME);
    rows.forEach(row -> counted.merge(row, 1, Integer::sum));
    return counted;
  }

  /** The batch of a value, bare or framed; empty if it is none. */
  static Optional<ReadingBatch> batch(byte[] value) {
    return Protobuf.find(ReadingBatch.getDefaultInstance(), value);
  }

  /** The dead letter that refuses a record as a whole. */
  Optional<Letter> whole(long offset) {
    return of(offset).stream().filter(Letter::isWhole).findFirst();
  }

  /** The late record or dead letter of a reading; it is taken away. */
  Optional<Letter> take(long offset, Reading reading) {
    for (Letter letter : of(offset)) {
      if (letter.readings().containsKey(reading)) {
        letter.readings().computeIfPresent(reading, (same, left) -> left == 1 ? null : left - 1);
        return Optional.of(letter);
      }
    }
    return Optional.empty();
  }

  private List<Letter> of(long offset) {
    return byOrigin.getOrDefault(offset, List.of());
  }
}
