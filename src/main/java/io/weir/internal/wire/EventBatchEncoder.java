package io.weir.internal.wire;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.Timer;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** Encodes batches of encoded events. Not thread-safe. */
public final class EventBatchEncoder {
  private static final int FIRST_BYTES = 1 << 10;

  /** A larger buffer is not reused for the next batch. */
  private static final int MOST_KEPT_BYTES = 1 << 20;

  /** Maximum overhead of an event in a batch, in bytes. */
  public static final int EVENT_OVERHEAD_BYTES = 8;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;
  private int events;

  /** Adds an event of a batch as it was received. */
  public void add(EventColumns batch, int event) {
    int length = batch.messageLength(event);
    begin(length);
    write(batch.record(), batch.messageOffset(event), length);
  }

  /** Adds an event. */
  public void add(byte[] event) {
    begin(event.length);
    write(event, 0, event.length);
  }

  /**
   * Adds a due event: the scheduled bytes, followed by the fields of its due time, because the last
   * value of a field counts.
   */
  public void add(Timer timer, long dueMs, long missed) {
    byte[] event = timer.event();
    int timestampBytes = timer.hasTimestamp() ? 0 : sizeOf(Event.TIMESTAMP_MS_FIELD_NUMBER, dueMs);
    begin(
        event.length
            + sizeOf(Event.DUE_MS_FIELD_NUMBER, dueMs)
            + sizeOf(Event.MISSED_FIELD_NUMBER, missed)
            + timestampBytes);
    write(event, 0, event.length);
    number(Event.DUE_MS_FIELD_NUMBER, dueMs);
    number(Event.MISSED_FIELD_NUMBER, missed);
    if (timestampBytes > 0) {
      number(Event.TIMESTAMP_MS_FIELD_NUMBER, dueMs);
    }
  }

  private void begin(int length) {
    int tag = EventBatch.EVENTS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    ensure(sizeOf(tag) + sizeOf(length) + length);
    varint(tag);
    varint(length);
    events++;
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }

  private void write(byte[] from, int offset, int length) {
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  private static int tagOf(int field) {
    return field << 3 | WireFormat.WIRETYPE_VARINT;
  }

  private void number(int field, long value) {
    varint(tagOf(field));
    varint(value);
  }

  private void varint(long value) {
    long rest = value;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      bytes[size++] = (byte) (rest & 0x7f | 0x80);
    }
    bytes[size++] = (byte) rest;
  }

  private static int sizeOf(int field, long value) {
    return sizeOf(tagOf(field)) + sizeOf(value);
  }

  /** Seven bits a byte, and one byte for 0. */
  private static int sizeOf(long value) {
    return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** Number of events in the batch. */
  public int events() {
    return events;
  }

  /** Size of the events in bytes. */
  public int size() {
    return size;
  }

  /** Returns the batch without gateway and sequence, and begins a new one. */
  public byte[] take() {
    byte[] batch = Arrays.copyOf(bytes, size);
    clear();
    return batch;
  }

  /** The batch of a gateway with that sequence. No side effects. */
  public byte[] encode(String gatewayId, long bootId, long sequence) {
    int header =
        CodedOutputStream.computeStringSize(EventBatch.GATEWAY_ID_FIELD_NUMBER, gatewayId)
            + CodedOutputStream.computeFixed64Size(EventBatch.BOOT_ID_FIELD_NUMBER, bootId)
            + CodedOutputStream.computeUInt64Size(EventBatch.SEQUENCE_FIELD_NUMBER, sequence);
    byte[] batch = new byte[header + size];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(batch, 0, header);
      out.writeString(EventBatch.GATEWAY_ID_FIELD_NUMBER, gatewayId);
      out.writeFixed64(EventBatch.BOOT_ID_FIELD_NUMBER, bootId);
      out.writeUInt64(EventBatch.SEQUENCE_FIELD_NUMBER, sequence);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.arraycopy(bytes, 0, batch, header, size);
    return batch;
  }

  /** Begins a new batch. */
  public void clear() {
    size = 0;
    events = 0;
    if (bytes.length > MOST_KEPT_BYTES) {
      bytes = new byte[FIRST_BYTES];
    }
  }
}
