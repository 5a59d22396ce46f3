package io.weir.window;

import io.weir.hot.HotList;
import io.weir.reading.ReadingColumns;
import io.weir.reading.RejectReason;
import io.weir.reading.Verdict;
import io.weir.window.durable.WindowChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The sensors of one partition and their windows: takes judged batches, emits windows, and knows
 * what of it changed since it was last written. One look-up a run of readings; a reading in its
 * sensor's current window costs a few additions. Not safe for several threads.
 */
public final class PartitionWindows {
  private final WindowSpec spec;
  private final WindowLimits limits;
  private final SensorTable sensors = new SensorTable();

  /**
   * The sensor of each run that the batch under way knows. New for each batch, as the list below: a
   * reference that is put into an old array costs the G1 collector a fence and a card.
   */
  private SensorWindows[] ofRun = {};

  private List<SensorWindows> inBatch = List.of();
  private final List<Amendment> amended = new ArrayList<>();
  private final SensorWindows.Amendments amendments =
      (sensor, window) -> amended.add(new Amendment(sensor, window));
  private final WindowChanges<SensorWindows> changes = new WindowChanges<>();
  private final HotList<Sensor> heaviest = new HotList<>();
  private final SensorOwners owners;
  private final Silence silence;
  private final Completion completion;
  private long batchLatestMs;
  private int refused;
  private int broken;
  private final WithheldWindows withheld;

  /** Whether all that there ever was on the partition was seen. */
  private boolean sinceStart = true;

  /** Hopping windows are others than those that were kept, and that is not written yet. */
  private boolean otherHops;

  private record Amendment(SensorWindows sensor, Window window) {}

  /**
   * @param limits sensors that were kept before are, however many
   */
  public PartitionWindows(WindowSpec spec, WindowLimits limits) {
    this.spec = spec;
    this.limits = limits;
    this.withheld = new WithheldWindows(spec);
    this.owners = new SensorOwners(limits.maxSensorsPerGateway());
    this.silence = new Silence(spec, sensors, owners, changes);
    this.completion = new Completion(spec, sensors, changes);
  }

  /**
   * Looks up the sensors of a batch before it is judged, which is quicker for both: one that is
   * found was accepted before, and its place need not be judged again.
   */
  public void recognise(ReadingColumns batch) {
    ofRun = new SensorWindows[batch.runs()];
    byte[] bytes = batch.bytes();
    SensorWindows before = null;
    for (int run = 0; run < batch.runs(); run++) {
      SensorWindows sensor =
          sensors.findAfter(before, bytes, batch.idOffset(run), batch.idLength(run));
      if (sensor != null) {
        ofRun[run] = sensor;
        batch.known(run);
        before = sensor;
      }
    }
  }

  /**
   * Whether a batch that was recognised and judged opens more windows than one may. Changes
   * nothing, and counts only where there are readings enough.
   *
   * @param lossAccepted as in {@link #apply(ReadingColumns, long, boolean, WindowSink)}
   */
  public boolean opensTooMany(ReadingColumns batch, boolean lossAccepted) {
    if (batch.readings() <= limits.maxBatchWindows()) {
      return false;
    }
    OpenedWindows opened = new OpenedWindows(spec, batch, withheld, lossAccepted);
    for (int run = 0; run < batch.runs(); run++) {
      opened.add(run, batch.isKnown(run) ? ofRun[run] : null);
    }
    return opened.count() > limits.maxBatchWindows();
  }

  /**
   * Aggregates what is accepted, and finds what is late: such readings get {@link Verdict#LATE}.
   * Readings of new sensors for which there is no room are refused, see {@link #refused()}. Acts on
   * what the batch attests, after its readings. Emits a window at most once for each close reason.
   *
   * @param logMs log time of the batch
   * @return how many are late
   */
  public int apply(ReadingColumns batch, long logMs, WindowSink sink) {
    return apply(batch, logMs, false, sink);
  }

  /**
   * The same. Readings of windows that are withheld get the verdict {@link Verdict#WITHHELD}, see
   * {@link #withheldReadings()}, unless their loss was accepted.
   *
   * @param lossAccepted whether the readings were withheld, and are sent again since the operators
   *     have accepted that others are lost
   */
  public int apply(ReadingColumns batch, long logMs, boolean lossAccepted, WindowSink sink) {
    int late = 0;
    refused = 0;
    withheld.beginBatch();
    broken = 0;
    inBatch = new ArrayList<>(Math.min(batch.runs(), sensors.size() + 1));
    for (int run = 0; run < batch.runs(); run++) {
      late += applyRun(batch, run, lossAccepted);
    }
    for (Amendment amendment : amended) {
      amendment.sensor().emit(amendment.window(), CloseReason.AMENDED, sink);
    }
    if (spec.hasWideSpans()) {
      amended.forEach(amendment -> amendment.sensor().markAmended(amendment.window()));
      amended.forEach(amendment -> amendment.sensor().emitAmendedSpans(spec, sink));
    }
    amended.clear();
    if (!sinceStart && spec.hasWideSpans()) {
      inBatch.forEach(this::beginKnowing);
    }
    if (!batch.attestations().isEmpty()) {
      completion.apply(batch, inBatch, sink);
    }
    batchLatestMs = Long.MIN_VALUE;
    for (SensorWindows sensor : inBatch) {
      endBatch(sensor, logMs, sink);
      if (lossAccepted) {
        withheld.evict(sensor, sink, changes);
      }
    }
    inBatch = List.of();
    return late;
  }

  private int applyRun(ReadingColumns batch, int run, boolean lossAccepted) {
    long withheldBeforeMs = withheld.beforeMs();
    long[] timestampsMs = batch.timestampsMs();
    double[] values = batch.values();
    SensorWindows sensor = batch.isKnown(run) ? ofRun[run] : null;
    int late = 0;
    int held = batch.runEnd(run) - batch.runStart(run);
    for (int i = batch.runStart(run); i < batch.runEnd(run); i++) {
      if (batch.verdict(i) != Verdict.ACCEPTED) {
        held--;
        continue;
      }
      boolean isWithheld = timestampsMs[i] < withheldBeforeMs;
      if (isWithheld && !lossAccepted) {
        late += withheld.isLate(batch, run, i, sensor) ? 1 : 0;
        continue;
      }
      if (sensor == null) {
        sensor = findOrAdd(batch, run);
      }
      if (sensor == null) {
        batch.verdict(i, Verdict.rejected(RejectReason.TOO_MANY_SENSORS));
        refused++;
        continue;
      }
      boolean first = !sensor.inBatch();
      boolean taken =
          isWithheld
              ? withheld.take(sensor, timestampsMs[i], values[i], batch.quality(i), amendments)
              : sensor.take(spec, timestampsMs[i], values[i], batch.quality(i), amendments);
      if (!taken) {
        batch.verdict(i, Verdict.LATE);
        late++;
        broken += !isWithheld && sensor.breaksAttestation(spec, timestampsMs[i]) ? 1 : 0;
        continue;
      }
      if (first) {
        inBatch.add(sensor);
      }
      if (isWithheld) {
        continue;
      }
      int next = sensor.takeCurrent(spec, batch, i + 1, batch.runEnd(run), amendments);
      int from = batch.isAcceptedAndGood(i) ? i : i + 1;
      changes.took(sensor, values, from, next, sensor.current.startMs(), spec.sizeMs());
      i = next - 1;
    }
    if (sensor != null) {
      heaviest.add(sensor, held);
    }
    return late;
  }

  /** The sensor of a run, made where there is none and there is room; else null. */
  private SensorWindows findOrAdd(ReadingColumns batch, int run) {
    byte[] bytes = batch.bytes();
    int offset = batch.idOffset(run);
    int length = batch.idLength(run);
    int hash = batch.idHash(run);
    SensorWindows sensor = sensors.find(bytes, offset, length, hash);
    if (sensor != null || sensors.size() >= limits.maxSensors()) {
      return sensor;
    }
    String gatewayId = batch.bootId() == 0 ? SensorOwners.UNSEQUENCED : batch.gatewayId();
    if (!owners.hasRoom(gatewayId)) {
      return null;
    }
    sensor = sensors.findOrAdd(bytes, offset, length, hash);
    owners.made(gatewayId, sensor);
    return sensor;
  }

  /** Counts the readings of each sensor, aggregated or late; its reader passes the time. */
  public HotList<Sensor> heaviest() {
    return heaviest;
  }

  /** How many readings of the last batch were refused, as there was no room for their sensors. */
  public int refused() {
    return refused;
  }

  /** How many readings of the last batch were late that were not to come, as had been attested. */
  public int broken() {
    return broken;
  }

  private void beginKnowing(SensorWindows sensor) {
    if (sensor.spans() == null) {
      return;
    }
    if (withheld.isOn()) {
      withheld.spansAreNotKnown(sensor);
    } else if (sensor.isNew()) {
      sensor.spans().beginAt(spec, sensor.batchLatestMs());
    }
  }

  /**
   * Records were deleted before they were read, and may have had readings of before a time. Windows
   * that start before are withheld: not emitted, but with readings that are sent again after their
   * loss was accepted; and no longer span that starts before is known wholly. Walks all sensors.
   */
  public void withholdBefore(long timeMs) {
    withheld.extendTo(timeMs);
    sinceStart = false;
    sensors.forEach(
        sensor -> {
          withheld.withhold(sensor);
          changes.touched(sensor);
        });
    silence.resume();
  }

  /** Windows that start before this are withheld; Long.MIN_VALUE for none. */
  public long withheldBeforeMs() {
    return withheld.beforeMs();
  }

  /** Puts back before when windows are withheld; call it before {@link #resume}. */
  public void resumeWithheld(long beforeMs) {
    withheld.resume(beforeMs);
  }

  /** How many readings of the last batch were withheld. */
  public int withheldReadings() {
    return withheld.readings();
  }

  /** How many windows were withheld since the last call. */
  public long takeWithheldWindows() {
    return withheld.takeCount();
  }

  private void endBatch(SensorWindows sensor, long logMs, WindowSink sink) {
    boolean awake = sensor.isAwake();
    sensor.endBatch(spec, logMs, sink, changes);
    batchLatestMs = Math.max(batchLatestMs, sensor.watermarkMs());
    changes.touched(sensor);
    silence.received(sensor, !awake);
    sink.received(sensor);
  }

  /**
   * Emits windows of silent sensors and forgets those that were silent for long, as of the record
   * at hand, a slice at a time.
   *
   * @param slice how many windows are emitted and sensors forgotten, at the most
   * @return whether more is due than the slice held
   */
  public boolean upkeep(PartitionTime time, int slice, WindowSink sink) {
    return silence.upkeep(time, slice, sink);
  }

  /** Whether something waits for time to pass: a window to be emitted, a sensor to be forgotten. */
  public boolean awaitsTime() {
    return silence.watches();
  }

  /** The sensor of an id, made where there was none: for putting back what was kept. */
  public SensorWindows restored(byte[] bytes, int offset, int length, int hash) {
    return sensors.findOrAdd(bytes, offset, length, hash);
  }

  /** The sensor of an id, or null. */
  public SensorWindows find(byte[] bytes, int offset, int length, int hash) {
    return sensors.find(bytes, offset, length, hash);
  }

  /** Walks all sensors, marks of forgotten ones included, in no particular order. */
  public void forEach(Consumer<SensorWindows> action) {
    sensors.forEach(action);
  }

  /** Takes out a sensor that was not kept after all. */
  public void dropRestored(byte[] bytes, int offset, int length, int hash) {
    SensorWindows sensor = sensors.find(bytes, offset, length, hash);
    if (sensor != null) {
      sensors.remove(sensor);
    }
  }

  /** Takes out a window that was not kept after all. */
  public void dropRestored(byte[] bytes, int offset, int length, int hash, long startMs) {
    SensorWindows sensor = sensors.find(bytes, offset, length, hash);
    if (sensor != null) {
      sensor.drop(startMs);
    }
  }

  /** Puts back a rollup that was kept, of a size that is switched on. */
  public void restored(byte[] bytes, int offset, int length, int hash, Rollup rollup) {
    restored(bytes, offset, length, hash).resume(spec, rollup);
  }

  /** Takes out a rollup that was not kept after all, of a size that is switched on. */
  public void dropRestored(
      byte[] bytes, int offset, int length, int hash, long sizeMs, long startMs) {
    SensorWindows sensor = sensors.find(bytes, offset, length, hash);
    if (sensor != null) {
      sensor.dropRollup(spec, sizeMs, startMs);
    }
  }

  /** Puts back an evicted window that was kept, of a sensor that has hopping windows. */
  public void restored(byte[] bytes, int offset, int length, int hash, EvictedWindow window) {
    restored(bytes, offset, length, hash).resume(spec, window);
  }

  /** Takes out an evicted window that was not kept after all. */
  public void dropEvicted(byte[] bytes, int offset, int length, int hash, long startMs) {
    SensorWindows sensor = sensors.find(bytes, offset, length, hash);
    if (sensor != null) {
      sensor.dropEvicted(startMs);
    }
  }

  /**
   * Says whether all that there ever was on the partition was seen: of a new sensor all readings
   * are known then, else those from the end of the largest rollup on that holds its first ones.
   */
  public void sinceStart(boolean seen) {
    sinceStart = seen;
  }

  /** Begins with other rollups than those that were kept. Walks all sensors. */
  public void beginRollups() {
    sensors.forEach(
        sensor -> {
          sensor.beginRollups(spec, sinceStart, changes);
          withheld.spansAreNotKnown(sensor);
          changes.touched(sensor);
        });
    silence.resume();
  }

  /** Watches all sensors again, after all that was kept has been put back. */
  public void resume() {
    heaviest.clear();
    owners.resume(sensors);
    if (withheld.isOn()) {
      sensors.forEach(withheld::resume);
    }
    sensors.forEach(sensor -> otherHops |= sensor.resumeSpans(spec, sinceStart));
    sensors.forEach(withheld::spansAreNotKnown);
    silence.resume();
  }

  /**
   * A record is about to be applied: where hopping windows are others than those that were kept,
   * everything is written with it. Walks all sensors then.
   */
  public void writeOtherHops() {
    if (otherHops) {
      otherHops = false;
      sensors.forEach(changes::touched);
    }
  }

  /** Forgets everything at once, written or not, a batch that broke off included. */
  public void clear() {
    ofRun = new SensorWindows[0];
    inBatch = List.of();
    amended.clear();
    withheld.clear();
    heaviest.clear();
    sensors.clear();
    owners.clear();
    changes.clear();
    silence.clear();
    otherHops = false;
  }

  /** The gateways that made the sensors, and which of them changed since they were written. */
  public SensorOwners owners() {
    return owners;
  }

  /** What changed since it was last cleared. */
  public WindowChanges<SensorWindows> changes() {
    return changes;
  }

  /**
   * The newest event time of the sensors that the last batch gave readings to. Meaningless where
   * nothing of it was aggregated.
   */
  public long batchLatestMs() {
    return batchLatestMs;
  }

  /** Windows in the state, open ones and those kept for late readings. Walks all sensors. */
  public long countWindows() {
    return sensors.countWindows();
  }

  /** Sensors in the state, marks of forgotten ones included. */
  public int sensors() {
    return sensors.size();
  }
}
