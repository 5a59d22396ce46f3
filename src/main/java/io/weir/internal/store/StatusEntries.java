package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.alarm.Baseline;
import io.weir.internal.alarm.BaselineSpec;
import io.weir.internal.alarm.KeptStatus;
import io.weir.internal.alarm.SensorStatuses;
import io.weir.internal.alarm.StatusChanges;
import io.weir.internal.window.PartitionWindows;
import io.weir.internal.window.SensorWindows;
import io.weir.reading.ByteKey;
import io.weir.reading.IdBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Status, alarms and baselines of sensors as entries of the changelog, and the template of groups
 * that alarms were keyed by. What is no longer switched on is deleted, a status with active alarms
 * once they are cleared. Called by the task's thread only.
 *
 * <pre>
 * baseline   format | number of its newest window, zigzag | the chunk's slots, 8 bytes
 *            little-endian each, NaN for a window without readings
 * group      format | the template in UTF-8
 * </pre>
 */
final class StatusEntries {

  private final SensorStatuses statuses;
  private final PartitionWindows windows;
  private final StatusCodec codec = new StatusCodec();

  /** Keys of entries that are of no use with the settings as they are. */
  private final Set<ByteKey> foreign = new HashSet<>();

  private boolean groupKept;

  StatusEntries(SensorStatuses statuses, PartitionWindows windows) {
    this.statuses = statuses;
    this.windows = windows;
  }

  /** Deletes what is of no use any more. */
  void deleteForeign(ChangeLog log) {
    foreign.forEach(key -> log.put(key.bytes(), null));
    foreign.clear();
  }

  /** Writes what changed since the last call. */
  void flush(ChangeLog log) throws IOException {
    if (!groupKept && !statuses.plan().rules().isEmpty()) {
      log.put(StateKey.group(), encodeGroup());
      groupKept = true;
    }
    StatusChanges changes = statuses.changes();
    for (StatusChanges.DroppedBaseline dropped : changes.dropped()) {
      for (int chunk = 0; chunk < dropped.chunks(); chunk++) {
        log.put(StateKey.baseline(dropped.sensorId(), dropped.spec(), chunk), null);
      }
    }
    for (byte[] sensorId : changes.purged()) {
      log.put(StateKey.status(sensorId), null);
    }
    for (SensorWindows sensor : changes.touched()) {
      if (sensor.extension() instanceof KeptStatus status) {
        flush(sensor.id(), status, log);
      }
    }
    changes.clear();
  }

  private void flush(byte[] sensorId, KeptStatus status, ChangeLog log) throws IOException {
    if (status.isHeadChanged()) {
      log.put(StateKey.status(sensorId), codec.encode(status));
    }
    for (Baseline baseline : status.baselines()) {
      BitSet changed = baseline.changedChunks();
      for (int chunk = changed.nextSetBit(0); chunk >= 0; chunk = changed.nextSetBit(chunk + 1)) {
        byte[] key = StateKey.baseline(sensorId, baseline.spec(), chunk);
        log.put(key, encode(baseline.newest(), baseline.chunk(chunk)));
      }
      baseline.written();
    }
    status.written();
  }

  /** Null for a chunk without readings. */
  private static byte[] encode(long newest, double[] slots) throws IOException {
    if (isEmpty(slots)) {
      return null;
    }
    byte[] buffer = new byte[16 + slots.length * Double.BYTES];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeSInt64NoTag(newest);
    for (double slot : slots) {
      out.writeDoubleNoTag(slot);
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  private static boolean isEmpty(double[] slots) {
    for (double slot : slots) {
      if (!Double.isNaN(slot)) {
        return false;
      }
    }
    return true;
  }

  private byte[] encodeGroup() {
    byte[] text = statuses.plan().group().toString().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + text.length).put((byte) StateFormat.NUMBER).put(text).array();
  }

  void restoreStatus(byte[] key, byte[] value) throws IOException {
    int length = key.length - 1;
    int hash = IdBytes.hash(key, 1, length);
    foreign.remove(new ByteKey(key));
    if (value != null) {
      SensorWindows sensor = windows.restored(key, 1, length, hash);
      StatusCodec.decode(value, statuses.restored(sensor));
      if (!statuses.isOn() && !statuses.restoredWhileOff(sensor)) {
        foreign(key, value);
      }
    } else {
      SensorWindows sensor = windows.find(key, 1, length, hash);
      if (sensor != null) {
        sensor.extension(null);
      }
    }
  }

  private void foreign(byte[] key, byte[] value) {
    if (value == null) {
      foreign.remove(new ByteKey(key));
    } else {
      foreign.add(new ByteKey(key));
    }
  }

  void restoreBaseline(byte[] key, byte[] value) throws IOException {
    int offset = StateKey.BASELINE_ID_OFFSET;
    int length = key.length - offset;
    int hash = IdBytes.hash(key, offset, length);
    SensorWindows sensor = windows.find(key, offset, length, hash);
    if (sensor == null && value != null && statuses.isOn()) {
      sensor = windows.restored(key, offset, length, hash);
    }
    BaselineSpec spec = StateKey.baselineSpec(key);
    Baseline baseline =
        sensor == null || !statuses.isOn() ? null : statuses.restored(sensor).baseline(spec);
    if (baseline == null) {
      foreign(key, value);
    } else {
      restore(baseline, StateKey.baselineChunk(key), value);
    }
  }

  private static void restore(Baseline baseline, int chunk, byte[] value) throws IOException {
    double[] slots = new double[baseline.chunkSize(chunk)];
    Arrays.fill(slots, Double.NaN);
    long newest = baseline.newest();
    if (value != null) {
      CodedInputStream in = StateFormat.read(value);
      newest = in.readSInt64();
      for (int i = 0; i < slots.length; i++) {
        slots[i] = in.readDouble();
      }
    }
    baseline.restore(chunk, newest, slots);
  }

  void restoreGroup(byte[] key, byte[] value) {
    if (value == null || statuses.plan().rules().isEmpty()) {
      groupKept = false;
      foreign(key, value);
      return;
    }
    StateFormat.require(value[0]);
    String kept = new String(value, 1, value.length - 1, StandardCharsets.UTF_8);
    String group = statuses.plan().group().toString();
    if (!kept.equals(group)) {
      throw new StateMismatchException(
          "weir.group is "
              + group
              + ", but the state was kept with "
              + kept
              + ": set it back, or start under another weir.application.id, which aggregates again"
              + " what the readings topic still has (docs/operate/runbook.md, Reset)");
    }
    groupKept = true;
  }

  /** Forgets everything at once, written or not. */
  void clear() {
    foreign.clear();
    groupKept = false;
  }
}
