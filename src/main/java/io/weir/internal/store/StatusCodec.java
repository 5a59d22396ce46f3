package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.alarm.Alarm;
import io.weir.internal.alarm.KeptStatus;
import io.weir.internal.alarm.Level;
import io.weir.internal.alarm.SensorState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The status of a sensor as bytes. Numbers are protobuf varints, times zigzag, texts UTF-8 with
 * their length in front.
 *
 * <pre>
 * status   format | state | since ms | newest event time ms | flags (1 published)
 *          | gateway id | number of alarms | alarms
 * alarm    rule | level | priority | fingerprint of the condition, 8 bytes
 *          | flags (1 active, 2 onset, 4 since) | where flagged: onset ms, start of the
 *          last window ms; since ms
 *          | value, 8 bytes
 * </pre>
 */
final class StatusCodec {
  private static final int PUBLISHED = 1;
  private static final int ACTIVE = 1;
  private static final int HAS_ONSET = 2;
  private static final int HAS_SINCE = 4;

  /** Of a status or an alarm, without its text. */
  private static final int MOST_BYTES = 64;

  private byte[] buffer = new byte[512];

  byte[] encode(KeptStatus status) throws IOException {
    int most = MOST_BYTES + 3 * status.gatewayId().length();
    for (Alarm alarm : status.alarms()) {
      most += MOST_BYTES + 3 * alarm.rule().length();
    }
    if (buffer.length < most) {
      buffer = new byte[most];
    }
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeUInt32NoTag(status.state().number());
    out.writeSInt64NoTag(status.sinceMs());
    out.writeSInt64NoTag(status.lastTimestampMs());
    out.writeUInt32NoTag(status.isPublished() ? PUBLISHED : 0);
    out.writeStringNoTag(status.gatewayId());
    out.writeUInt32NoTag(status.alarms().size());
    for (Alarm alarm : status.alarms()) {
      write(alarm, out);
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  private static void write(Alarm alarm, CodedOutputStream out) throws IOException {
    boolean hasOnset = alarm.onsetMs() != Alarm.NONE;
    boolean hasSince = alarm.sinceMs() != Alarm.NONE;
    out.writeStringNoTag(alarm.rule());
    out.writeUInt32NoTag(alarm.level().number());
    out.writeUInt32NoTag(alarm.priority());
    out.writeFixed64NoTag(alarm.fingerprint());
    out.writeUInt32NoTag(
        (alarm.isActive() ? ACTIVE : 0) | (hasOnset ? HAS_ONSET : 0) | (hasSince ? HAS_SINCE : 0));
    if (hasOnset) {
      out.writeSInt64NoTag(alarm.onsetMs());
      out.writeSInt64NoTag(alarm.lastMs());
    }
    if (hasSince) {
      out.writeSInt64NoTag(alarm.sinceMs());
    }
    out.writeDoubleNoTag(alarm.value());
  }

  /** Puts back what was kept of a sensor. */
  static void decode(byte[] value, KeptStatus status) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    try {
      SensorState state = SensorState.ofNumber(in.readUInt32());
      long sinceMs = in.readSInt64();
      long lastTimestampMs = in.readSInt64();
      boolean published = (in.readUInt32() & PUBLISHED) != 0;
      String gatewayId = in.readString();
      int count = in.readUInt32();
      List<Alarm> alarms = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        alarms.add(alarm(in));
      }
      status.restore(state, sinceMs, lastTimestampMs, published, gatewayId, alarms);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage());
    }
  }

  private static Alarm alarm(CodedInputStream in) throws IOException {
    String rule = in.readString();
    Level level = Level.ofNumber(in.readUInt32());
    int priority = in.readUInt32();
    long fingerprint = in.readFixed64();
    int flags = in.readUInt32();
    long onsetMs = (flags & HAS_ONSET) != 0 ? in.readSInt64() : Alarm.NONE;
    long lastMs = (flags & HAS_ONSET) != 0 ? in.readSInt64() : Alarm.NONE;
    long sinceMs = (flags & HAS_SINCE) != 0 ? in.readSInt64() : Alarm.NONE;
    return Alarm.restored(
        rule,
        level,
        priority,
        fingerprint,
        (flags & ACTIVE) != 0,
        onsetMs,
        lastMs,
        sinceMs,
        in.readDouble());
  }
}
