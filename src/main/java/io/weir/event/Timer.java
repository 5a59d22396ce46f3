package io.weir.event;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A scheduled event that waits. Its bytes in the table are the length of the key, 2 bytes
 * big-endian, the key, and the id.
 */
public final class Timer extends KeyTable.Entry {
  /** What a timer takes in memory beside its key, id and event; its part of the tables too. */
  public static final int OVERHEAD_BYTES = 200;

  /** Field 7 of an event, a varint. */
  private static final int DUE_MS = 7 << 3;

  private final byte[] event;
  private final long everyMs;
  private final long order;
  private final boolean hasTimestamp;
  private long dueMs;

  /** Where it is among those that wait. */
  int place;

  /**
   * @param name key and id, see {@link #name}
   * @param event the event as protobuf, without {@code missed}; its {@code due_ms} is not current
   * @param everyMs 0 where it comes once; of a handler's whose call failed, after what time it
   *     comes again
   * @param order that of timers due at one time; each has one of its own
   * @param hasTimestamp whether the event has an event time of its own
   */
  public Timer(
      byte[] name, byte[] event, long dueMs, long everyMs, long order, boolean hasTimestamp) {
    super(name);
    this.hasTimestamp = hasTimestamp;
    this.event = event;
    this.dueMs = dueMs;
    this.everyMs = everyMs;
    this.order = order;
  }

  /** Key and id as the bytes that name a timer. */
  public static byte[] name(byte[] key, byte[] id) {
    return name(key, 0, key.length, id, 0, id.length);
  }

  private static byte[] name(
      byte[] key, int keyOffset, int keyLength, byte[] id, int idOffset, int idLength) {
    return ByteBuffer.allocate(2 + keyLength + idLength)
        .putShort((short) keyLength)
        .put(key, keyOffset, keyLength)
        .put(id, idOffset, idLength)
        .array();
  }

  static byte[] name(byte[] record, int keyOffset, int keyLength, int idOffset, int idLength) {
    return name(record, keyOffset, keyLength, record, idOffset, idLength);
  }

  /** Key and id, as they name it. */
  public byte[] name() {
    return key;
  }

  public byte[] ofKey() {
    return Arrays.copyOfRange(key, 2, 2 + keyLength());
  }

  /** What it takes in memory, nearly; a function of key, id and event. */
  public int bytes() {
    return bytes(key.length, event.length);
  }

  public static int bytes(int nameLength, int eventLength) {
    return nameLength + eventLength + OVERHEAD_BYTES;
  }

  int keyLength() {
    return keyLength(key);
  }

  /** How many bytes of a name are the key's. */
  static int keyLength(byte[] name) {
    return (name[0] & 0xff) << 8 | name[1] & 0xff;
  }

  public byte[] event() {
    return event;
  }

  public long dueMs() {
    return dueMs;
  }

  /** When it is due for the first time: what its event says. */
  long firstDueMs() {
    try {
      CodedInputStream in = CodedInputStream.newInstance(event);
      long firstMs = dueMs;
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == DUE_MS) {
          firstMs = in.readInt64();
        } else {
          in.skipField(tag);
        }
      }
      return firstMs;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // It was decoded before.
    }
  }

  void dueMs(long ms) {
    dueMs = ms;
  }

  public long everyMs() {
    return everyMs;
  }

  public boolean hasTimestamp() {
    return hasTimestamp;
  }

  public long order() {
    return order;
  }

  boolean isBefore(Timer other) {
    return dueMs != other.dueMs ? dueMs < other.dueMs : order < other.order;
  }
}
