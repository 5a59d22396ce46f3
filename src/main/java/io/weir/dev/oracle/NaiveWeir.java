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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * What must become of every reading, told from the design's words and computed as plainly as can
 * be: keeps everything, forgets nothing, sums nothing up.
 */
public final class NaiveWeir {
  private static final int MAX_ID_BYTES = 256;

  private final WindowSpec spec;
  private final NaiveRules rules;
  private final int partition;
  private final NaiveGateways gateways;
  private final Map<String, Sensor> sensors = new HashMap<>();
  private final BiPredicate<String, Long> isKept;

  /** Where nobody keeps windows: as many may be opened as a batch has readings. */
  public NaiveWeir(WindowSpec spec, NaiveRules rules, int partition) {
    this(spec, rules, partition, (sensorId, startMs) -> false);
  }

  /**
   * @param partition the partition whose sensors belong here
   * @param isKept whether a sensor's window that starts then is there already
   */
  NaiveWeir(WindowSpec spec, NaiveRules rules, int partition, BiPredicate<String, Long> isKept) {
    this.partition = partition;
    this.isKept = isKept;
    this.spec = spec;
    this.rules = rules;
    this.gateways = new NaiveGateways(rules);
  }

  private static final class Sensor {
    /** The gateway whose reading made it. */
    String owner = "";

    long watermarkMs = Long.MIN_VALUE;
    long letGoThroughMs = Long.MIN_VALUE;
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

  /** Exactly one of: rejected, late, neither. */
  public record ReadingFate(Reading reading, RejectReason rejected, boolean late) {}

  /** As {@link #take(ReadingBatch, long, long)}, where log time stands still. */
  public Fate take(ReadingBatch batch, long appendMs) {
    return take(batch, appendMs, 0);
  }

  /** Takes a batch that was appended at a time; log time is the partition's. */
  public Fate take(ReadingBatch batch, long appendMs, long logMs) {
    RejectReason refused = refusal(batch, appendMs, logMs);
    if (refused != null) {
      return Fate.whole(refused, false);
    }
    String gatewayId = batch.getGatewayId();
    boolean sequenced = batch.getBootId() != 0;
    if (sequenced && gateways.remembers(gatewayId, batch.getBootId(), batch.getSequence())) {
      return Fate.whole(null, true);
    }
    boolean mayBeTooMany = readingsOf(batch) > rules.maxBatchWindows();
    if (mayBeTooMany && opens(batch, appendMs) > rules.maxBatchWindows()) {
      return Fate.whole(RejectReason.TOO_MANY_WINDOWS, false);
    }
    if (sequenced) {
      gateways.remember(gatewayId, batch.getBootId(), batch.getSequence(), logMs);
    }
    String owner = sequenced ? gatewayId : "";
    List<ReadingFate> fates = new ArrayList<>();
    Set<String> added = new HashSet<>();
    for (Reading reading : rows(batch)) {
      ReadingFate fate = fate(reading, appendMs);
      boolean room = fate.rejected() != null || hasRoom(reading.getSensorId(), owner, added);
      fates.add(room ? fate : new ReadingFate(reading, RejectReason.TOO_MANY_SENSORS, false));
    }
    for (String sensorId : added) {
      Sensor sensor = new Sensor();
      sensor.owner = owner;
      sensors.put(sensorId, sensor);
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
  public void endBatch(List<Reading> aggregated) {
    for (Reading reading : aggregated) {
      Sensor sensor = sensors.computeIfAbsent(reading.getSensorId(), id -> new Sensor());
      sensor.watermarkMs = Math.max(sensor.watermarkMs, reading.getTimestampMs());
    }
  }

  /** The operators have ordered it: nothing is known of a gateway's boots and sequences. */
  void reset(String gatewayId) {
    gateways.reset(gatewayId);
  }

  /** Forgets a silent sensor, but for how far its windows are closed. */
  void forget(String sensorId) {
    Sensor sensor = sensors.get(sensorId);
    sensor.letGoThroughMs = startMs(sensor.watermarkMs) + spec.sizeMs();
    sensor.watermarkMs = Long.MIN_VALUE;
  }

  /** Forgets even how far a sensor's windows are closed. */
  void purge(String sensorId) {
    sensors.remove(sensorId);
  }

  private RejectReason refusal(ReadingBatch batch, long appendMs, long logMs) {
    long boot = batch.getBootId();
    long sequence = batch.getSequence();
    boolean anonymous = boot != 0 && batch.getGatewayId().isEmpty();
    if (anonymous || utf8Bytes(batch.getGatewayId()) > MAX_ID_BYTES) {
      return RejectReason.INVALID_GATEWAY;
    }
    if (boot < 0 || sequence < 0 || (boot > 0 && sequence == 0)) {
      return RejectReason.INVALID_SEQUENCE;
    }
    return boot == 0
        ? null
        : gateways.refusal(batch.getGatewayId(), boot, sequence, appendMs, logMs);
  }

  /** Windows that a batch opens, if there is room for its sensors. */
  private long opens(ReadingBatch batch, long appendMs) {
    return rows(batch).stream()
        .map(reading -> fate(reading, appendMs))
        .filter(fate -> fate.rejected() == null && !fate.late())
        .map(fate -> fate.reading())
        .map(row -> new Start(row.getSensorId(), startMs(row.getTimestampMs())))
        .filter(start -> !isKept.test(start.sensorId(), start.startMs()))
        .distinct()
        .count();
  }

  private record Start(String sensorId, long startMs) {}

  /** What becomes of a reading, if there is room for its sensor. */
  private ReadingFate fate(Reading reading, long appendMs) {
    RejectReason rejected = refusalOfId(reading.getSensorId());
    if (rejected != null) {
      return new ReadingFate(reading, rejected, false);
    }
    if (Double.isNaN(reading.getValue()) || Double.isInfinite(reading.getValue())) {
      rejected = RejectReason.INVALID_VALUE;
    } else if (reading.getTimestampMs() <= 0) {
      rejected = RejectReason.INVALID_TIMESTAMP;
    } else if (reading.getTimestampMs() > appendMs + rules.maxFutureSkewMs()) {
      rejected = RejectReason.FUTURE_TIMESTAMP;
    } else if (SensorPartition.of(reading.getSensorId()) != partition) {
      rejected = RejectReason.MISROUTED;
    }
    if (rejected != null) {
      return new ReadingFate(reading, rejected, false);
    }
    Sensor sensor = sensors.getOrDefault(reading.getSensorId(), new Sensor());
    long endMs = startMs(reading.getTimestampMs()) + spec.sizeMs();
    boolean late =
        endMs <= sensor.letGoThroughMs
            || (sensor.watermarkMs != Long.MIN_VALUE
                && endMs + spec.graceMs() + spec.latenessMs() <= sensor.watermarkMs);
    return new ReadingFate(reading, null, late);
  }

  /** Whether a sensor is known, or there is room for it, which it then takes. */
  private boolean hasRoom(String sensorId, String owner, Set<String> added) {
    if (sensors.containsKey(sensorId) || added.contains(sensorId)) {
      return true;
    }
    long owned = sensors.values().stream().filter(each -> each.owner.equals(owner)).count();
    return sensors.size() + added.size() < rules.maxSensors()
        && owned + added.size() < rules.maxSensorsPerGateway()
        && added.add(sensorId);
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
