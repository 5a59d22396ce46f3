package io.weir.internal.explain;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.explain.Explanation.Fate;
import io.weir.internal.explain.Explanation.Row;
import io.weir.internal.imports.ImportSettings;
import io.weir.internal.wire.BatchRows;
import io.weir.internal.wire.ResetMark;
import io.weir.reading.ReadingRules;
import io.weir.reading.RejectReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * What became of the readings of a window, by facts: a dead letter, a late record, an earlier batch
 * of the same sequence, or nothing of these, and then the reading was counted. One thread.
 *
 * <p>A sensor that is silent for very long is forgotten, and its windows begin again: each such
 * time is a <em>life</em>.
 */
final class WindowReadings {
  /** An explanation is kept for as long as its reader takes: so many rows... */
  static final int MOST_ROWS = 10_000;

  /** ...and so many readings of all rows. */
  private static final int MOST_SHOWN = 100_000;

  private final ExplainSettings settings;
  private final String sensorId;
  private final Bytes key;
  private final long startMs;
  private final long endMs;
  private final Letters letters;
  private final PartitionLog log;
  private final long committed;
  private final Room room;
  private final List<Row> rows = new ArrayList<>();

  /** The readings that were counted in each life, with the index of their row. */
  private final List<List<Counted>> lives = new ArrayList<>();

  /** The batches that were applied, by name. */
  private final Map<String, Applied> applied = new HashMap<>();

  private final Map<String, Long> appliedMs = new HashMap<>();
  private final Map<String, Long> carriedOut = new HashMap<>();
  private long unread;
  private boolean isDuplicateUnsure;
  private long newestMs = Long.MIN_VALUE;

  /** Log time, in which silence is measured. */
  private long logMs;

  private long lastAppendMs = Long.MIN_VALUE;
  private long activeMs = Long.MIN_VALUE;

  private record Counted(Reading reading, int row, boolean lossAccepted) {}

  /** Readings of a record with one fate. */
  private record Part(
      Optional<Letters.Letter> letter, Optional<RejectReason> rule, List<Reading> readings) {}

  private record Applied(Origin at, long logMs) {}

  /**
   * @param committed the first offset that the application has not committed
   */
  WindowReadings(
      ExplainSettings settings,
      String sensorId,
      long startMs,
      long endMs,
      Letters letters,
      PartitionLog log,
      long committed,
      Room room) {
    this.room = room;
    this.settings = settings;
    this.sensorId = sensorId;
    this.key = new Bytes(sensorId.getBytes(StandardCharsets.UTF_8));
    this.startMs = startMs;
    this.endMs = endMs;
    this.letters = letters;
    this.log = log;
    this.committed = committed;
    lives.add(new ArrayList<>());
  }

  /** Takes the next record of the readings. */
  void add(ConsumerRecord<byte[], byte[]> record) {
    if (activeMs != Long.MIN_VALUE && logMs - activeMs >= settings.sensorForgottenMs()) {
      lives.add(new ArrayList<>());
      activeMs = Long.MIN_VALUE;
      newestMs = Long.MIN_VALUE;
    }
    if (lastAppendMs != Long.MIN_VALUE) {
      long gapMs = record.timestamp() - lastAppendMs;
      logMs += Math.max(0, Math.min(gapMs, settings.idleTimeoutMs()));
    }
    lastAppendMs = record.timestamp();
    if (record.offset() < committed && ResetMark.is(record.value(), record.headers())) {
      reset(record);
    } else if (key.areIn(record.value())) {
      Letters.batch(record.value()).ifPresent(batch -> batch(record, batch));
    }
  }

  private void reset(ConsumerRecord<byte[], byte[]> record) {
    Optional<ResetMark> mark = ResetMark.read(record.headers());
    Optional<String> gatewayId = mark.flatMap(log::gatewayToReset);
    if (gatewayId.isEmpty()) {
      return;
    }
    String id = gatewayId.get();
    long order = mark.get().offset();
    if (carriedOut.getOrDefault(id, -1L) < order) {
      carriedOut.put(id, order);
      applied.keySet().removeIf(name -> name.startsWith(nameOf(id)));
    }
  }

  private void batch(ConsumerRecord<byte[], byte[]> record, ReadingBatch batch) {
    List<Reading> ofSensor =
        BatchRows.of(batch).stream().filter(row -> row.getSensorId().equals(sensorId)).toList();
    if (ofSensor.isEmpty()) {
      return;
    }
    room.take(ofSensor.size(), batch.getGatewayId().length());
    List<Reading> inWindow =
        ofSensor.stream()
            .filter(row -> row.getTimestampMs() >= startMs && row.getTimestampMs() < endMs)
            .toList();
    if (record.offset() >= committed) {
      unread += inWindow.size();
      row(record, batch, inWindow, Fate.UNREAD, "", Optional.empty(), 0);
      return;
    }
    Optional<Letters.Letter> whole = letters.whole(record.offset());
    if (whole.isPresent()) {
      Optional<Origin> at = Optional.of(whole.get().at());
      row(record, batch, inWindow, Fate.REFUSED, whole.get().reason(), at, 0);
      return;
    }
    Origin place = new Origin(record.topic(), record.partition(), record.offset());
    Optional<String> name = name(record, batch);
    Applied first = name.map(applied::get).orElse(null);
    if (first != null) {
      long silentMs =
          logMs - Math.max(first.logMs(), appliedMs.getOrDefault(batch.getGatewayId(), 0L));
      isDuplicateUnsure |= !inWindow.isEmpty() && silentMs >= settings.gatewayForgottenMs();
      row(record, batch, inWindow, Fate.DUPLICATE, "", Optional.of(first.at()), 0);
      return;
    }
    name.ifPresent(
        any -> {
          room.take(0, 2L * any.length());
          applied.put(any, new Applied(place, logMs));
        });
    if (batch.getBootId() != 0) {
      appliedMs.put(batch.getGatewayId(), logMs);
    }
    apply(record, batch, ofSensor);
  }

  /** What a repeat of a batch has too; empty where repeats are not recognised. */
  private Optional<String> name(ConsumerRecord<byte[], byte[]> record, ReadingBatch batch) {
    if (batch.getBootId() != 0) {
      return Optional.of(
          nameOf(batch.getGatewayId()) + batch.getBootId() + ":" + batch.getSequence());
    }
    return settings.signed()
        ? DeadLetterHeaders.redriveOf(record.headers())
            .map(letter -> letter + new String(record.value(), StandardCharsets.ISO_8859_1))
        : Optional.empty();
  }

  /** What the names of a gateway's batches begin with; no other gateway's do. */
  private static String nameOf(String gatewayId) {
    return gatewayId.length() + ":" + gatewayId + ":";
  }

  private void apply(
      ConsumerRecord<byte[], byte[]> record, ReadingBatch batch, List<Reading> ofSensor) {
    Map<String, Part> parts = new LinkedHashMap<>();
    long newestInBatchMs = newestMs;
    for (Reading reading : ofSensor) {
      Optional<Letters.Letter> letter = letters.take(record.offset(), reading);
      // Without a letter, as those are deleted first: what no rule allows was not counted.
      Optional<RejectReason> rule =
          Optional.ofNullable(
                  ReadingRules.refusalOfReading(reading.getTimestampMs(), reading.getValue()))
              .filter(any -> letter.isEmpty());
      if (letter.isEmpty() && rule.isEmpty()) {
        activeMs = logMs;
        newestInBatchMs = Math.max(newestInBatchMs, reading.getTimestampMs());
      }
      if (reading.getTimestampMs() >= startMs && reading.getTimestampMs() < endMs) {
        parts
            .computeIfAbsent(
                letter.map(each -> each.at().toString()).orElse(rule.map(Enum::name).orElse("")),
                at -> new Part(letter, rule, new ArrayList<>()))
            .readings()
            .add(reading);
      }
    }
    for (Part part : parts.values()) {
      if (part.rule().isPresent()) {
        String reason = part.rule().get().name();
        row(record, batch, part.readings(), Fate.REFUSED, reason, Optional.empty(), 0);
      } else if (part.letter().isEmpty()) {
        count(part.readings(), isLossAccepted(record));
        row(record, batch, part.readings(), Fate.COUNTED, "", Optional.empty(), 0);
      } else {
        Letters.Letter letter = part.letter().get();
        long lateByMs = letter.fate() == Fate.LATE ? lateByMs(part.readings()) : 0;
        Optional<Origin> at = Optional.of(letter.at());
        row(record, batch, part.readings(), letter.fate(), letter.reason(), at, lateByMs);
      }
    }
    newestMs = newestInBatchMs;
  }

  private void count(List<Reading> readings, boolean lossAccepted) {
    List<Counted> life = lives.get(lives.size() - 1);
    readings.forEach(reading -> life.add(new Counted(reading, rows.size(), lossAccepted)));
  }

  private long lateByMs(List<Reading> readings) {
    if (newestMs == Long.MIN_VALUE) {
      return 0;
    }
    long timestampMs = readings.get(0).getTimestampMs();
    long windowEndMs =
        Math.floorDiv(timestampMs, settings.windowMs()) * settings.windowMs() + settings.windowMs();
    return Math.max(0, newestMs - windowEndMs - settings.graceMs() - settings.latenessMs());
  }

  private static boolean isLossAccepted(ConsumerRecord<byte[], byte[]> record) {
    Header reason = record.headers().lastHeader(DeadLetterHeaders.REDRIVE_REASON);
    return reason != null && reason.value() != null;
  }

  private void row(
      ConsumerRecord<byte[], byte[]> record,
      ReadingBatch batch,
      List<Reading> readings,
      Fate fate,
      String reason,
      Optional<Origin> at,
      long lateByMs) {
    if (!readings.isEmpty()) {
      rows.add(
          new Row(
              record.offset(),
              record.timestamp(),
              batch.getGatewayId(),
              batch.getBootId(),
              batch.getSequence(),
              DeadLetterHeaders.redriveOf(record.headers()),
              ImportSettings.originOf(record.headers()),
              readings.size(),
              readings,
              fate,
              reason,
              at,
              lateByMs));
    }
  }

  int lives() {
    return lives.size();
  }

  List<Reading> lastLife() {
    return first(lives.size() - 1, Long.MAX_VALUE);
  }

  /** The first readings that were counted in a life. */
  List<Reading> first(int life, long most) {
    return lives.get(life).stream().limit(most).map(Counted::reading).toList();
  }

  /** Whether a record ends behind so many readings that were counted in a life. */
  boolean isEndOfRecord(int life, int after) {
    List<Counted> counted = lives.get(life);
    return after == 0
        || after == counted.size()
        || counted.get(after - 1).row() != counted.get(after).row();
  }

  /** Whether all readings that follow were withheld before, and the loss of others accepted. */
  boolean isLossAccepted(int life, int after) {
    return lives.get(life).stream().skip(after).allMatch(Counted::lossAccepted);
  }

  /** The readings that follow, in this life and the next ones, were not emitted yet. */
  long markPending(int life, int after) {
    long pending = 0;
    for (int i = life; i < lives.size(); i++) {
      List<Counted> counted = lives.get(i);
      for (Counted each : counted.subList(i == life ? after : 0, counted.size())) {
        pending++;
        rows.set(each.row(), rows.get(each.row()).with(Fate.PENDING));
      }
    }
    return pending;
  }

  /** Readings in records that the application has not committed. */
  long unread() {
    return unread;
  }

  /** Whether a repeat may have been counted, since its gateway was silent for so long. */
  boolean isDuplicateUnsure() {
    return isDuplicateUnsure;
  }

  /** The newest event time of the sensor that was counted. */
  long newestMs() {
    return newestMs;
  }

  /** Rows, of which only the first are shown. */
  int batches() {
    return rows.size();
  }

  /** The first rows, each with so many readings at the most. */
  List<Row> rows(int most) {
    List<Row> shown = new ArrayList<>();
    int left = MOST_SHOWN;
    for (Row row : rows.subList(0, Math.min(MOST_ROWS, rows.size()))) {
      Row shorter = row.shortened(Math.min(most, left));
      left -= shorter.readings().size();
      shown.add(shorter);
    }
    return shown;
  }
}
