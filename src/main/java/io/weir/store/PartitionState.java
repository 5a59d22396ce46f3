package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.reading.GatewayRules;
import io.weir.reading.Gateways;
import io.weir.reading.IdBytes;
import io.weir.window.PartitionTime;
import io.weir.window.PartitionWindows;
import io.weir.window.Rollup;
import io.weir.window.RollupPlan;
import io.weir.window.SensorOwners;
import io.weir.window.SensorRollups;
import io.weir.window.SensorWindows;
import io.weir.window.Window;
import io.weir.window.WindowChanges;
import io.weir.window.WindowLimits;
import io.weir.window.WindowSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;

/**
 * All that a task keeps of its partition, and how it is written and read back: sensors with their
 * windows, gateways with their sequences, the partition's time. A sensor's newest {@value
 * #ATTACHED_WINDOWS} windows stand in its own entry, so that a commit writes one entry for most
 * sensors; each older one has an entry of its own, so that no entry grows with the windows kept.
 * Samples of a window stand in further entries, {@link SampleEntries}.
 *
 * <p>That number is part of the format: a smaller or larger one leaves entries behind.
 */
public final class PartitionState {
  private static final int ATTACHED_WINDOWS = 4;

  /** The partition's time was one number, and the offset was not kept. */
  private static final int META_FORMAT_OF_0_1_0 = 1;

  private static final int META_FORMAT = 2;

  private static final int CONTROL_FORMAT = 1;

  private static final long NO_ORDER = -1;

  /** The state was kept by a version that did not keep the offset. */
  public static final long UNKNOWN_OFFSET = -1;

  private final WindowSpec spec;
  private final PartitionWindows windows;
  private final Gateways gateways;
  private final PartitionTime time;
  private final SampleEntries samples;
  private final WindowCodec windowCodec;
  private final RollupCodec rollupCodec = new RollupCodec();
  private final GatewayCodec gatewayCodec = new GatewayCodec();
  private Uuid inputTopicId = Uuid.ZERO_UUID;
  private long nextOffset;
  private boolean dirty;
  private Uuid controlTopicId = Uuid.ZERO_UUID;
  private long lastOrder = NO_ORDER;
  private boolean ordered;

  /** Whether the state holds all that there ever was on the partition. */
  private boolean sinceStart;

  /** The rollups that the state was kept with; null where no record was ever applied to it. */
  private RollupPlan keptRollups;

  /** Keys of rollups that were kept, of sizes that are no longer switched on. */
  private final Set<ByteBuffer> foreignRollups = new HashSet<>();

  /** Makes the state of a task. */
  @FunctionalInterface
  public interface Factory {
    PartitionState create();
  }

  public PartitionState(WindowSpec spec, GatewayRules gatewayRules, WindowLimits limits) {
    this.spec = spec;
    this.gateways = new Gateways(gatewayRules);
    this.windows = new PartitionWindows(spec, limits);
    this.time = new PartitionTime(spec.idleTimeoutMs());
    this.samples = new SampleEntries(spec.statistics().mostSamples());
    this.windowCodec = new WindowCodec(samples);
  }

  /**
   * A record is about to be applied.
   *
   * @param topicId of the topic that it stands on; {@link Uuid#ZERO_UUID} where that is not known
   * @return how far its append time is behind that of the record before, in milliseconds
   */
  public long observe(long appendMs, long offset, Uuid topicId) {
    if (keptRollups == null) {
      sinceStart = offset == 0;
      keptRollups = spec.rollups();
      windows.sinceStart(sinceStart);
    } else if (keptRollups != spec.rollups()) {
      if (!keptRollups.sizesMs().equals(spec.rollups().sizesMs())) {
        windows.beginRollups();
      }
      keptRollups = spec.rollups();
    }
    nextOffset = offset + 1;
    inputTopicId = topicId;
    dirty = true;
    return time.observe(appendMs);
  }

  /** Offset after the last record applied, 0 for none, or {@link #UNKNOWN_OFFSET}. */
  public long nextOffset() {
    return nextOffset;
  }

  /** The topic of the last record applied; {@link Uuid#ZERO_UUID} where that is not known. */
  public Uuid inputTopicId() {
    return inputTopicId;
  }

  public PartitionWindows windows() {
    return windows;
  }

  public Gateways gateways() {
    return gateways;
  }

  public PartitionTime time() {
    return time;
  }

  /**
   * Goes on after all that was kept has been read back.
   *
   * @throws StateMismatchException if samples of a window are missing
   */
  public void resume() {
    samples.resume(windows);
    windows.sinceStart(keptRollups == null || sinceStart);
    windows.resume();
  }

  /**
   * Clears a gateway's sequences, as the operators ordered. An order that was carried out before,
   * or one before such, changes nothing: a copy of its mark is none.
   *
   * @param topicId of the topic that the order stands on
   * @param order its offset there
   * @return whether it was carried out
   */
  public boolean reset(String gatewayId, Uuid topicId, long order) {
    if (topicId.equals(controlTopicId) && order <= lastOrder) {
      return false;
    }
    controlTopicId = topicId;
    lastOrder = order;
    ordered = true;
    gateways.reset(gatewayId);
    return true;
  }

  /** Whether something waits for time to pass. */
  public boolean awaitsTime() {
    return windows.awaitsTime() || gateways.awaitsTime();
  }

  /**
   * Writes what changed since the last call: deletions first, since what was deleted may be back.
   */
  void flush(ChangeLog log) {
    try {
      flushWindows(log);
      flushOwners(log);
      flushGateways(log);
      if (ordered) {
        log.put(StateKey.control(), encodeControl());
        ordered = false;
      }
      if (dirty) {
        log.put(StateKey.meta(), encodeMeta());
        dirty = false;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void flushWindows(ChangeLog log) throws IOException {
    WindowChanges changes = windows.changes();
    if (dirty) {
      foreignRollups.forEach(key -> log.put(key.array(), null));
      foreignRollups.clear();
    }
    for (WindowChanges.Dropped window : changes.dropped()) {
      log.put(StateKey.window(window.sensorId(), window.startMs()), null);
    }
    for (WindowChanges.DroppedSamples window : changes.droppedSamples()) {
      samples.delete(window.sensorId(), window.startMs(), window.samples(), log);
    }
    for (WindowChanges.DroppedRollup rollup : changes.droppedRollups()) {
      log.put(StateKey.rollup(rollup.sensorId(), rollup.sizeMs(), rollup.startMs()), null);
    }
    for (byte[] sensorId : changes.purged()) {
      log.put(StateKey.sensor(sensorId), null);
    }
    for (SensorWindows sensor : changes.touched()) {
      flushSensor(sensor, log);
    }
    changes.clear();
  }

  private void flushSensor(SensorWindows sensor, ChangeLog log) throws IOException {
    int attachedFrom = Math.max(0, sensor.windows() - ATTACHED_WINDOWS);
    for (int i = sensor.indexFrom(sensor.unwrittenFromMs()); i < attachedFrom; i++) {
      Window window = sensor.window(i);
      if (window.dirty() || !window.detached()) {
        log.put(StateKey.window(sensor.id(), window.startMs()), windowCodec.encode(window));
        samples.flush(sensor.id(), window, log);
        window.written(true);
      }
    }
    log.put(StateKey.sensor(sensor.id()), windowCodec.encode(sensor, attachedFrom));
    for (int i = attachedFrom; i < sensor.windows(); i++) {
      Window window = sensor.window(i);
      samples.flush(sensor.id(), window, log);
      window.written(false);
    }
    sensor.written(
        attachedFrom < sensor.windows() ? sensor.window(attachedFrom).startMs() : Long.MAX_VALUE);
    if (sensor.rollups() != null) {
      flushRollups(sensor.id(), sensor.rollups(), log);
    }
  }

  private void flushRollups(byte[] sensorId, SensorRollups rollups, ChangeLog log)
      throws IOException {
    for (Rollup rollup : rollups.unwritten()) {
      byte[] key = StateKey.rollup(sensorId, rollup.sizeMs(), rollup.startMs());
      log.put(key, rollupCodec.encode(rollup));
    }
    rollups.written();
  }

  private void flushOwners(ChangeLog log) throws IOException {
    SensorOwners owners = windows.owners();
    for (String gatewayId : owners.removed()) {
      log.put(StateKey.owner(gatewayId), null);
    }
    for (Map.Entry<String, Integer> owner : owners.added().entrySet()) {
      log.put(StateKey.owner(owner.getKey()), varint(owner.getValue()));
    }
    owners.written();
  }

  private static byte[] varint(int number) throws IOException {
    byte[] bytes = new byte[CodedOutputStream.computeUInt32SizeNoTag(number)];
    CodedOutputStream.newInstance(bytes).writeUInt32NoTag(number);
    return bytes;
  }

  private void flushGateways(ChangeLog log) throws IOException {
    for (String id : gateways.forgotten()) {
      log.put(StateKey.gateway(id), null);
    }
    for (String id : gateways.touched()) {
      log.put(StateKey.gateway(id), gatewayCodec.encode(gateways.get(id)));
    }
    gateways.written();
  }

  /**
   * format 2, window size, log time, append time of the last record, offset after it, as zigzag
   * varints; id of its topic, 16 bytes; 1 if the state began with the partition, else 0; the sizes
   * of rollups, varints.
   */
  private byte[] encodeMeta() throws IOException {
    byte[] buffer = new byte[90 + Long.BYTES * 2 * keptRollups.levels()];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    out.writeUInt32NoTag(META_FORMAT);
    out.writeSInt64NoTag(spec.sizeMs());
    out.writeSInt64NoTag(time.logMs());
    out.writeSInt64NoTag(time.appendMs());
    out.writeSInt64NoTag(nextOffset);
    out.writeFixed64NoTag(inputTopicId.getMostSignificantBits());
    out.writeFixed64NoTag(inputTopicId.getLeastSignificantBits());
    out.writeBoolNoTag(sinceStart);
    for (long rollupMs : keptRollups.sizesMs()) {
      out.writeUInt64NoTag(rollupMs);
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  /** format 1, offset of the order carried out last, a varint; id of its topic, 16 bytes. */
  private byte[] encodeControl() throws IOException {
    byte[] buffer = new byte[32];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    out.writeUInt32NoTag(CONTROL_FORMAT);
    out.writeUInt64NoTag(lastOrder);
    out.writeFixed64NoTag(controlTopicId.getMostSignificantBits());
    out.writeFixed64NoTag(controlTopicId.getLeastSignificantBits());
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  private void decodeControl(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    int format = in.readUInt32();
    if (format != CONTROL_FORMAT) {
      throw StateMismatchException.ofFormat(format, CONTROL_FORMAT);
    }
    lastOrder = in.readUInt64();
    controlTopicId = new Uuid(in.readFixed64(), in.readFixed64());
  }

  private void decodeMeta(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    int format = in.readUInt32();
    if (format != META_FORMAT && format != META_FORMAT_OF_0_1_0) {
      throw StateMismatchException.ofFormat(format, META_FORMAT);
    }
    long sizeMs = in.readSInt64();
    if (sizeMs != spec.sizeMs()) {
      throw new StateMismatchException(
          "weir.window.size is "
              + spec.sizeMs()
              + "ms, but the state was kept with "
              + sizeMs
              + "ms: set it back, or start under another weir.application.id, which aggregates anew"
              + " what the readings topic still has (docs/operations.md, Back up and reset)");
    }
    long logMs = in.readSInt64();
    keptRollups = RollupPlan.NONE;
    sinceStart = false;
    if (format == META_FORMAT_OF_0_1_0) {
      // Sensors were last active at append times up to this one: log time goes on from there.
      time.restore(logMs, logMs);
      nextOffset = UNKNOWN_OFFSET;
      return;
    }
    time.restore(logMs, in.readSInt64());
    nextOffset = in.readSInt64();
    inputTopicId = new Uuid(in.readFixed64(), in.readFixed64());
    sinceStart = !in.isAtEnd() && in.readBool();
    List<Long> rollupsMs = new ArrayList<>();
    while (!in.isAtEnd()) {
      rollupsMs.add(in.readUInt64());
    }
    keptRollups = keptPlan(sizeMs, rollupsMs);
  }

  private static RollupPlan keptPlan(long windowSizeMs, List<Long> sizesMs) throws IOException {
    try {
      return RollupPlan.of(windowSizeMs, sizesMs);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage());
    }
  }

  /** Puts back an entry that was kept; a null value takes it out. */
  public void restore(byte[] key, byte[] value) {
    try {
      switch (key[0]) {
        case StateKey.META -> decodeMeta(value);
        case StateKey.SENSOR -> restoreSensor(key, value);
        case StateKey.WINDOW -> restoreWindow(key, value);
        case StateKey.SAMPLES -> samples.restore(key, value);
        case StateKey.ROLLUP -> restoreRollup(key, value);
        case StateKey.GATEWAY -> restoreGateway(key, value);
        case StateKey.OWNER -> restoreOwner(key, value);
        case StateKey.CONTROL -> decodeControl(value);
        default ->
            throw new StateMismatchException(
                "the changelog has an entry of kind "
                    + key[0]
                    + ", which this version does not"
                    + " know: was it written by a newer one?");
      }
    } catch (IOException e) {
      throw new StateMismatchException("an entry of the changelog is damaged: " + e.getMessage());
    }
  }

  private void restoreSensor(byte[] key, byte[] value) throws IOException {
    int length = key.length - 1;
    int hash = IdBytes.hash(key, 1, length);
    if (value == null) {
      windows.dropRestored(key, 1, length, hash);
    } else {
      windowCodec.decode(value, windows.restored(key, 1, length, hash));
    }
  }

  private void restoreWindow(byte[] key, byte[] value) throws IOException {
    int offset = StateKey.WINDOW_ID_OFFSET;
    int length = key.length - offset;
    int hash = IdBytes.hash(key, offset, length);
    long startMs = StateKey.windowStartMs(key);
    if (value == null) {
      windows.dropRestored(key, offset, length, hash, startMs);
    } else {
      SensorWindows sensor = windows.restored(key, offset, length, hash);
      sensor.resume(windowCodec.decodeDetached(value, sensor.id(), startMs));
    }
  }

  private void restoreRollup(byte[] key, byte[] value) throws IOException {
    int offset = StateKey.ROLLUP_ID_OFFSET;
    int length = key.length - offset;
    int hash = IdBytes.hash(key, offset, length);
    long sizeMs = StateKey.rollupSizeMs(key);
    long startMs = StateKey.rollupStartMs(key);
    if (spec.rollups().levelOf(sizeMs) < 0) {
      if (value == null) {
        foreignRollups.remove(ByteBuffer.wrap(key));
      } else {
        foreignRollups.add(ByteBuffer.wrap(key));
      }
    } else if (value == null) {
      windows.dropRestored(key, offset, length, hash, sizeMs, startMs);
    } else {
      windows.restored(key, offset, length, hash, RollupCodec.decode(value, sizeMs, startMs));
    }
  }

  private void restoreGateway(byte[] key, byte[] value) throws IOException {
    String id = StateKey.gatewayId(key);
    if (value == null) {
      gateways.dropRestored(id);
    } else {
      gateways.restore(id, GatewayCodec.decode(value));
    }
  }

  private void restoreOwner(byte[] key, byte[] value) throws IOException {
    String gatewayId = StateKey.gatewayId(key);
    if (value == null) {
      windows.owners().dropRestored(gatewayId);
    } else {
      windows.owners().restore(gatewayId, CodedInputStream.newInstance(value).readUInt32());
    }
  }

  /** Forgets everything at once, written or not. */
  void clear() {
    windows.clear();
    samples.clear();
    gateways.clear();
    time.restore(PartitionTime.NONE, PartitionTime.NONE);
    nextOffset = 0;
    inputTopicId = Uuid.ZERO_UUID;
    dirty = false;
    controlTopicId = Uuid.ZERO_UUID;
    lastOrder = NO_ORDER;
    ordered = false;
    sinceStart = false;
    keptRollups = null;
    foreignRollups.clear();
  }
}
