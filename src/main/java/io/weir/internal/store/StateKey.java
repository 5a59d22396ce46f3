package io.weir.internal.store;

import io.weir.internal.alarm.BaselineSpec;
import io.weir.internal.alarm.BaselineSpec.Of;
import io.weir.reading.OwnSequences.Target;
import io.weir.reading.RedrivenParts.Part;
import io.weir.reading.RedrivenParts.Source;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Keys of the changelog: a byte for the kind, then
 *
 * <ul>
 *   <li>{@code M}: nothing. What the partition as a whole knows.
 *   <li>{@code S}: the sensor's id in UTF-8. A sensor with its newest windows.
 *   <li>{@code D}: the number of a slot, 4 bytes big-endian. What changed of sensors and gateways
 *       since their own entries, {@link ChangeRecord}.
 *   <li>{@code W}: the window's start in milliseconds, 8 bytes big-endian, then the sensor's id. An
 *       older window.
 *   <li>{@code V}: the window's start, as above, the number of a chunk, 4 bytes big-endian, then
 *       the sensor's id. Samples of a window.
 *   <li>{@code R}: a rollup's length and start in milliseconds, 8 bytes big-endian each, then the
 *       sensor's id. The rollup, but for what its windows say.
 *   <li>{@code H}: the window's start, as above, then the sensor's id. A window that was evicted,
 *       and that hopping windows to come hold.
 *   <li>{@code G}: the gateway's id in UTF-8. Its sequences.
 *   <li>{@code O}: the id of a gateway that made sensors, in UTF-8, or nothing for those without
 *       boot ids. Its number, a varint, which its sensors have as their owner.
 *   <li>{@code C}: the gateway's id in UTF-8. The operators' order that was carried out last for
 *       it.
 *   <li>{@code P}: the partition and the offset of a dead letter or late record, 4 and 8 bytes
 *       big-endian, 8 bytes of its part's content, then its topic. A part of it that has counted.
 *   <li>{@code U}: the partition, as above, then the topic. Up to which offset such parts were
 *       forgotten.
 *   <li>{@code L}: nothing. Before when windows are withheld, as readings of them may be lost.
 *   <li>{@code Y}: nothing, or a partition, as above, then its topic. The boot id of what the task
 *       writes to topics of events, or its last sequence there.
 *   <li>{@code N}: nothing. The newest append time of the partition, where the last record's is
 *       before it.
 *   <li>{@code A}: the sensor's id in UTF-8. Its status and alarms.
 *   <li>{@code B}: which number of windows (0 min, 1 max, 2 mean), a byte, how many windows, 4
 *       bytes big-endian, the number of a chunk, 4 bytes big-endian, then the sensor's id. Past
 *       windows that its deviation is measured against.
 *   <li>{@code T}: nothing. The template of groups that alarms are keyed by.
 * </ul>
 */
final class StateKey {
  static final byte META = 'M';
  static final byte SENSOR = 'S';
  static final byte CHANGES = 'D';
  static final byte WINDOW = 'W';
  static final byte SAMPLES = 'V';
  static final byte ROLLUP = 'R';
  static final byte EVICTED = 'H';
  static final byte GATEWAY = 'G';
  static final byte OWNER = 'O';
  static final byte CONTROL = 'C';
  static final byte REDRIVEN = 'P';
  static final byte REDRIVEN_THROUGH = 'U';
  static final byte WITHHELD = 'L';
  static final byte NEWEST = 'N';
  static final byte STATUS = 'A';
  static final byte BASELINE = 'B';
  static final byte GROUP = 'T';
  static final byte OWN = 'Y';

  /** Where the sensor's id begins in the key of a window, evicted or not. */
  static final int WINDOW_ID_OFFSET = 1 + Long.BYTES;

  /** Where the sensor's id begins in the key of samples. */
  static final int SAMPLES_ID_OFFSET = WINDOW_ID_OFFSET + Integer.BYTES;

  /** Where the sensor's id begins in the key of a rollup. */
  static final int ROLLUP_ID_OFFSET = 1 + 2 * Long.BYTES;

  /** Where the sensor's id begins in the key of a baseline. */
  static final int BASELINE_ID_OFFSET = 2 + 2 * Integer.BYTES;

  private static final int REDRIVEN_TOPIC_OFFSET = 1 + Integer.BYTES + 2 * Long.BYTES;

  private StateKey() {}

  static byte[] meta() {
    return new byte[] {META};
  }

  static byte[] control(String gatewayId) {
    return ofGateway(CONTROL, gatewayId);
  }

  static byte[] redriven(Part part) {
    byte[] topic = part.source().topic().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(REDRIVEN_TOPIC_OFFSET + topic.length)
        .put(REDRIVEN)
        .putInt(part.source().partition())
        .putLong(part.offset())
        .putLong(part.content())
        .put(topic)
        .array();
  }

  static Part redrivenPart(byte[] key) {
    ByteBuffer in = ByteBuffer.wrap(key);
    return new Part(
        new Source(text(key, REDRIVEN_TOPIC_OFFSET), in.getInt(1)),
        in.getLong(1 + Integer.BYTES),
        in.getLong(1 + Integer.BYTES + Long.BYTES));
  }

  static byte[] redrivenThrough(Source source) {
    return part(
        REDRIVEN_THROUGH, source.partition(), source.topic().getBytes(StandardCharsets.UTF_8));
  }

  static Source redrivenSource(byte[] key) {
    return new Source(text(key, 1 + Integer.BYTES), ByteBuffer.wrap(key).getInt(1));
  }

  private static String text(byte[] key, int from) {
    return new String(key, from, key.length - from, StandardCharsets.UTF_8);
  }

  static byte[] ownBoot() {
    return new byte[] {OWN};
  }

  static byte[] own(Target target) {
    return part(OWN, target.partition(), target.topic().getBytes(StandardCharsets.UTF_8));
  }

  static Target ownTarget(byte[] key) {
    return new Target(text(key, 1 + Integer.BYTES), ByteBuffer.wrap(key).getInt(1));
  }

  static byte[] withheld() {
    return new byte[] {WITHHELD};
  }

  static byte[] newest() {
    return new byte[] {NEWEST};
  }

  static byte[] sensor(byte[] id) {
    return ByteBuffer.allocate(1 + id.length).put(SENSOR).put(id).array();
  }

  static byte[] changes(int slot) {
    return ByteBuffer.allocate(1 + Integer.BYTES).put(CHANGES).putInt(slot).array();
  }

  static int slot(byte[] key) {
    return ByteBuffer.wrap(key).getInt(1);
  }

  static byte[] window(byte[] sensorId, long startMs) {
    return ofWindow(WINDOW, sensorId, startMs);
  }

  static byte[] evicted(byte[] sensorId, long startMs) {
    return ofWindow(EVICTED, sensorId, startMs);
  }

  private static byte[] ofWindow(byte kind, byte[] sensorId, long startMs) {
    return ByteBuffer.allocate(WINDOW_ID_OFFSET + sensorId.length)
        .put(kind)
        .putLong(startMs)
        .put(sensorId)
        .array();
  }

  static byte[] samples(byte[] sensorId, long startMs, int chunk) {
    return ByteBuffer.allocate(SAMPLES_ID_OFFSET + sensorId.length)
        .put(SAMPLES)
        .putLong(startMs)
        .putInt(chunk)
        .put(sensorId)
        .array();
  }

  static byte[] rollup(byte[] sensorId, long sizeMs, long startMs) {
    return ByteBuffer.allocate(ROLLUP_ID_OFFSET + sensorId.length)
        .put(ROLLUP)
        .putLong(sizeMs)
        .putLong(startMs)
        .put(sensorId)
        .array();
  }

  static long rollupSizeMs(byte[] key) {
    return ByteBuffer.wrap(key).getLong(1);
  }

  static long rollupStartMs(byte[] key) {
    return ByteBuffer.wrap(key).getLong(1 + Long.BYTES);
  }

  static byte[] status(byte[] sensorId) {
    return ByteBuffer.allocate(1 + sensorId.length).put(STATUS).put(sensorId).array();
  }

  static byte[] group() {
    return new byte[] {GROUP};
  }

  static byte[] baseline(byte[] sensorId, BaselineSpec spec, int chunk) {
    return ByteBuffer.allocate(BASELINE_ID_OFFSET + sensorId.length)
        .put(BASELINE)
        .put((byte) spec.of().ordinal())
        .putInt(spec.windows())
        .putInt(chunk)
        .put(sensorId)
        .array();
  }

  static BaselineSpec baselineSpec(byte[] key) {
    Of[] numbers = Of.values();
    return new BaselineSpec(
        numbers[Math.floorMod(key[1], numbers.length)], ByteBuffer.wrap(key).getInt(2));
  }

  static int baselineChunk(byte[] key) {
    return ByteBuffer.wrap(key).getInt(2 + Integer.BYTES);
  }

  static byte[] gateway(String id) {
    return ofGateway(GATEWAY, id);
  }

  static byte[] owner(String gatewayId) {
    return ofGateway(OWNER, gatewayId);
  }

  /** A kind with a name. */
  static byte[] of(byte kind, byte[] name) {
    return ByteBuffer.allocate(1 + name.length).put(kind).put(name).array();
  }

  /** A numbered part of what has a name. */
  static byte[] part(byte kind, int number, byte[] name) {
    return ByteBuffer.allocate(1 + Integer.BYTES + name.length)
        .put(kind)
        .putInt(number)
        .put(name)
        .array();
  }

  private static byte[] ofGateway(byte kind, String id) {
    byte[] utf8 = id.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + utf8.length).put(kind).put(utf8).array();
  }

  static int chunk(byte[] key) {
    return ByteBuffer.wrap(key).getInt(WINDOW_ID_OFFSET);
  }

  /** Of a window or its samples. */
  static long windowStartMs(byte[] key) {
    return ByteBuffer.wrap(key).getLong(1);
  }

  static String gatewayId(byte[] key) {
    return text(key, 1);
  }
}
