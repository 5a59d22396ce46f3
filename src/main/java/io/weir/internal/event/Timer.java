package io.weir.internal.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A scheduled event that is not due yet. Its bytes in the table are the length of the key, 2 bytes
 * big-endian, the key, and the id.
 */
public final class Timer extends KeyTable.Entry {
  /** Memory of a timer besides its key, id and event, including its part of the tables. */
  public static final int OVERHEAD_BYTES = 200;

  /** Field 7 of an event, a varint. */
  private static final int DUE_MS = 7 << 3;

  /** Field 13 of an event, a varint. */
  private static final int EXPIRES_MS = 13 << 3;

  /** Types of protobuf's fields, in the lowest bits of a tag. */
  private static final int WIRE_TYPE = 7;

  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int LENGTH = 2;
  private static final int START_GROUP = 3;
  private static final int FIXED_32 = 5;
  private static final int LONGEST_VARINT = 10;

  /** Not UTF-8, so that no handler's id is the same. */
  private static final byte RETRY_ID = (byte) 0xff;

  private final byte[] event;
  private final long everyMs;
  private final long order;
  private final boolean hasTimestamp;
  private final long writerId;
  private final long inMs;
  private long dueMs;

  /** Its index in the heap. */
  int place;

  /**
   * @param name key and id, see {@link #name}
   * @param event the event as protobuf, without {@code missed}; its {@code due_ms} is not current
   * @param everyMs 0 for a single event; for a handler's timer whose call failed, the delay of the
   *     retry; for a retry of an event, its number of failures
   * @param order order among timers that are due at the same time; unique
   * @param hasTimestamp whether the event has an explicit event time
   * @param writerId the gateway whose limits apply, see {@link EventColumns#writerId}
   * @param inMs of a handler's timer, how long it waits from when it was scheduled; 0 if it is due
   *     at a time, whatever the clock says
   */
  public Timer(
      byte[] name,
      byte[] event,
      long dueMs,
      long everyMs,
      long order,
      boolean hasTimestamp,
      long writerId,
      long inMs) {
    super(name);
    this.writerId = writerId;
    this.inMs = inMs;
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

  /** The name of the timer that retries an event of a key: no handler can use it. */
  public static byte[] retryName(byte[] key) {
    return name(key, new byte[] {RETRY_ID});
  }

  /** Whether it retries an event of the topic, whose call failed. */
  public boolean isRetry() {
    return key.length == 2 + keyLength() + 1 && key[key.length - 1] == RETRY_ID;
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

  /** Its name: key and id. */
  public byte[] name() {
    return key;
  }

  public byte[] ofKey() {
    return Arrays.copyOfRange(key, 2, 2 + keyLength());
  }

  /** Its id, where that is text. */
  public String id() {
    int start = 2 + keyLength();
    return new String(key, start, key.length - start, StandardCharsets.UTF_8);
  }

  /** Approximate memory in bytes; a function of key, id and event. */
  public int bytes() {
    return bytes(key.length, event.length);
  }

  public static int bytes(int nameLength, int eventLength) {
    return nameLength + eventLength + OVERHEAD_BYTES;
  }

  int keyLength() {
    return keyLength(key);
  }

  /** Length of the key in a name. */
  static int keyLength(byte[] name) {
    return (name[0] & 0xff) << 8 | name[1] & 0xff;
  }

  public byte[] event() {
    return event;
  }

  public long dueMs() {
    return dueMs;
  }

  /** The first due time, from its event. */
  long firstDueMs() {
    return number(DUE_MS, dueMs);
  }

  /** Whether its event has expired. */
  public boolean isExpired(long atMs) {
    return EventJudge.isExpired(number(EXPIRES_MS, 0), atMs);
  }

  /**
   * The last value of a numeric field of the event, or a default. The event was decoded before, by
   * a reader that cuts lengths to 32 bits and ends a number at its tenth byte, whatever it is.
   */
  private long number(int wanted, long otherwise) {
    ByteBuffer in = ByteBuffer.wrap(event);
    long number = otherwise;
    int groups = 0;
    while (in.hasRemaining()) {
      int tag = (int) varint(in);
      switch (tag & WIRE_TYPE) {
        case VARINT -> {
          long value = varint(in);
          number = tag == wanted && groups == 0 ? value : number;
        }
        case FIXED_64 -> skip(in, Long.BYTES);
        case FIXED_32 -> skip(in, Integer.BYTES);
        case LENGTH -> skip(in, (int) varint(in));
        case START_GROUP -> groups++;
        default -> groups--;
      }
    }
    return number;
  }

  private static void skip(ByteBuffer in, int bytes) {
    in.position(bytes < 0 || bytes > in.remaining() ? in.limit() : in.position() + bytes);
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < LONGEST_VARINT * 7 && in.hasRemaining(); shift += 7) {
      byte part = in.get();
      value |= (part & 0x7fL) << shift;
      if (part >= 0) {
        break;
      }
    }
    return value;
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

  /** How long a handler's timer waits from when it was scheduled; 0 if it is due at a time. */
  public long inMs() {
    return inMs;
  }

  public long writerId() {
    return writerId;
  }

  public long order() {
    return order;
  }

  boolean isBefore(Timer other) {
    return dueMs != other.dueMs ? dueMs < other.dueMs : order < other.order;
  }
}
