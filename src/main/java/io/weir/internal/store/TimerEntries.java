package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.event.Timer;
import io.weir.internal.event.Timers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Timers as entries of the changelog, one each: {@code T} and the timer's name; format, due ms,
 * every ms, order, 1 if it has an event time of its own, as protobuf varints, writer, 8 bytes, how
 * long it waits, a varint, and the event as protobuf. Called by the task's thread only.
 */
final class TimerEntries {
  static final byte TIMER = 'T';

  private static final int MOST_NUMBER_BYTES = 50;

  private final Timers timers;

  TimerEntries(Timers timers) {
    this.timers = timers;
  }

  /** Writes what changed since the last call. */
  void flush(ChangeLog log) {
    for (byte[] name : timers.removed()) {
      log.put(StateKey.of(TIMER, name), null);
    }
    timers.forEachTouched(timer -> log.put(StateKey.of(TIMER, timer.name()), encode(timer)));
    timers.written();
  }

  private static byte[] encode(Timer timer) {
    byte[] buffer = new byte[MOST_NUMBER_BYTES + timer.event().length];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    try {
      StateFormat.write(out);
      out.writeUInt64NoTag(timer.dueMs());
      out.writeUInt64NoTag(timer.everyMs());
      out.writeUInt64NoTag(timer.order());
      out.writeBoolNoTag(timer.hasTimestamp());
      out.writeFixed64NoTag(timer.writerId());
      out.writeUInt64NoTag(timer.inMs());
      out.writeRawBytes(timer.event());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // There is room.
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  void restore(byte[] key, byte[] value) throws IOException {
    byte[] name = Arrays.copyOfRange(key, 1, key.length);
    if (value == null) {
      timers.dropRestored(name);
      return;
    }
    CodedInputStream in = StateFormat.read(value);
    long dueMs = in.readUInt64();
    long everyMs = in.readUInt64();
    long order = in.readUInt64();
    boolean hasTimestamp = in.readBool();
    long writerId = in.readFixed64();
    long inMs = in.readUInt64();
    byte[] event = Arrays.copyOfRange(value, in.getTotalBytesRead(), value.length);
    timers.restore(new Timer(name, event, dueMs, everyMs, order, hasTimestamp, writerId, inMs));
  }
}
