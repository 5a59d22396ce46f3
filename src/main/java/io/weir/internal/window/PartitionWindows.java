package io.weir.internal.window;

import io.weir.internal.hot.HotList;
import io.weir.internal.window.aggregate.SampleRoom;
import io.weir.internal.window.durable.WindowChanges;
import io.weir.reading.Attestations;
import io.weir.reading.IdBytes;
import io.weir.reading.IgnoredAttestation;
import io.weir.reading.ReadingColumns;
import io.weir.reading.RejectReason;
import io.weir.reading.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * The sensors of one partition and their windows: applies judged batches, emits windows, and tracks
 * changes since the last write. Costs one look-up per run of readings; a reading in its sensor's
 * current window costs a few additions. Not thread-safe.
 */
public final class PartitionWindows {
  private final WindowSpec spec;
  private final WindowLimits limits;
  private final SensorTable sensors = new SensorTable();

  /**
   * The known sensor of each run of the current batch. Allocated for each batch, like the list
   * below: storing a reference in an old array costs a G1 write barrier.
   */
  private SensorWindows[] ofRun = {};

  private List<SensorWindows> inBatch = List.of();
  private final List<Amendment> amended = new ArrayList<>();
  private final SensorWindows.Amendments amendments =
      new SensorWindows.Amendments() {
        @Override
        public void amended(SensorWindows sensor, Window window) {
          amended.add(new Amendment(sensor, window));
        }

        @Override
        public void opened(SensorWindows sensor, Window window) {
          owners.opened(sensor, window);
        }
      };
  private final WindowChanges<SensorWindows> changes = new WindowChanges<>();
  private final HotList<Sensor> heaviest = new HotList<>();
  private final SensorOwners owners;
  private final IdleSensors idleSensors;
  private final Completion completion;
  private long batchLatestMs;
  private int refused;
  private int broken;
  private final WithheldWindows withheld;

  /** Whether all records of the partition since its creation were processed. */
  private boolean sinceStart = true;

  /** The hopping windows differ from the restored ones, and this is not written yet. */
  private boolean otherHops;

  private record Amendment(SensorWindows sensor, Window window) {}

  /**
   * @param limits do not apply to restored sensors
   */
  public PartitionWindows(WindowSpec spec, WindowLimits limits) {
    this.spec = spec;
    this.limits = limits;
    this.withheld = new WithheldWindows(spec);
    SampleRoom samples = new SampleRoom(spec.statistics().mostOfPartition());
    this.owners = new SensorOwners(limits.maxSensorsPerGateway(), samples);
    this.idleSensors = new IdleSensors(spec, sensors, owners, changes);
    this.completion = new Completion(spec, sensors, changes);
  }

  /**
   * Looks up the sensors of a batch before it is judged: a known sensor was accepted before, so its
   * partition need not be checked again.
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
   * Whether a recognised and judged batch opens more windows than allowed. No side effects; counts
   * only if the batch has more readings than the limit.
   *
   * @param again as in {@link #apply(ReadingColumns, long, boolean, WindowSink)}
   */
  public boolean opensTooMany(ReadingColumns batch, boolean again) {
    if (batch.readings() <= limits.maxBatchWindows()) {
      return false;
    }
    OpenedWindows opened = new OpenedWindows(spec, batch, withheld, withheld.isAccepted(again));
    for (int run = 0; run < batch.runs(); run++) {
      opened.add(run, batch.isKnown(run) ? ofRun[run] : null);
    }
    return opened.count() > limits.maxBatchWindows();
  }

  /**
   * Aggregates accepted readings; late ones get {@link Verdict#LATE}. Readings of new sensors
   * beyond the limits are refused, see {@link #refused()}. Applies the batch's attestations after
   * its readings. Emits a window at most once per close reason.
   *
   * @param logMs log time of the batch
   * @return the number of late readings
   */
  public int apply(ReadingColumns batch, long logMs, WindowSink sink) {
    return apply(batch, logMs, false, sink);
  }

  /**
   * The same. Readings of windows that are withheld get the verdict {@link Verdict#WITHHELD}, see
   * {@link #withheldReadings()}, unless they are redriven after the loss was {@linkplain #release
   * accepted}.
   *
   * @param again whether the readings were withheld and are redriven
   */
  public int apply(ReadingColumns batch, long logMs, boolean again, WindowSink sink) {
    int late = 0;
    refused = 0;
    boolean lossAccepted = withheld.isAccepted(again);
    withheld.beginBatch(again);
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
    withheld.seen().forEach((sensor, windows) -> seen(sensor, windows, logMs, sink));
    return late;
  }

  /** A sensor whose readings are withheld sends: it is active, and its watermark stays. */
  private void seen(SensorWindows sensor, Map<Long, Window> windows, long logMs, WindowSink sink) {
    sensor.lastActiveMs = Math.max(sensor.lastActiveMs, logMs);
    changes.touched(sensor);
    idleSensors.received(sensor, false);
    sink.received(sensor);
    windows.values().forEach(window -> sink.withheld(sensor, window));
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
      changes.readingsAdded(sensor, values, from, next, sensor.current.startMs(), spec.sizeMs());
      i = next - 1;
    }
    if (sensor != null) {
      heaviest.add(sensor, held);
    }
    return late;
  }

  /** The sensor of a run, created if the limits allow; else null. */
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

  /** The heaviest sensors by aggregated and late readings; the caller passes the time. */
  public HotList<Sensor> heaviest() {
    return heaviest;
  }

  /** Readings of the last batch that were refused because of the limits of sensors. */
  public int refused() {
    return refused;
  }

  /** Late readings of the last batch that contradict an attestation. */
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
   * Records that may have had readings before a time were deleted before they were read. Windows
   * that start before it are withheld: they are emitted only with readings that are redriven after
   * the loss was accepted. Longer spans that start before it are incomplete. Visits all sensors.
   */
  public void withholdBefore(long timeMs) {
    withheld.extendTo(timeMs);
    sinceStart = false;
    sensors.forEach(
        sensor -> {
          withheld.withhold(sensor);
          changes.touched(sensor);
        });
    idleSensors.resume();
  }

  /**
   * The operators have accepted the loss: emits the withheld windows with readings that were not
   * emitted. They stay withheld, as they may lack others. Visits all sensors.
   *
   * @param isLeft whether a window is not emitted, by sensor id and start
   * @return number of windows with readings that were not emitted, and are not now
   */
  public long release(BiPredicate<String, Long> isLeft, WindowSink sink) {
    withheld.accept();
    sensors.forEach(
        sensor -> {
          if (withheld.release(sensor, isLeft, sink)) {
            changes.touched(sensor);
            idleSensors.released(sensor);
          }
        });
    return withheld.left();
  }

  /** Windows that start before this are withheld; Long.MIN_VALUE for none. */
  public long withheldBeforeMs() {
    return withheld.beforeMs();
  }

  /**
   * Restores that time; call it before {@link #resume}.
   *
   * @param accepted whether the loss was accepted
   */
  public void resumeWithheld(long beforeMs, boolean accepted) {
    withheld.resume(beforeMs, accepted);
  }

  /** Withheld readings of the last batch. */
  public int withheldReadings() {
    return withheld.readings();
  }

  /** Windows withheld since the last call. */
  public long takeWithheldWindows() {
    return withheld.takeCount();
  }

  private void endBatch(SensorWindows sensor, long logMs, WindowSink sink) {
    boolean awake = sensor.isAwake();
    sensor.endBatch(spec, logMs, sink, changes);
    batchLatestMs = Math.max(batchLatestMs, sensor.watermarkMs());
    changes.touched(sensor);
    idleSensors.received(sensor, !awake);
    sink.received(sensor);
  }

  /**
   * Emits windows of idle sensors and expires sensors, as of the current record, one slice per
   * call.
   *
   * @param slice maximum number of emitted windows and expired sensors
   * @return whether more is due
   */
  public boolean upkeep(PartitionTime time, int slice, WindowSink sink) {
    return idleSensors.upkeep(time, slice, sink);
  }

  /** Whether a window waits for emission or a sensor for its expiry. */
  public boolean awaitsTime() {
    return idleSensors.watches();
  }

  /** Finds or creates the sensor of an id during a restore. */
  public SensorWindows restored(byte[] bytes, int offset, int length, int hash) {
    return sensors.findOrAdd(bytes, offset, length, hash);
  }

  /** The sensor of an id, or null. */
  public SensorWindows find(byte[] bytes, int offset, int length, int hash) {
    return sensors.find(bytes, offset, length, hash);
  }

  /** Visits all sensors, including marks of expired ones, in no particular order. */
  public void forEach(Consumer<SensorWindows> action) {
    sensors.forEach(action);
  }

  /** Removes a restored sensor. */
  public void dropRestored(byte[] bytes, int offset, int length, int hash) {
    SensorWindows sensor = sensors.find(bytes, offset, length, hash);
    if (sensor != null) {
      sensors.remove(sensor);
    }
  }

  /** Removes a restored window. */
  public void dropRestored(byte[] bytes, int offset, int length, int hash, long startMs) {
    SensorWindows sensor = sensors.find(bytes, offset, length, hash);
    if (sensor != null) {
      sensor.drop(startMs);
    }
  }

  /** Restores a rollup of an enabled size. */
  public void restored(byte[] bytes, int offset, int length, int hash, Rollup rollup) {
    restored(bytes, offset, length, hash).resume(spec, rollup);
  }

  /** Removes a restored rollup of an enabled size. */
  public void dropRestored(
      byte[] bytes, int offset, int length, int hash, long sizeMs, long startMs) {
    SensorWindows sensor = sensors.find(bytes, offset, length, hash);
    if (sensor != null) {
      sensor.dropRollup(spec, sizeMs, startMs);
    }
  }

  /** Restores an evicted window of a sensor with hopping windows. */
  public void restored(byte[] bytes, int offset, int length, int hash, EvictedWindow window) {
    restored(bytes, offset, length, hash).resume(spec, window);
  }

  /** Removes a restored evicted window. */
  public void dropEvicted(byte[] bytes, int offset, int length, int hash, long startMs) {
    SensorWindows sensor = sensors.find(bytes, offset, length, hash);
    if (sensor != null) {
      sensor.dropEvicted(startMs);
    }
  }

  /**
   * Sets whether all records of the partition since its creation were processed. If so, all
   * readings of a new sensor are known; else those after the end of the largest rollup with its
   * first reading.
   */
  public void sinceStart(boolean seen) {
    sinceStart = seen;
  }

  /** Begins with rollups other than the restored ones. Visits all sensors. */
  public void beginRollups() {
    sensors.forEach(
        sensor -> {
          sensor.beginRollups(spec, sinceStart, changes);
          withheld.spansAreNotKnown(sensor);
          changes.touched(sensor);
        });
    idleSensors.resume();
  }

  /**
   * Drops restored windows that were evicted, and sensors that were purged, as a replica of the
   * changelog may have them again. Visits all sensors; call it before {@link #resume}.
   *
   * @param replaced restored sensors that others have the numbers of
   */
  public void dropDeleted(List<SensorWindows> replaced) {
    for (SensorWindows sensor : replaced) {
      sensor.writtenWhole(0, 0);
      changes.purged(sensor);
    }
    List<SensorWindows> purged = new ArrayList<>();
    sensors.forEach(
        sensor -> {
          // Each sensor of the state has an entry, which gives it a number.
          if (sensor.number() == 0) {
            purged.add(sensor);
            return;
          }
          if (withheld.isOn()) {
            withheld.resume(sensor, changes);
          }
          sensor.dropEvicted(spec, changes);
        });
    for (SensorWindows sensor : purged) {
      sensors.remove(sensor);
      sensor.purge(changes);
    }
  }

  /** Watches all sensors after the restore. */
  public void resume() {
    heaviest.clear();
    owners.resume(sensors);
    sensors.forEach(sensor -> otherHops |= sensor.resumeSpans(spec, sinceStart, changes));
    sensors.forEach(withheld::spansAreNotKnown);
    idleSensors.resume();
  }

  /**
   * Call before a record is applied: if the hopping windows differ from the restored ones, marks
   * all sensors as changed.
   */
  public void writeOtherHops() {
    if (otherHops) {
      otherHops = false;
      sensors.forEach(changes::touched);
    }
  }

  /** Clears everything, including unwritten changes and an incomplete batch. */
  public void clear() {
    ofRun = new SensorWindows[0];
    inBatch = List.of();
    amended.clear();
    withheld.clear();
    heaviest.clear();
    sensors.clear();
    owners.clear();
    changes.clear();
    idleSensors.clear();
    otherHops = false;
  }

  /** The gateways that created the sensors, and their changes since the last write. */
  public SensorOwners owners() {
    return owners;
  }

  /** The changes since the last clear. */
  public WindowChanges<SensorWindows> changes() {
    return changes;
  }

  /**
   * The newest event time of the sensors in the last batch. Undefined if none of its readings was
   * aggregated.
   */
  public long batchLatestMs() {
    return batchLatestMs;
  }

  /** Windows in the state, open ones and those kept for late readings. Visits all sensors. */
  public long countWindows() {
    return sensors.countWindows();
  }

  /** Sensors in the state, including marks of expired ones. */
  public int sensors() {
    return sensors.size();
  }

  /** Closes windows that a gateway attests to be complete. Not thread-safe. */
  static final class Completion {
    private final WindowSpec spec;
    private final SensorTable sensors;
    private final WindowChanges<SensorWindows> changes;

    Completion(WindowSpec spec, SensorTable sensors, WindowChanges<SensorWindows> changes) {
      this.spec = spec;
      this.sensors = sensors;
      this.changes = changes;
    }

    /**
     * Applies a batch's accepted attestations, after its readings were added and before they
     * advance the sensors' time. Costs a look-up per entry.
     *
     * @param inBatch the sensors with readings in the batch
     */
    void apply(ReadingColumns batch, List<SensorWindows> inBatch, WindowSink sink) {
      Attestations attestations = batch.attestations();
      for (int i = 0; i < attestations.size(); i++) {
        SensorWindows sensor = find(batch.bytes(), attestations, i);
        // A new sensor, or an expired one that returned, has no watermark until the batch ends.
        if (sensor == null || !(sensor.isAwake() || sensor.inBatch())) {
          attestations.countIgnored(IgnoredAttestation.UNKNOWN_SENSOR);
        } else {
          complete(sensor, attestations.throughMs(i), sink);
        }
      }
      if (attestations.ordered()) {
        for (SensorWindows sensor : inBatch) {
          complete(sensor, sensor.batchLatestMs(), sink);
        }
      }
    }

    private SensorWindows find(byte[] bytes, Attestations attestations, int index) {
      int offset = attestations.idOffset(index);
      int length = attestations.idLength(index);
      return sensors.find(bytes, offset, length, IdBytes.hash(bytes, offset, length));
    }

    private void complete(SensorWindows sensor, long throughMs, WindowSink sink) {
      if (sensor.complete(spec, throughMs, sink)) {
        changes.touched(sensor);
      }
    }
  }
}
