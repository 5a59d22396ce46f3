package io.weir.lab.oracle;

import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.IgnoredAttestation;
import io.weir.reading.RejectReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What one partition must emit: a function of the records on it and of their append times. Written
 * from the design alone, independently of the engine. One thread.
 *
 * <p>At each record the batch is applied first: its readings, then what it says about completeness,
 * then its sensors' time. Then what is due by time is emitted, then sensors are forgotten.
 */
public final class NaivePartition {
  /** What the topic of windows holds when a loss is accepted. */
  @FunctionalInterface
  public interface Published {
    /**
     * Whether the newest record of a window has as many readings as it has.
     *
     * @param byThisLife whether that record is by the life that accepts: then it has fewer, as not
     *     all were emitted
     */
    boolean inFull(NaiveWindows.Key key, NaiveWindows.Window window, boolean byThisLife);
  }

  /** Settings that may change between two records. */
  private WindowSpec now;

  private final boolean byRecords;
  private final NaiveWeir judge;
  private final NaiveWindows windows;
  private final LogTime logTime;
  private final NaiveNewest newest = new NaiveNewest();
  private final NaiveSpanSet spans;
  private final NaiveAttestations attestations;
  private final NaiveSensors sensors;
  private final NaiveCuts cuts;

  /** Forgotten ones, and from which log time on nothing at all is known of them. */
  private final Map<String, Long> marks = new LinkedHashMap<>();

  /** Null where nobody asks for it. */
  private NaiveStatus status;

  private long records;

  /** The operators' orders that were carried out, for each gateway. */
  private final Map<String, List<Long>> carriedOut = new HashMap<>();

  private long broken;

  /**
   * Starts with an empty partition, without rollups and hopping windows.
   *
   * @param partition the partition whose sensors belong here
   */
  public NaivePartition(
      WindowSpec spec, NaiveRules rules, int partition, IdleMoment idle, Emissions emissions) {
    this(
        spec.with(RollupPlan.NONE).with(HoppingPlan.NONE),
        rules,
        partition,
        idle,
        emissions,
        size -> emissions,
        null);
  }

  /**
   * Starts with an empty partition.
   *
   * @param partition the partition whose sensors belong here
   * @param ofRollups receives the rollups of a size in milliseconds; records decide about them
   * @param ofHops receives hopping windows; null where there are none
   */
  public NaivePartition(
      WindowSpec first,
      NaiveRules rules,
      int partition,
      IdleMoment idle,
      Emissions emissions,
      LongFunction<Emissions> ofRollups,
      Emissions ofHops) {
    this.now = first;
    Supplier<WindowSpec> spec = () -> now;
    this.byRecords = idle == IdleMoment.BY_RECORDS;
    this.windows = new NaiveWindows(first.sizeMs(), () -> now.statistics(), first.sizeMs());
    this.cuts = new NaiveCuts(spec, rules);
    this.sensors = new NaiveSensors(spec, windows, emissions, byRecords, cuts);
    this.judge = new NaiveWeir(spec, rules, partition, sensors::kept, cuts);
    this.logTime = new LogTime(first.idleTimeoutMs());
    this.spans =
        new NaiveSpanSet(
            spec,
            (id, fromMs, toMs) -> sensors.byId().get(id).mayBeAmended(fromMs, toMs),
            ofRollups,
            ofHops,
            cuts);
    this.attestations = new NaiveAttestations(judge);
  }

  /**
   * From the next record on other settings hold: a start with another grace, lateness, memory of
   * sensors or statistics. Sizes and the idle timeout stay.
   */
  public void change(WindowSpec next) {
    now = next;
  }

  /** Computes status and alarms too; call it before the first record. */
  public void withStatus(NaiveStatus ofSensors) {
    status = ofSensors;
    sensors.withStatus(ofSensors);
  }

  /** From the next record on, gateways may publish these sensors only; null for all. */
  public void permit(NaivePermissions now) {
    judge.permit(now);
  }

  /** Returns after when the future begins. */
  private long begin(long appendMs) {
    logTime.record(appendMs);
    if (status != null) {
      status.begin(appendMs, logTime.nowMs());
    }
    return newest.record(appendMs);
  }

  /** Takes a record that is no batch. */
  public void notABatch(long appendMs) {
    begin(appendMs);
    passTime(appendMs);
  }

  /**
   * Takes the mark of an order to reset a gateway. It asks for nothing new where that order, or one
   * that was given after it, was carried out for that gateway.
   */
  public void reset(String gatewayId, long order, long appendMs) {
    begin(appendMs);
    List<Long> ofGateway = carriedOut.computeIfAbsent(gatewayId, id -> new ArrayList<>());
    if (ofGateway.stream().noneMatch(each -> each >= order)) {
      ofGateway.add(order);
      judge.reset(gatewayId);
    }
    passTime(appendMs);
  }

  /**
   * Records were deleted unread; the next record, of that append time, is the first behind.
   *
   * @param gap names it
   */
  public void cut(String gap, long appendMs) {
    sensors.cut(gap, newest.latest(appendMs));
    judge.cut(cuts.beforeMs());
    if (status != null) {
      status.withhold(cuts::concerns);
    }
  }

  /** Takes the mark of an order to go on without the records of a gap. */
  public void acceptLoss(String gap, Published published, long appendMs) {
    begin(appendMs);
    sensors.acceptLoss(gap, published);
    passTime(appendMs);
  }

  /** Windows with readings that are not emitted, as their record on the topic has as many. */
  public Set<NaiveWindows.Key> left() {
    return cuts.left();
  }

  /** Takes a batch that nobody has sent again; a tick is an empty one. */
  public NaiveWeir.Fate take(ReadingBatch batch, long appendMs) {
    return take(batch, appendMs, false);
  }

  /**
   * Takes a batch; returns what became of its readings.
   *
   * @param redriven whether it is a dead letter that was sent again
   */
  public NaiveWeir.Fate take(ReadingBatch batch, long appendMs, boolean redriven) {
    return take(batch, appendMs, redriven, false);
  }

  /**
   * The same.
   *
   * @param again whether its readings were withheld, and are sent again to be counted
   */
  public NaiveWeir.Fate take(ReadingBatch batch, long appendMs, boolean redriven, boolean again) {
    boolean accepted = again && cuts.isAccepted();
    long latestMs = begin(appendMs);
    Set<String> awake = Set.copyOf(sensors.byId().keySet());
    NaiveWeir.Fate fate = judge.take(batch, latestMs, logTime.nowMs(), redriven, again);
    List<Reading> taken = new ArrayList<>();
    for (NaiveWeir.ReadingFate reading : fate.readings()) {
      if (reading.rejected() == null && !reading.late()) {
        taken.add(reading.reading());
      }
      broken += reading.broken() ? 1 : 0;
    }
    Map<String, Long> attested = new LinkedHashMap<>();
    Map<String, NaiveSensor> inBatch = sensors.take(taken);
    marks.keySet().removeAll(inBatch.keySet());
    if (fate.refused() == null && !fate.repeated()) {
      attested = attestations.throughMs(batch, taken, sensors.byId(), latestMs, redriven);
    }
    judge.endBatch(taken);
    attested.forEach(judge::attested);
    attested.forEach(sensors::complete);
    spans.take(taken, attested, logTime.nowMs());
    inBatch.forEach((id, sensor) -> sensors.endBatch(id, sensor, logTime.nowMs()));
    if (accepted) {
      sensors.endAccepted(inBatch.keySet());
    }
    Map<String, List<Reading>> withheld = again ? Map.of() : withheld(fate, awake);
    withheld.keySet().forEach(id -> sensors.active(id, logTime.nowMs()));
    spans.active(withheld.keySet(), logTime.nowMs());
    if (status != null) {
      inBatch.forEach(
          (id, sensor) -> status.received(id, batch.getGatewayId(), sensor.watermarkMs));
      withheld.forEach(
          (id, readings) -> {
            status.received(id, batch.getGatewayId(), sensors.byId().get(id).watermarkMs);
            status.withheld(id, readings);
          });
    }
    passTime(appendMs);
    return fate;
  }

  /** The withheld readings of sensors that were awake before the batch. */
  private static Map<String, List<Reading>> withheld(NaiveWeir.Fate fate, Set<String> awake) {
    return fate.readings().stream()
        .filter(each -> each.rejected() == RejectReason.WITHHELD)
        .map(NaiveWeir.ReadingFate::reading)
        .filter(reading -> awake.contains(reading.getSensorId()))
        .collect(
            Collectors.groupingBy(Reading::getSensorId, LinkedHashMap::new, Collectors.toList()));
  }

  /** Does what is due by the append time of the record at hand, and by log time. */
  private void passTime(long appendMs) {
    records++;
    if (status != null) {
      status.pass();
    }
    if (byRecords) {
      sensors.emitIdle(appendMs, logTime.nowMs(), records);
      spans.emitIdle(appendMs, logTime.nowMs());
      forget();
      purge();
    }
    if (status != null) {
      status.end();
    }
  }

  private void forget() {
    sensors.forget(
        logTime.nowMs(),
        (id, sensor) -> {
          spans.forget(id, windows.startMs(sensor.watermarkMs) + now.sizeMs());
          judge.forget(id);
          if (status != null) {
            status.forgotten(id);
          }
          marks.put(id, sensor.lastActiveMs + now.sensorTtlMs() + now.markTtlMs());
        });
  }

  private void purge() {
    long nowMs = logTime.nowMs();
    List<String> over =
        marks.entrySet().stream()
            .filter(m -> m.getValue() <= nowMs)
            .map(Map.Entry::getKey)
            .filter(id -> !cuts.keeps(id))
            .toList();
    for (String sensorId : over) {
      marks.remove(sensorId);
      judge.purge(sensorId);
      cuts.purge(sensorId);
      if (status != null) {
        status.purged(sensorId);
      }
      windows.forget(sensorId);
      spans.purge(sensorId);
    }
  }

  /** Attestations that were not acted on so far, by cause. */
  public Map<IgnoredAttestation, Integer> ignored() {
    return attestations.ignored();
  }

  /** Late readings for windows of which a gateway had said that they are complete. */
  public long broken() {
    return broken;
  }

  /** Windows that were closed as complete. */
  public long complete() {
    return sensors.complete();
  }

  /** All that was aggregated so far, by windows. */
  public NaiveWindows windows() {
    return windows;
  }

  /** The rollups of each size so far; empty where there are none. */
  public SortedMap<Long, NaiveWindows> rollups() {
    return spans.rollups();
  }

  /** Each hopping window as it was when it was emitted last; empty where there are none. */
  public SortedMap<NaiveWindows.Key, NaiveWindows.Window> hops() {
    return spans.hops();
  }

  /** At the end of what was read: settles what may have been emitted by a clock. */
  public void end() {
    if (!byRecords) {
      sensors.settleOptional();
    }
  }
}
