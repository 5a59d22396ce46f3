package io.weir.internal.event;

import io.weir.reading.BatchIdentity;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The events of a batch, as offsets of texts and values in their record, and numbers. Reused for
 * all batches of a thread: valid until the next batch. Not thread-safe.
 */
public final class EventColumns implements BatchIdentity {
  /** A text of an event. */
  public enum Text {
    KEY,
    SUBJECT,
    TYPE,
    ID
  }

  /** The {@link #writerId} of batches without a gateway. */
  public static final long NOBODY = 0;

  private static final int TEXTS = Text.values().length;
  private static final int PLACES = 2 * TEXTS + 2;
  private static final int MESSAGE = 2 * TEXTS;
  private static final int NUMBERS = 5;
  private static final byte CANCEL = 1;
  private static final byte START = 2;

  private byte[] record;
  private int gatewayOffset;
  private int gatewayLength;
  private long bootId;
  private long sequence;
  private int size;
  private int[] places = new int[64 * PLACES];
  private long[] numbers = new long[64 * NUMBERS];
  private byte[] flags = new byte[64];
  private EventRefusal[] refusals = new EventRefusal[64];
  private int[] fieldsEnd = new int[64];

  /** Four numbers per field: offset and length of its name and of its value. */
  private int[] fields = new int[256 * 4];

  private int fieldCount;

  /** Two numbers per field time: offset and length of the field's name. */
  private int[] timeNames = new int[0];

  private long[] times = new long[0];
  private int[] timesEnd = new int[64];
  private int timeCount;

  private final WriterId writerId = new WriterId();

  /** Begins the batch of a record. */
  public void start(byte[] bytes) {
    record = bytes;
    gatewayOffset = 0;
    gatewayLength = 0;
    bootId = 0;
    sequence = 0;
    size = 0;
    fieldCount = 0;
    timeCount = 0;
  }

  public void gateway(int offset, int length) {
    gatewayOffset = offset;
    gatewayLength = length;
  }

  public void bootId(long id) {
    bootId = id;
  }

  public void sequence(long number) {
    sequence = number;
  }

  /** Begins an event, whose message is at a range of the record. */
  public void begin(int offset, int length) {
    if (size == flags.length) {
      int more = 2 * size;
      places = Arrays.copyOf(places, more * PLACES);
      numbers = Arrays.copyOf(numbers, more * NUMBERS);
      flags = Arrays.copyOf(flags, more);
      refusals = Arrays.copyOf(refusals, more);
      fieldsEnd = Arrays.copyOf(fieldsEnd, more);
      timesEnd = Arrays.copyOf(timesEnd, more);
    }
    Arrays.fill(places, size * PLACES, (size + 1) * PLACES, 0);
    Arrays.fill(numbers, size * NUMBERS, (size + 1) * NUMBERS, 0);
    flags[size] = 0;
    refusals[size] = null;
    places[size * PLACES + MESSAGE] = offset;
    places[size * PLACES + MESSAGE + 1] = length;
    fieldsEnd[size] = fieldCount;
    timesEnd[size] = timeCount;
    size++;
  }

  /** Sets a text of the last event. */
  public void text(Text which, int offset, int length) {
    int at = (size - 1) * PLACES + 2 * which.ordinal();
    places[at] = offset;
    places[at + 1] = length;
  }

  /** Sets the event time of the last event; the other setters likewise. */
  public void timestampMs(long ms) {
    numbers[(size - 1) * NUMBERS] = ms;
  }

  public void dueMs(long ms) {
    numbers[(size - 1) * NUMBERS + 1] = ms;
  }

  public void everyMs(long ms) {
    numbers[(size - 1) * NUMBERS + 2] = ms;
  }

  public void expiresMs(long ms) {
    numbers[(size - 1) * NUMBERS + 4] = ms;
  }

  public void cancel(boolean cancel) {
    flag(CANCEL, cancel);
  }

  /** Sets whether the last event starts its key. */
  public void begins(boolean start) {
    flag(START, start);
  }

  private void flag(byte flag, boolean isSet) {
    flags[size - 1] = (byte) (isSet ? flags[size - 1] | flag : flags[size - 1] & ~flag);
  }

  /** Adds a field to the last event. */
  public void field(int nameOffset, int nameLength, int valueOffset, int valueLength) {
    int at = 4 * fieldCount;
    if (at == fields.length) {
      fields = Arrays.copyOf(fields, 2 * at);
    }
    fields[at] = nameOffset;
    fields[at + 1] = nameLength;
    fields[at + 2] = valueOffset;
    fields[at + 3] = valueLength;
    fieldCount++;
    fieldsEnd[size - 1] = fieldCount;
  }

  /** Adds the time of a field to the last event. */
  public void fieldTime(int nameOffset, int nameLength, long timestampMs) {
    if (timeCount == times.length) {
      times = Arrays.copyOf(times, Math.max(64, 2 * timeCount));
      timeNames = Arrays.copyOf(timeNames, 2 * times.length);
    }
    timeNames[2 * timeCount] = nameOffset;
    timeNames[2 * timeCount + 1] = nameLength;
    times[timeCount++] = timestampMs;
    timesEnd[size - 1] = timeCount;
  }

  /** The record to which offsets refer. */
  public byte[] record() {
    return record;
  }

  /** Number of events. */
  public int size() {
    return size;
  }

  public int offset(int event, Text which) {
    return places[event * PLACES + 2 * which.ordinal()];
  }

  public int length(int event, Text which) {
    return places[event * PLACES + 2 * which.ordinal() + 1];
  }

  /** A text's bytes, a copy. */
  public byte[] bytes(int event, Text which) {
    int offset = offset(event, which);
    return Arrays.copyOfRange(record, offset, offset + length(event, which));
  }

  /** Where the event's message begins. */
  public int messageOffset(int event) {
    return places[event * PLACES + MESSAGE];
  }

  public int messageLength(int event) {
    return places[event * PLACES + MESSAGE + 1];
  }

  public long timestampMs(int event) {
    return numbers[event * NUMBERS];
  }

  public long dueMs(int event) {
    return numbers[event * NUMBERS + 1];
  }

  public long everyMs(int event) {
    return numbers[event * NUMBERS + 2];
  }

  /** When it expires; 0 for never. */
  public long expiresMs(int event) {
    return numbers[event * NUMBERS + 4];
  }

  public boolean isCancel(int event) {
    return (flags[event] & CANCEL) != 0;
  }

  public boolean isStart(int event) {
    return (flags[event] & START) != 0;
  }

  /** The first of an event's fields, by number in the batch. */
  public int firstField(int event) {
    return event == 0 ? 0 : fieldsEnd[event - 1];
  }

  /** After the last of an event's fields. */
  public int fieldsEnd(int event) {
    return fieldsEnd[event];
  }

  /** The first of an event's field times, by number in the batch. */
  int firstTime(int event) {
    return event == 0 ? 0 : timesEnd[event - 1];
  }

  /** After the last of an event's field times. */
  int timesEnd(int event) {
    return timesEnd[event];
  }

  int timeNameOffset(int time) {
    return timeNames[2 * time];
  }

  int timeNameLength(int time) {
    return timeNames[2 * time + 1];
  }

  long timeMs(int time) {
    return times[time];
  }

  int nameOffset(int field) {
    return fields[4 * field];
  }

  int nameLength(int field) {
    return fields[4 * field + 1];
  }

  int valueOffset(int field) {
    return fields[4 * field + 2];
  }

  int valueLength(int field) {
    return fields[4 * field + 3];
  }

  /** Why an event is refused; null if it is not. */
  public EventRefusal refusal(int event) {
    return refusals[event];
  }

  public void refuse(int event, EventRefusal why) {
    refusals[event] = why;
  }

  @Override
  public String gatewayId() {
    return record == null
        ? ""
        : new String(record, gatewayOffset, gatewayLength, StandardCharsets.UTF_8);
  }

  /** Its gateway as a number, see {@link WriterId}. */
  public long writerId() {
    return writerId.of(record, gatewayOffset, gatewayLength);
  }

  @Override
  public int gatewayOffset() {
    return gatewayOffset;
  }

  @Override
  public int gatewayLength() {
    return gatewayLength;
  }

  @Override
  public long bootId() {
    return bootId;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  /**
   * Identifies a gateway by the first eight bytes of its id's SHA-256, for limits per gateway: it
   * is hard to find an id that counts as another's. Caches the last one. Not thread-safe.
   */
  static final class WriterId {
    private static final byte[] NO_ID = {};

    private final MessageDigest digest = digest();
    private byte[] last = NO_ID;
    private long lastId = EventColumns.NOBODY;

    private static MessageDigest digest() {
      try {
        return MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }

    long of(byte[] record, int offset, int length) {
      if (length == 0) {
        return EventColumns.NOBODY;
      }
      if (!Arrays.equals(record, offset, offset + length, last, 0, last.length)) {
        last = Arrays.copyOfRange(record, offset, offset + length);
        lastId = ByteBuffer.wrap(digest.digest(last)).getLong();
      }
      return lastId;
    }
  }
}
