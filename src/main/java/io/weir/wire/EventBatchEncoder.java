package io.weir.wire;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.weir.event.EventColumns;
import io.weir.event.Timer;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Batches of events as bytes, out of events as they were received; without gateway and sequence.
 * Not safe for several threads.
 */
public final class EventBatchEncoder {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int events;

  /** Adds an event of a batch as it was received. */
  public void add(EventColumns batch, int event) {
    int length = batch.messageLength(event);
    begin(length);
    bytes.write(batch.record(), batch.messageOffset(event), length);
  }

  /**
   * Adds an event that came due: as it was scheduled, with what follows from when it comes behind
   * it, where the last of a field counts.
   */
  public void add(Timer timer, long dueMs, long missed) {
    byte[] event = timer.event();
    int more =
        CodedOutputStream.computeInt64Size(Event.DUE_MS_FIELD_NUMBER, dueMs)
            + CodedOutputStream.computeUInt64Size(Event.MISSED_FIELD_NUMBER, missed)
            + (timer.hasTimestamp()
                ? 0
                : CodedOutputStream.computeInt64Size(Event.TIMESTAMP_MS_FIELD_NUMBER, dueMs));
    begin(event.length + more);
    bytes.writeBytes(event);
    byte[] behind = new byte[more];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(behind);
      out.writeInt64(Event.DUE_MS_FIELD_NUMBER, dueMs);
      out.writeUInt64(Event.MISSED_FIELD_NUMBER, missed);
      if (!timer.hasTimestamp()) {
        out.writeInt64(Event.TIMESTAMP_MS_FIELD_NUMBER, dueMs);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // It was measured.
    }
    bytes.writeBytes(behind);
  }

  private void begin(int length) {
    bytes.write(EventBatch.EVENTS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED);
    int rest = length;
    for (; rest > 0x7f; rest >>>= 7) {
      bytes.write(rest & 0x7f | 0x80);
    }
    bytes.write(rest);
    events++;
  }

  /** How many events were added since it was last taken. */
  public int events() {
    return events;
  }

  /** How many bytes they are. */
  public int size() {
    return bytes.size();
  }

  /** The batch; a new one begins. */
  public byte[] take() {
    byte[] batch = bytes.toByteArray();
    bytes.reset();
    events = 0;
    return batch;
  }
}
