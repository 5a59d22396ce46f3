package io.weir.internal.store;

import io.weir.internal.window.EvictedWindow;
import io.weir.internal.window.PartitionWindows;
import io.weir.internal.window.Rollup;
import io.weir.internal.window.SensorHops;
import io.weir.internal.window.SensorSpans;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.Window;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.durable.WindowChanges;
import io.weir.reading.ByteKey;
import io.weir.reading.IdBytes;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Sensors, windows and longer spans as entries of the changelog. A sensor's newest {@value
 * #ATTACHED_WINDOWS} windows are in its own entry, so that a commit writes one entry for most
 * sensors; each older one has an entry of its own, so that no entry grows with the windows kept.
 * Samples of a window are in further entries, {@link SampleEntries}; each rollup in its own, and
 * each evicted window that hopping windows to come hold.
 *
 * <p>That number is part of the format: a smaller or larger one leaves entries behind. Called by
 * the task's thread only.
 */
final class WindowEntries implements RingMembers.Source<SensorWindows> {
  static final int ATTACHED_WINDOWS = 4;

  private final WindowSpec spec;
  private final PartitionWindows windows;
  private final SampleEntries samples;
  private final WindowCodec windowCodec;
  private final SensorCodec sensorCodec;
  private final RollupCodec rollupCodec = new RollupCodec();
  private final RingMembers<SensorWindows> members;
  private final ChangeRing ring;

  /** Keys of rollups and evicted windows that were kept for what is no longer switched on. */
  private final Set<ByteKey> foreign = new HashSet<>();

  /**
   * @param slots of the records of changes
   * @param gateways that the records of changes have beside sensors
   */
  WindowEntries(
      WindowSpec spec, int slots, PartitionWindows windows, RingMembers<GatewayMember> gateways) {
    this.spec = spec;
    this.windows = windows;
    this.samples = new SampleEntries(spec.statistics().mostSamples());
    this.windowCodec = new WindowCodec(spec, samples);
    this.sensorCodec = new SensorCodec(windowCodec);
    this.members = new RingMembers<>(this, slots);
    this.ring = new ChangeRing(spec, slots, windowCodec, members, gateways);
  }

  /** The records of changes, of sensors and gateways. */
  ChangeRing ring() {
    return ring;
  }

  /** Deletes what was kept for rollups and hopping windows that are no longer switched on. */
  void deleteForeign(ChangeLog log) {
    foreign.forEach(key -> log.put(key.bytes(), null));
    foreign.clear();
  }

  /** Whether anything of sensors changed since the last {@link #flush}. */
  boolean isChanged() {
    WindowChanges<SensorWindows> changes = windows.changes();
    return !changes.purged().isEmpty() || !changes.touched().isEmpty();
  }

  /**
   * Deletes entries of windows, rollups and samples that are gone, since one may be back. In front
   * of a record of changes, with which such are written again.
   */
  void flushDeletions(ChangeLog log) {
    WindowChanges<SensorWindows> changes = windows.changes();
    for (WindowChanges.Dropped window : changes.dropped()) {
      log.put(StateKey.window(window.sensorId(), window.startMs()), null);
    }
    for (WindowChanges.DroppedSamples window : changes.droppedSamples()) {
      samples.delete(window.sensorId(), window.startMs(), window.samples(), log);
    }
    for (WindowChanges.DroppedRollup rollup : changes.droppedRollups()) {
      log.put(StateKey.rollup(rollup.sensorId(), rollup.sizeMs(), rollup.startMs()), null);
    }
    for (WindowChanges.Dropped window : changes.droppedEvicted()) {
      log.put(StateKey.evicted(window.sensorId(), window.startMs()), null);
    }
  }

  /**
   * Writes what changed since the last call, after {@link #flushDeletions}. Where sensors
   * {@linkplain #isChanged changed}, a record of changes is under way.
   */
  void flush(ChangeLog log) throws IOException {
    WindowChanges<SensorWindows> changes = windows.changes();
    for (SensorWindows sensor : changes.purged()) {
      ring.makeRoom(log);
      log.put(StateKey.sensor(sensor.id()), null);
      ring.delete(sensor);
    }
    for (SensorWindows sensor : changes.touched()) {
      ring.makeRoom(log);
      // One that needed a record whose place is taken was written already.
      if (sensor != null && sensor.isChanged()) {
        flush(sensor, ring.takes(sensor), log);
      }
    }
    changes.clear();
  }

  @Override
  public void writeWhole(SensorWindows sensor, ChangeLog log) throws IOException {
    flush(sensor, false, log);
  }

  @Override
  public void forEach(Consumer<SensorWindows> action) {
    windows.forEach(action);
  }

  /**
   * @param changesOnly whether what changed is written, not all
   */
  private void flush(SensorWindows sensor, boolean changesOnly, ChangeLog log) throws IOException {
    int attachedFrom = Math.max(0, sensor.windows() - ATTACHED_WINDOWS);
    for (int i = sensor.indexFrom(sensor.unwrittenFromMs()); i < attachedFrom; i++) {
      Window window = sensor.window(i);
      if (window.dirty() || !window.detached()) {
        log.put(StateKey.window(sensor.id(), window.startMs()), windowCodec.encode(sensor, window));
        samples.flush(sensor.id(), window, log);
        window.written(true);
      }
    }
    for (int i = attachedFrom; i < sensor.windows(); i++) {
      // One that is withheld outlives younger ones, and is among the newest again.
      if (sensor.window(i).detached()) {
        log.put(StateKey.window(sensor.id(), sensor.window(i).startMs()), null);
      }
    }
    if (changesOnly) {
      ring.add(sensor, attachedFrom, windows.changes());
    } else {
      int number = members.numberOf(sensor);
      byte[] value = sensorCodec.encode(sensor, attachedFrom, number, ring.record());
      log.put(StateKey.sensor(sensor.id()), value);
      sensor.writtenWhole(number, ring.record());
    }
    for (int i = attachedFrom; i < sensor.windows(); i++) {
      Window window = sensor.window(i);
      samples.flush(sensor.id(), window, log);
      window.written(false);
    }
    sensor.written(
        attachedFrom < sensor.windows() ? sensor.window(attachedFrom).startMs() : Long.MAX_VALUE);
    if (sensor.spans() != null) {
      flush(sensor.id(), sensor.spans(), log);
    }
  }

  private void flush(byte[] sensorId, SensorSpans spans, ChangeLog log) throws IOException {
    for (Rollup rollup : spans.unwrittenRollups().list()) {
      byte[] key = StateKey.rollup(sensorId, rollup.sizeMs(), rollup.startMs());
      log.put(key, rollupCodec.encode(rollup));
    }
    spans.unwrittenRollups().written();
    SensorHops hops = spans.hops();
    if (hops != null) {
      for (EvictedWindow window : hops.unwritten().list()) {
        log.put(StateKey.evicted(sensorId, window.startMs()), windowCodec.encode(window));
      }
      hops.unwritten().written();
    }
  }

  void restoreSensor(byte[] key, byte[] value) throws IOException {
    int length = key.length - 1;
    int hash = IdBytes.hash(key, 1, length);
    if (value == null) {
      windows.dropRestored(key, 1, length, hash);
    } else {
      SensorWindows sensor = windows.restored(key, 1, length, hash);
      sensorCodec.decode(value, sensor);
      members.restored(sensor);
      ring.restored(sensor.lastRecord());
    }
  }

  void restoreChanges(byte[] key, byte[] value) throws IOException {
    // Only other formats delete any; their other entries are refused.
    if (value != null) {
      ring.restore(StateKey.slot(key), value);
    }
  }

  void restoreWindow(byte[] key, byte[] value) throws IOException {
    int offset = StateKey.WINDOW_ID_OFFSET;
    int length = key.length - offset;
    int hash = IdBytes.hash(key, offset, length);
    long startMs = StateKey.windowStartMs(key);
    if (value == null) {
      windows.dropRestored(key, offset, length, hash, startMs);
    } else {
      SensorWindows sensor = windows.restored(key, offset, length, hash);
      windowCodec.decode(value, sensor, startMs);
    }
  }

  void restoreSamples(byte[] key, byte[] value) throws IOException {
    samples.restore(key, value);
  }

  void restoreRollup(byte[] key, byte[] value) throws IOException {
    int offset = StateKey.ROLLUP_ID_OFFSET;
    int length = key.length - offset;
    int hash = IdBytes.hash(key, offset, length);
    long sizeMs = StateKey.rollupSizeMs(key);
    long startMs = StateKey.rollupStartMs(key);
    if (spec.rollups().levelOf(sizeMs) < 0) {
      restoreForeign(key, value);
    } else if (value == null) {
      windows.dropRestored(key, offset, length, hash, sizeMs, startMs);
    } else {
      windows.restored(key, offset, length, hash, RollupCodec.decode(value, sizeMs, startMs));
    }
  }

  void restoreEvicted(byte[] key, byte[] value) throws IOException {
    int offset = StateKey.WINDOW_ID_OFFSET;
    int length = key.length - offset;
    int hash = IdBytes.hash(key, offset, length);
    long startMs = StateKey.windowStartMs(key);
    if (spec.hopping().lengthMs(Arrays.copyOfRange(key, offset, key.length)) == 0) {
      restoreForeign(key, value);
    } else if (value == null) {
      windows.dropEvicted(key, offset, length, hash, startMs);
    } else {
      windows.restored(key, offset, length, hash, WindowCodec.decodeEvicted(value, startMs));
    }
  }

  private void restoreForeign(byte[] key, byte[] value) {
    if (value == null) {
      foreign.remove(new ByteKey(key));
    } else {
      foreign.add(new ByteKey(key));
    }
  }

  /**
   * Continues after all that was kept has been read back.
   *
   * @throws StateMismatchException if samples of a window are missing
   */
  void resume() {
    ring.resume();
    windows.dropDeleted(members.stale());
    samples.resume(windows);
    windows.resume();
  }

  /** Forgets everything at once, written or not. */
  void clear() {
    windows.clear();
    samples.clear();
    ring.clear();
    foreign.clear();
  }
}
