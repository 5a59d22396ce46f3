package io.weir.internal.explain;

import com.google.protobuf.Descriptors.FieldDescriptor;
import io.weir.internal.explain.Explanation.Emission;
import io.weir.internal.explain.Explanation.Verdict;
import io.weir.internal.fetch.PollBudget;
import io.weir.internal.time.DurationText;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.wire.Protobuf;
import io.weir.reading.Quality;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.CloseReason;
import io.weir.v1.Reading;
import io.weir.v1.WindowSummary;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Explains one window: finds its emissions and what became of each batch with its readings,
 * recomputes it from the readings that were counted, and compares the bits. One thread, once.
 *
 * <p>A reading may be ahead of the append time of its record, or of an earlier record, by {@code
 * weir.max.future.skew} at the most. So all records that matter are at or behind the first record
 * that was appended at the window's start minus that skew, whatever the clocks of the brokers did.
 * The leaders of other topics may have clocks that are an hour behind.
 */
public final class Explainer {
  /** Clocks of two brokers may differ so much. */
  private static final long CLOCKS_MS = 3_600_000;

  /** Readings of a row that are shown. */
  private static final int READINGS = 100;

  /** Kept of the records that matter. */
  private static final long ROOM_BYTES = 64 << 20;

  private final Room room = new Room(ROOM_BYTES);
  private final ExplainSettings settings;
  private final PartitionLog log;
  private final String sensorId;
  private final byte[] key;
  private final long startMs;
  private final int partition;
  private final long sinceMs;
  private final List<Emission> emissions = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** Why a difference need not be one. */
  private final List<String> doubts = new ArrayList<>();

  /** Whether the last topic had more bytes than may be read. */
  private boolean isCut;

  private boolean areEmissionsCut;
  private long endMs;
  private Topic topic;

  private Explainer(ExplainSettings settings, PartitionLog log, String sensorId, long startMs) {
    this.settings = settings;
    this.log = log;
    this.sensorId = sensorId;
    this.key = sensorId.getBytes(StandardCharsets.UTF_8);
    this.startMs = startMs;
    this.partition = SensorPartition.of(sensorId);
    this.sinceMs = startMs - settings.skewMs();
  }

  /**
   * Explains a window.
   *
   * @param sizeMs length of the window; empty for a base window
   */
  public static Explanation explain(
      ExplainSettings settings,
      PartitionLog log,
      String sensorId,
      long startMs,
      OptionalLong sizeMs) {
    return new Explainer(settings, log, sensorId, startMs).explain(sizeMs);
  }

  private Explanation explain(OptionalLong sizeMs) {
    OptionalLong committed = log.committed(partition);
    endMs = startMs + sizeMs.orElse(settings.windowMs());
    topic = settings.topicOf(startMs, endMs - startMs);
    read(topic, sinceMs - CLOCKS_MS, record -> emission(record, sizeMs.isEmpty()));
    areEmissionsCut = isCut;
    Letters letters = letters(Topic.LATE);
    letters.addAll(letters(Topic.DEAD_LETTERS));
    WindowReadings readings =
        new WindowReadings(
            settings,
            sensorId,
            startMs,
            endMs,
            letters,
            log,
            committed.orElse(Long.MAX_VALUE),
            room);
    PartitionLog.Scan scan = read(Topic.READINGS, sinceMs, readings::add);
    if (room.isFull()) {
      doubts.add(0, "more records concern this window than can be kept (64 MiB)");
    }
    if (readings.unread() > 0) {
      notes.add(readings.unread() + " readings are not read by the application yet");
    }
    if (readings.unread() > 0) {
      doubts.add("the application has not read all readings of the window yet");
    }
    if (committed.isEmpty()) {
      doubts.add("the committed offset of the application is unknown");
    }
    if (readings.isDuplicateUnsure()) {
      doubts.add(
          "a repeated batch may have been counted again, since its gateway was silent for long");
    }
    return judged(readings, scan);
  }

  private void emission(ConsumerRecord<byte[], byte[]> record, boolean anyLength) {
    if (!Arrays.equals(record.key(), key)) {
      return;
    }
    Protobuf.find(WindowSummary.getDefaultInstance(), record.value())
        .filter(summary -> summary.getWindowStartMs() == startMs)
        .filter(summary -> anyLength || summary.getWindowEndMs() == endMs)
        .ifPresent(
            summary -> {
              endMs = summary.getWindowEndMs();
              room.take(0, 8L * record.value().length);
              emissions.add(new Emission(record.offset(), record.timestamp(), summary));
            });
  }

  private Letters letters(Topic of) {
    Letters letters =
        new Letters(settings.names().apply(Topic.READINGS), partition, sensorId, room);
    read(of, sinceMs - CLOCKS_MS, record -> letters.add(record, of == Topic.LATE));
    return letters;
  }

  /** Reads to the end; beyond the bytes allowed for a topic, no further. */
  private PartitionLog.Scan read(
      Topic of, long fromMs, Consumer<ConsumerRecord<byte[], byte[]>> each) {
    long neededMs =
        emissions.isEmpty()
            ? Long.MAX_VALUE
            : emissions.get(emissions.size() - 1).appendMs() + CLOCKS_MS;
    long[] left = {settings.scanBytes()};
    isCut = false;
    PartitionLog.Scan scan =
        log.read(
            of,
            partition,
            fromMs,
            record -> {
              if (left[0] < 0) {
                isCut = record.timestamp() <= neededMs;
                return false;
              }
              left[0] -= PollBudget.bytesOf(record);
              each.accept(record);
              return !room.isFull();
            });
    doubtIfCut(of, scan);
    if (isCut) {
      doubts.add(
          0, settings.names().apply(of) + " has more than --scan-bytes from the window's start on");
    }
    return scan;
  }

  private void doubtIfCut(Topic of, PartitionLog.Scan scan) {
    String name = settings.names().apply(of);
    if (scan.beginsMs().isPresent() && of != topic) {
      doubts.add(
          "%s begins at %s, after this window could"
              .formatted(name, Instant.ofEpochMilli(scan.beginsMs().getAsLong())));
    }
    if (!scan.isWhole()) {
      doubts.add(name + " has an open transaction that hides its end");
    }
  }

  private Explanation judged(WindowReadings readings, PartitionLog.Scan scan) {
    if (emissions.isEmpty()) {
      WindowSummary soFar =
          Recomputation.of(readings.lastLife(), WindowSummary.getDefaultInstance());
      String why =
          readings.lastLife().isEmpty()
              ? "the window was not emitted, and no reading of it was counted"
              : "the window was not emitted yet";
      return answer(
          readings,
          scan,
          soFar,
          Verdict.CANNOT_TELL,
          areEmissionsCut || room.isFull() ? doubts.get(0) : why);
    }
    WindowSummary emitted = emissions.get(emissions.size() - 1).summary();
    if (areEmissionsCut || room.isFull()) {
      return answer(readings, scan, emitted, Verdict.CANNOT_TELL, doubts.get(0));
    }
    boolean idle = emitted.getCloseReason() == CloseReason.CLOSE_REASON_IDLE;
    Optional<String> difference = Optional.empty();
    WindowSummary shown = null;
    for (int life = readings.lives() - 1; life >= 0; life--) {
      long wanted = emitted.getCount() + emitted.getBadCount();
      List<Reading> first = readings.first(life, wanted);
      List<Reading> all = readings.first(life, Long.MAX_VALUE);
      boolean later = first.size() < all.size();
      boolean mayWait =
          readings.isEndOfRecord(life, first.size())
              && (idle || readings.isLossAccepted(life, first.size()));
      List<Reading> due = first.size() == wanted && (!later || mayWait) ? first : all;
      WindowSummary recomputed = Recomputation.of(due, emitted);
      Optional<String> differs = Recomputation.difference(emitted, recomputed);
      if (shown == null) {
        shown = recomputed;
        difference = differs;
      }
      if (differs.isEmpty()) {
        long pending = readings.markPending(life, due.size());
        if (pending > 0) {
          notes.add(pending + " readings were counted since: the window is emitted again");
        }
        return answer(readings, scan, recomputed, Verdict.MATCHES, "");
      }
    }
    if (shown == null) {
      shown = Recomputation.of(List.of(), emitted);
      difference = Recomputation.difference(emitted, shown);
    }
    if (difference.isEmpty()) {
      return answer(readings, scan, shown, Verdict.MATCHES, "");
    }
    return doubts.isEmpty()
        ? answer(readings, scan, shown, Verdict.DIFFERS, difference.get())
        : answer(
            readings,
            scan,
            shown,
            Verdict.CANNOT_TELL,
            doubts.get(0) + " (" + difference.get() + ")");
  }

  private Explanation answer(
      WindowReadings readings,
      PartitionLog.Scan scan,
      WindowSummary recomputed,
      Verdict verdict,
      String detail) {
    long passedMs = readings.newestMs() - settings.graceMs();
    if (!emissions.isEmpty() && readings.newestMs() != Long.MIN_VALUE) {
      boolean isFinal = emissions.get(emissions.size() - 1).summary().getIsFinal();
      if (isFinal) {
        notes.add("the window is final: it is not amended");
      } else if (endMs > passedMs) {
        notes.add("the window is open: the sensor's newest time is " + text(readings.newestMs()));
      } else if (endMs > passedMs - settings.latenessMs()) {
        notes.add("the window can still be amended (weir.allowed.lateness)");
      }
    }
    if (readings.batches() > WindowReadings.MOST_ROWS) {
      notes.add(
          "%,d batches have readings of the window; the first %,d are shown"
              .formatted(readings.batches(), WindowReadings.MOST_ROWS));
    }
    long lengthMs = endMs - startMs;
    if (topic == Topic.WINDOWS && lengthMs != settings.windowMs()) {
      notes.add(
          "settings changed: the window has %s, weir.window.size is %s"
              .formatted(
                  DurationText.format(Duration.ofMillis(lengthMs)),
                  DurationText.format(Duration.ofMillis(settings.windowMs()))));
    }
    return new Explanation(
        sensorId,
        startMs,
        endMs,
        settings.names().apply(topic),
        partition,
        readings.rows(READINGS),
        List.copyOf(emissions),
        recomputed,
        verdict,
        detail,
        List.copyOf(notes),
        scan);
  }

  private static String text(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  /** What some readings give together, by naive arithmetic. */
  static final class Recomputation {
    private Recomputation() {}

    /**
     * Count, sum, minimum, maximum, mean, and the statistics that another summary has.
     *
     * @param like has the sets of statistics that are wanted
     */
    static WindowSummary of(Collection<Reading> readings, WindowSummary like) {
      NaiveStatistics statistics = new NaiveStatistics(Integer.MAX_VALUE, Long.MAX_VALUE);
      BigInteger units = BigInteger.ZERO;
      double min = 0;
      double max = 0;
      long count = 0;
      long bad = 0;
      for (Reading reading : readings) {
        Quality quality = Quality.ofNumber(reading.getQualityValue());
        if (quality == Quality.BAD) {
          bad++;
          continue;
        }
        double value = reading.getValue() + 0.0; // -0.0 becomes 0.0.
        min = count == 0 ? value : Math.min(min, value);
        max = count == 0 ? value : Math.max(max, value);
        units = units.add(NaiveStatistics.units(value));
        count++;
        statistics = statistics.with(reading.getTimestampMs(), value, quality);
      }
      BigDecimal sum = NaiveStatistics.ofUnits(units, NaiveStatistics.UNIT_BITS);
      WindowSummary.Builder summary =
          statistics.expected(sets(like)).toBuilder()
              .setCount(count)
              .setBadCount(bad)
              .setSum(sum.doubleValue() + 0.0)
              .setMin(min)
              .setMax(max);
      if (count > 0) {
        summary.setMean(NaiveStatistics.rounded(sum, count));
      }
      return summary.build();
    }

    private static int sets(WindowSummary like) {
      return bit(StatisticSet.FIRST_LAST, like.hasFirst())
          | bit(StatisticSet.VARIANCE, like.hasM2())
          | bit(StatisticSet.HISTOGRAM, like.hasHistogram())
          | bit(StatisticSet.INTEGRAL, like.hasIntegral())
          | bit(StatisticSet.COUNTER, like.hasIncrease())
          | bit(StatisticSet.QUALITY, like.hasUncertainCount())
          | bit(StatisticSet.SUM_REST, like.getSumRestCount() > 0);
    }

    private static int bit(StatisticSet set, boolean wanted) {
      return wanted ? set.bit() : 0;
    }

    /** The first field in which an emission differs, as text; empty if all are the same bits. */
    static Optional<String> difference(WindowSummary emitted, WindowSummary recomputed) {
      WindowSummary numbers =
          emitted.toBuilder()
              .clearSensorId()
              .clearWindowStartMs()
              .clearWindowEndMs()
              .clearRevision()
              .clearCloseReason()
              .clearIsFinal()
              .build();
      if (numbers.equals(recomputed)) {
        return Optional.empty();
      }
      for (FieldDescriptor field : WindowSummary.getDescriptor().getFields()) {
        boolean sameThere =
            !field.hasPresence() || numbers.hasField(field) == recomputed.hasField(field);
        if (!sameThere || !numbers.getField(field).equals(recomputed.getField(field))) {
          return Optional.of(
              "%s %s, recomputed %s"
                  .formatted(field.getName(), shown(numbers, field), shown(recomputed, field)));
        }
      }
      return Optional.of("a field of a newer version");
    }

    private static String shown(WindowSummary summary, FieldDescriptor field) {
      return field.hasPresence() && !summary.hasField(field)
          ? "absent"
          : String.valueOf(summary.getField(field)).strip().replaceAll("\\s+", " ");
    }
  }
}
