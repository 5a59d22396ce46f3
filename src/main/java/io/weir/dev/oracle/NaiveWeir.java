package io.weir.dev.oracle;

import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import io.weir.window.WindowSpec;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What must become of every reading, told from the design's words and computed as plainly as can
 * be: keeps everything, forgets nothing, sums nothing up.
 *
 * <p>When exactly a silent sensor is forgotten is not told here: {@link #mayBeForgotten} says from
 * when on a reading of an old window may be late because of it.
 */
public final class NaiveWeir {
  private static final int MAX_ID_BYTES = 256;

  /** As soon as there is such a reason. */
  private static final Optional<RejectReason> FUTURE_BOOT =
      Arrays.stream(RejectReason.values())
          .filter(reason -> reason.name().equals("FUTURE_BOOT"))
          .findFirst();

  private final WindowSpec spec;
  private final long maxFutureSkewMs;
  private final int partition;
  private final Map<String, TreeMap<Long, Set<Long>>> bootsOfGateway = new HashMap<>();
  private final Map<String, Long> fenced = new HashMap<>();
  private final Map<String, Sensor> sensors = new HashMap<>();

  /**
   * @param partition the partition whose sensors belong here
   */
  public NaiveWeir(WindowSpec spec, long maxFutureSkewMs, int partition) {
    this.partition = partition;
    this.spec = spec;
    this.maxFutureSkewMs = maxFutureSkewMs;
  }

  private static final class Sensor {
    long watermarkMs = Long.MIN_VALUE;
    long letGoThroughMs = Long.MIN_VALUE;
    long lastActiveMs;
    boolean mayBeForgotten;
  }

  /**
   * What becomes of a batch: refused or repeated as a whole, or each reading its own way; a series
   * that is broken is rejected as a whole.
   */
  public record Fate(
      RejectReason refused,
      boolean repeated,
      List<ReadingFate> readings,
      List<BrokenSeries> broken) {
    private static Fate whole(RejectReason refused, boolean repeated) {
      return new Fate(refused, repeated, List.of(), List.of());
    }
  }

  /** A series that has no readings one could look at singly. */
  public record BrokenSeries(Series series, RejectReason rejected) {}

  /** Exactly one of: rejected, late, neither. Either of the latter two where it may be both. */
  public record ReadingFate(
      Reading reading, RejectReason rejected, boolean late, boolean mayBeLateToo) {}

  public Fate take(ReadingBatch batch, long appendMs) {
    RejectReason refused = refusal(batch, appendMs);
    if (refused != null) {
      return Fate.whole(refused, false);
    }
    if (batch.getBootId() != 0 && !remember(batch)) {
      return Fate.whole(null, true);
    }
    List<ReadingFate> fates = new ArrayList<>();
    for (Reading reading : rows(batch)) {
      fates.add(fate(reading, appendMs));
    }
    List<BrokenSeries> broken = new ArrayList<>();
    for (Series series : batch.getSeriesList()) {
      if (isBroken(series)) {
        RejectReason ofId = refusalOfId(series.getSensorId());
        broken.add(new BrokenSeries(series, ofId == null ? RejectReason.INVALID_TIMESTAMP : ofId));
      }
    }
    return new Fate(null, false, fates, broken);
  }

  /** Moves the sensors' times; {@code aggregated} are the readings that were not late. */
  public void endBatch(List<Reading> aggregated, long appendMs) {
    for (Reading reading : aggregated) {
      Sensor sensor = sensors.computeIfAbsent(reading.getSensorId(), id -> new Sensor());
      sensor.watermarkMs = Math.max(sensor.watermarkMs, reading.getTimestampMs());
      sensor.lastActiveMs = appendMs;
    }
  }

  /** Time came to this append time: sensors silent for long may have been forgotten. */
  public void time(long appendMs) {
    for (Sensor sensor : sensors.values()) {
      sensor.mayBeForgotten |= appendMs - sensor.lastActiveMs >= spec.sensorTtlMs();
    }
  }

  /** Forgets a silent sensor, but for how far its windows are closed. */
  void forget(String sensorId) {
    Sensor sensor = sensors.get(sensorId);
    sensor.letGoThroughMs = startMs(sensor.watermarkMs) + spec.sizeMs();
    sensor.watermarkMs = Long.MIN_VALUE;
  }

  private RejectReason refusal(ReadingBatch batch, long appendMs) {
    long boot = batch.getBootId();
    long sequence = batch.getSequence();
    boolean anonymous = boot != 0 && batch.getGatewayId().isEmpty();
    if (anonymous || utf8Bytes(batch.getGatewayId()) > MAX_ID_BYTES) {
      return RejectReason.INVALID_GATEWAY;
    }
    if (boot < 0 || sequence < 0 || (boot > 0 && sequence == 0)) {
      return RejectReason.INVALID_SEQUENCE;
    }
    if (boot == 0) {
      return null;
    }
    TreeMap<Long, Set<Long>> boots =
        bootsOfGateway.getOrDefault(batch.getGatewayId(), new TreeMap<>());
    if (FUTURE_BOOT.isPresent() && boot >> 20 > appendMs + maxFutureSkewMs) {
      return FUTURE_BOOT.get();
    }
    if (boot <= fenced.getOrDefault(batch.getGatewayId(), 0L)) {
      return RejectReason.FENCED;
    }
    long highest =
        boots.getOrDefault(boot, Set.of()).stream().mapToLong(Long::longValue).max().orElse(0);
    if (sequence > highest + (1 << 20)) {
      return RejectReason.INVALID_SEQUENCE;
    }
    return sequence < highest - 1024 ? RejectReason.STALE_SEQUENCE : null;
  }

  /** False where the sequence was there already. */
  private boolean remember(ReadingBatch batch) {
    TreeMap<Long, Set<Long>> boots =
        bootsOfGateway.computeIfAbsent(batch.getGatewayId(), id -> new TreeMap<>());
    boolean isNew =
        boots.computeIfAbsent(batch.getBootId(), b -> new HashSet<>()).add(batch.getSequence());
    if (boots.size() > 4) {
      fenced.put(batch.getGatewayId(), boots.pollFirstEntry().getKey());
    }
    return isNew;
  }

  private ReadingFate fate(Reading reading, long appendMs) {
    RejectReason rejected = refusalOfId(reading.getSensorId());
    if (rejected != null) {
      return new ReadingFate(reading, rejected, false, false);
    }
    if (Double.isNaN(reading.getValue()) || Double.isInfinite(reading.getValue())) {
      rejected = RejectReason.INVALID_VALUE;
    } else if (reading.getTimestampMs() <= 0) {
      rejected = RejectReason.INVALID_TIMESTAMP;
    } else if (reading.getTimestampMs() > appendMs + maxFutureSkewMs) {
      rejected = RejectReason.FUTURE_TIMESTAMP;
    } else if (SensorPartition.of(reading.getSensorId()) != partition) {
      rejected = RejectReason.MISROUTED;
    }
    if (rejected != null) {
      return new ReadingFate(reading, rejected, false, false);
    }
    Sensor sensor = sensors.getOrDefault(reading.getSensorId(), new Sensor());
    long endMs = startMs(reading.getTimestampMs()) + spec.sizeMs();
    boolean late =
        endMs <= sensor.letGoThroughMs
            || (sensor.watermarkMs != Long.MIN_VALUE
                && endMs + spec.graceMs() + spec.latenessMs() <= sensor.watermarkMs);
    boolean old = sensor.mayBeForgotten && startMs(reading.getTimestampMs()) <= sensor.watermarkMs;
    return new ReadingFate(reading, null, late, !late && old);
  }

  private static RejectReason refusalOfId(String sensorId) {
    if (sensorId.isEmpty()) {
      return RejectReason.MISSING_SENSOR_ID;
    }
    return utf8Bytes(sensorId) > MAX_ID_BYTES ? RejectReason.SENSOR_ID_TOO_LONG : null;
  }

  private static int utf8Bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static boolean isBroken(Series series) {
    int values = series.getValueCount();
    int qualities = series.getQualityCount();
    if (series.getTimestampDeltaMsCount() != values || (qualities != 0 && qualities != values)) {
      return true;
    }
    BigInteger timestampMs = BigInteger.valueOf(series.getStartTimestampMs());
    for (long deltaMs : series.getTimestampDeltaMsList()) {
      timestampMs = timestampMs.add(BigInteger.valueOf(deltaMs));
      if (timestampMs.bitLength() >= Long.SIZE) {
        return true;
      }
    }
    return false;
  }

  /** Those series of a batch whose lengths disagree or whose deltas overflow. */
  public static List<Series> brokenSeries(ReadingBatch batch) {
    return batch.getSeriesList().stream().filter(NaiveWeir::isBroken).toList();
  }

  /** Readings of a batch; a series whose columns disagree has as many as the longer one. */
  public static long readingsOf(ReadingBatch batch) {
    long readings = batch.getReadingsCount();
    for (Series series : batch.getSeriesList()) {
      readings += Math.max(series.getTimestampDeltaMsCount(), series.getValueCount());
    }
    return readings;
  }

  long startMs(long timestampMs) {
    return Math.floorDiv(timestampMs, spec.sizeMs()) * spec.sizeMs();
  }

  /** Rows and series of a batch as rows, broken series left out. */
  public static List<Reading> rows(ReadingBatch batch) {
    List<Reading> rows = new ArrayList<>(batch.getReadingsList());
    for (Series series : batch.getSeriesList()) {
      if (isBroken(series)) {
        continue;
      }
      long timestampMs = series.getStartTimestampMs();
      for (int i = 0; i < series.getValueCount(); i++) {
        timestampMs += series.getTimestampDeltaMs(i);
        rows.add(
            Reading.newBuilder()
                .setSensorId(series.getSensorId())
                .setTimestampMs(timestampMs)
                .setValue(series.getValue(i))
                .setQuality(
                    series.getQualityCount() == 0
                        ? Quality.QUALITY_UNSPECIFIED
                        : series.getQuality(i))
                .build());
      }
    }
    return rows;
  }

  /** A reading as text, to compare by: a quality that is left out is GOOD. */
  public static String plain(Reading reading) {
    return reading.getSensorId()
        + " "
        + reading.getTimestampMs()
        + " "
        + reading.getValue()
        + " "
        + Math.max(1, reading.getQualityValue());
  }
}
