package io.weir.lab.oracle;

import io.weir.internal.window.WindowSpec;
import io.weir.internal.wire.BatchRows;
import io.weir.reading.IgnoredAttestation;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What must become of every reading, written from the design alone and computed in the simplest
 * way: keeps everything, forgets nothing, sums nothing up.
 */
public final class NaiveWeir {
  private static final int MAX_ID_BYTES = 256;

  private final Supplier<WindowSpec> spec;
  private final NaiveRules rules;
  private final int partition;
  private final NaiveGateways gateways;
  private final Map<String, Sensor> sensors = new HashMap<>();
  private final Kept kept;
  private final NaiveCuts cuts;

  /** Null where each gateway may publish all sensors. */
  private NaivePermissions permissions;

  /** Where nobody keeps windows: as many may be opened as a batch has readings. */
  public NaiveWeir(WindowSpec spec, NaiveRules rules, int partition) {
    this(
        () -> spec,
        rules,
        partition,
        (sensorId, startMs) -> Kept.State.NOT,
        new NaiveCuts(() -> spec, rules));
  }

  /** Knows which windows are there already. */
  @FunctionalInterface
  interface Kept {
    /** How a window is kept. */
    enum State {
      NOT,
      /** Open, or closed and to be amended. */
      FOR_MORE,
      /** It was said to be complete while it was open. */
      COMPLETE
    }

    State window(String sensorId, long startMs);
  }

  /**
   * @param partition the partition whose sensors belong here
   * @param cuts which windows may lack readings that were deleted
   */
  NaiveWeir(Supplier<WindowSpec> spec, NaiveRules rules, int partition, Kept kept, NaiveCuts cuts) {
    this.cuts = cuts;
    this.partition = partition;
    this.kept = kept;
    this.spec = spec;
    this.rules = rules;
    this.gateways = new NaiveGateways(rules);
  }

  private static final class Sensor {
    /** The gateway whose reading made it. */
    String owner = "";

    long watermarkMs = Long.MIN_VALUE;
    long evictedThroughMs = Long.MIN_VALUE;

    /** Its gateway said that it had handed over all readings before. */
    long attestedThroughMs = Long.MIN_VALUE;
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

    /** The readings that are in a window, as text. */
    List<String> counted() {
      return readings.stream()
          .filter(each -> each.rejected() == null && !each.late())
          .map(each -> plain(each.reading()))
          .toList();
    }
  }

  /** A series that has no readings one could look at singly. */
  public record BrokenSeries(Series series, RejectReason rejected) {}

  /**
   * Exactly one of: rejected, late, neither.
   *
   * @param broken whether it is late for a window of which its gateway had said that it is complete
   */
  public record ReadingFate(Reading reading, RejectReason rejected, boolean late, boolean broken) {
    private static ReadingFate rejected(Reading reading, RejectReason reason) {
      return new ReadingFate(reading, reason, false, false);
    }
  }

  /** What a batch says of a sensor's completeness, and why it is ignored; null where it is not. */
  record Attested(String sensorId, long throughMs, IgnoredAttestation ignored) {}

  /** As {@link #take(ReadingBatch, long, long)}, where log time does not advance. */
  public Fate take(ReadingBatch batch, long appendMs) {
    return take(batch, appendMs, 0);
  }

  /** From now on, gateways may publish these sensors only; null for all. */
  void permit(NaivePermissions now) {
    permissions = now;
  }

  /** Takes a batch that nobody has sent again. */
  public Fate take(ReadingBatch batch, long appendMs, long logMs) {
    return take(batch, appendMs, logMs, false, false);
  }

  /**
   * Takes a batch.
   *
   * @param latestMs the later of its append time and the partition's newest one
   * @param logMs the partition's log time
   * @param again whether its readings were withheld and are sent again
   */
  Fate take(ReadingBatch batch, long latestMs, long logMs, boolean redriven, boolean again) {
    RejectReason invalid = invalid(batch, logMs);
    if (invalid != null) {
      return Fate.whole(invalid, false);
    }
    String gatewayId = batch.getGatewayId();
    long boot = batch.getBootId();
    boolean sequenced = boot != 0;
    if (sequenced && gateways.remembers(gatewayId, boot, batch.getSequence(), logMs)) {
      return Fate.whole(null, true);
    }
    RejectReason refused = refusal(batch, latestMs, logMs, redriven);
    if (refused != null) {
      return Fate.whole(refused, false);
    }
    boolean mayBeTooMany = readingsOf(batch) > rules.maxBatchWindows();
    if (mayBeTooMany && opens(batch, latestMs, again) > rules.maxBatchWindows()) {
      return Fate.whole(RejectReason.TOO_MANY_WINDOWS, false);
    }
    if (sequenced) {
      gateways.remember(gatewayId, batch.getBootId(), batch.getSequence(), logMs);
    }
    String owner = sequenced ? gatewayId : "";
    List<ReadingFate> fates = new ArrayList<>();
    Set<String> added = new HashSet<>();
    for (Reading reading : rows(batch)) {
      ReadingFate fate = fate(gatewayId, reading, latestMs, again);
      boolean room = fate.rejected() != null || hasRoom(reading.getSensorId(), owner, added);
      fates.add(room ? fate : ReadingFate.rejected(reading, RejectReason.TOO_MANY_SENSORS));
    }
    for (String sensorId : added) {
      Sensor sensor = new Sensor();
      sensor.owner = owner;
      sensors.put(sensorId, sensor);
    }
    List<BrokenSeries> broken = new ArrayList<>();
    for (Series series : batch.getSeriesList()) {
      if (BatchRows.isBroken(series)) {
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
    // By the lateness of now: windows that are evicted stay so, whatever the next start has.
    long keptMs = spec.get().graceMs() + spec.get().latenessMs();
    for (Reading reading : aggregated) {
      Sensor sensor = sensors.get(reading.getSensorId());
      sensor.evictedThroughMs =
          Math.max(sensor.evictedThroughMs, startMs(sensor.watermarkMs - keptMs));
    }
  }

  /** Why nothing that a batch that was taken says about completeness counts; null where it may. */
  IgnoredAttestation causeToIgnore(ReadingBatch batch, boolean redriven) {
    if (redriven) {
      return IgnoredAttestation.REDRIVEN;
    }
    if (batch.getBootId() == 0) {
      return IgnoredAttestation.UNSEQUENCED;
    }
    return gateways.lacks(batch.getGatewayId(), batch.getBootId(), batch.getSequence())
        ? IgnoredAttestation.GAP
        : null;
  }

  /**
   * Each entry of a batch, by what can be said of it without knowing whether its sensor is awake.
   */
  List<Attested> entries(ReadingBatch batch, long latestMs) {
    List<Attested> entries = new ArrayList<>();
    for (Completeness entry : batch.getCompleteList()) {
      IgnoredAttestation ignored = null;
      if (refusalOfId(entry.getSensorId()) != null || entry.getThroughMs() <= 0) {
        ignored = IgnoredAttestation.INVALID;
      } else if (entry.getThroughMs() > latestMs + rules.maxFutureSkewMs()) {
        ignored = IgnoredAttestation.FUTURE;
      } else if (SensorPartition.of(entry.getSensorId()) != partition) {
        ignored = IgnoredAttestation.MISROUTED;
      } else if (permissions != null
          && !permissions.allows(batch.getGatewayId(), entry.getSensorId())) {
        ignored = IgnoredAttestation.NOT_ITS_SENSOR;
      }
      entries.add(new Attested(entry.getSensorId(), entry.getThroughMs(), ignored));
    }
    return entries;
  }

  /** All readings of a sensor before a time were handed over; the latest such time counts. */
  void attested(String sensorId, long throughMs) {
    Sensor sensor = sensors.get(sensorId);
    sensor.attestedThroughMs = Math.max(sensor.attestedThroughMs, throughMs);
  }

  /** The operators have ordered it: nothing is known of a gateway's boots and sequences. */
  void reset(String gatewayId) {
    gateways.reset(gatewayId);
  }

  /** Records were deleted unread, appended before a time. */
  void cut(long beforeMs) {
    gateways.cut(beforeMs);
  }

  /** Forgets a silent sensor, but for how far its windows are closed. */
  void forget(String sensorId) {
    Sensor sensor = sensors.get(sensorId);
    sensor.evictedThroughMs = startMs(sensor.watermarkMs) + spec.get().sizeMs();
    sensor.watermarkMs = Long.MIN_VALUE;
  }

  /** Forgets even how far a sensor's windows are closed. */
  void purge(String sensorId) {
    sensors.remove(sensorId);
  }

  /** Why nobody asks whether a batch was there before; null where it is asked. */
  private RejectReason invalid(ReadingBatch batch, long logMs) {
    long boot = batch.getBootId();
    long sequence = batch.getSequence();
    boolean anonymous = boot != 0 && batch.getGatewayId().isEmpty();
    if (anonymous || utf8Bytes(batch.getGatewayId()) > MAX_ID_BYTES) {
      return RejectReason.INVALID_GATEWAY;
    }
    boolean wrong = boot < 0 || sequence < 0 || (boot > 0 && sequence == 0);
    boolean jumps = boot != 0 && gateways.jumps(batch.getGatewayId(), boot, sequence, logMs);
    return wrong || jumps ? RejectReason.INVALID_SEQUENCE : null;
  }

  private RejectReason refusal(ReadingBatch batch, long latestMs, long logMs, boolean redriven) {
    long boot = batch.getBootId();
    if (permissions != null && !permissions.names(batch.getGatewayId())) {
      return RejectReason.NOT_ITS_SENSOR;
    }
    if (permissions != null && permissions.revokes(batch.getGatewayId(), boot, redriven)) {
      return RejectReason.REVOKED;
    }
    return boot == 0
        ? null
        : gateways.refusal(batch.getGatewayId(), boot, batch.getSequence(), latestMs, logMs);
  }

  /** Windows that a batch opens, if there is room for its sensors. */
  private long opens(ReadingBatch batch, long latestMs, boolean again) {
    return rows(batch).stream()
        .map(reading -> fate(batch.getGatewayId(), reading, latestMs, again))
        .filter(fate -> fate.rejected() == null && !fate.late())
        .map(fate -> fate.reading())
        .map(row -> new Start(row.getSensorId(), startMs(row.getTimestampMs())))
        .filter(start -> kept.window(start.sensorId(), start.startMs()) == Kept.State.NOT)
        .distinct()
        .count();
  }

  private record Start(String sensorId, long startMs) {}

  /** What becomes of a reading, if there is room for its sensor. */
  private ReadingFate fate(String gatewayId, Reading reading, long latestMs, boolean again) {
    RejectReason rejected = refusalOfId(reading.getSensorId());
    if (rejected != null) {
      return ReadingFate.rejected(reading, rejected);
    }
    if (Double.isNaN(reading.getValue()) || Double.isInfinite(reading.getValue())) {
      rejected = RejectReason.INVALID_VALUE;
    } else if (reading.getTimestampMs() <= 0) {
      rejected = RejectReason.INVALID_TIMESTAMP;
    } else if (reading.getTimestampMs() > latestMs + rules.maxFutureSkewMs()) {
      rejected = RejectReason.FUTURE_TIMESTAMP;
    } else if (SensorPartition.of(reading.getSensorId()) != partition) {
      rejected = RejectReason.MISROUTED;
    } else if (permissions != null && !permissions.allows(gatewayId, reading.getSensorId())) {
      rejected = RejectReason.NOT_ITS_SENSOR;
    }
    if (rejected != null) {
      return ReadingFate.rejected(reading, rejected);
    }
    Sensor sensor = sensors.getOrDefault(reading.getSensorId(), new Sensor());
    long endMs = startMs(reading.getTimestampMs()) + spec.get().sizeMs();
    boolean attested = endMs <= sensor.attestedThroughMs;
    boolean past = endMs <= sensor.evictedThroughMs;
    long startMs = endMs - spec.get().sizeMs();
    if (cuts.concerns(startMs)) {
      if (again && cuts.isAccepted()) {
        return new ReadingFate(reading, null, cuts.isLate(reading.getSensorId(), startMs), false);
      }
      boolean over = past || cuts.kept(reading.getSensorId(), startMs) == Kept.State.COMPLETE;
      return over && !again
          ? new ReadingFate(reading, null, true, false)
          : ReadingFate.rejected(reading, RejectReason.WITHHELD);
    }
    boolean takesMore =
        kept.window(reading.getSensorId(), endMs - spec.get().sizeMs()) == Kept.State.FOR_MORE;
    boolean late = past || (attested && !takesMore);
    return new ReadingFate(reading, null, late, late && attested);
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

  /** Those series of a batch whose lengths disagree or whose deltas overflow. */
  public static List<Series> brokenSeries(ReadingBatch batch) {
    return batch.getSeriesList().stream().filter(BatchRows::isBroken).toList();
  }

  /** Readings of a batch; a series whose columns disagree has as many as the longer one. */
  public static long readingsOf(ReadingBatch batch) {
    long readings = batch.getReadingsCount();
    for (Series series : batch.getSeriesList()) {
      readings += Math.max(series.getTimestampDeltaMsCount(), series.getValueCount());
    }
    return readings;
  }

  private long startMs(long timestampMs) {
    return Math.floorDiv(timestampMs, spec.get().sizeMs()) * spec.get().sizeMs();
  }

  /** Rows and series of a batch as rows, broken series left out. */
  public static List<Reading> rows(ReadingBatch batch) {
    return BatchRows.of(batch);
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
