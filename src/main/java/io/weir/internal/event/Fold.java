package io.weir.internal.event;

import io.weir.internal.event.EventColumns.Text;
import io.weir.internal.event.FoldedField.Moment;
import io.weir.reading.IdBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The merged events of one key and type since their last quiet period. A function of these events
 * and their positions in the log. Its bytes in the table are the length of the key, 2 bytes
 * big-endian, the key, and the type. Not thread-safe.
 */
public final class Fold extends KeyTable.Entry {
  /** Fields that are written together. */
  public static final int FIELDS_A_CHUNK = 32;

  /**
   * Maximum size of a fold, so that it fits in a record of the topic, and each part in a record of
   * the changelog.
   */
  public static final int MAX_BYTES = 900_000;

  private static final int KEY_OFFSET = Short.BYTES;

  /** Memory of a fold besides its key, type, fields and subjects, in bytes. */
  static final int OVERHEAD_BYTES = 500;

  /** Memory of a field besides its bytes in the record. */
  static final int FIELD_OVERHEAD_BYTES = 100;

  private final long writerId;
  private final long offset;
  private final int index;
  private final long firstLogMs;
  private long lastLogMs;
  private long events;
  private long firstTimestampMs = Long.MAX_VALUE;
  private long lastTimestampMs = Long.MIN_VALUE;
  private final KeyTable<FoldedField> byName = new KeyTable<>();
  private final List<FoldedField> fields = new ArrayList<>(4);
  private final Subjects subjects = new Subjects();
  private int bytes;

  /** Chunks of fields that changed since they were last written. */
  private final BitSet changedChunks = new BitSet(1);

  private int fieldsWritten;

  private int subjectsWritten;
  private boolean isWritten;

  /**
   * The fold that last had an event after this one, and its inverse: each fold follows at most one
   * other.
   */
  Fold follower;

  Fold follows;

  /** Neighbours among all folds by the time of the last event, and by that of the first. */
  Fold quieter;

  Fold later;
  Fold older;
  Fold younger;

  /** Its writer, and its neighbours among that writer's folds by the time of the first event. */
  FoldWriters.Writer writer;

  Fold olderOfWriter;
  Fold youngerOfWriter;

  Fold(byte[] name, long writerId, long offset, int index, long logMs) {
    super(name);
    this.writerId = writerId;
    this.offset = offset;
    this.index = index;
    this.firstLogMs = logMs;
    this.lastLogMs = logMs;
  }

  /**
   * Restores it without fields and subjects.
   *
   * @param name see {@link #isName}
   */
  public Fold(
      byte[] name,
      long writerId,
      long offset,
      int index,
      long firstLogMs,
      long lastLogMs,
      long events,
      long firstTimestampMs,
      long lastTimestampMs) {
    this(name, writerId, offset, index, firstLogMs);
    this.lastLogMs = lastLogMs;
    this.events = events;
    this.firstTimestampMs = firstTimestampMs;
    this.lastTimestampMs = lastTimestampMs;
  }

  /** Writes the bytes of an event's fold in the table. */
  static int writeName(EventColumns batch, int event, byte[] name) {
    int key = batch.length(event, Text.KEY);
    int type = batch.length(event, Text.TYPE);
    name[0] = (byte) (key >> 8);
    name[1] = (byte) key;
    System.arraycopy(batch.record(), batch.offset(event, Text.KEY), name, KEY_OFFSET, key);
    System.arraycopy(batch.record(), batch.offset(event, Text.TYPE), name, KEY_OFFSET + key, type);
    return KEY_OFFSET + key + type;
  }

  static int nameLength(EventColumns batch, int event) {
    return KEY_OFFSET + batch.length(event, Text.KEY) + batch.length(event, Text.TYPE);
  }

  /** Whether an event has its key and type. */
  boolean isOf(EventColumns batch, int event) {
    int length = batch.length(event, Text.KEY);
    int typeLength = batch.length(event, Text.TYPE);
    byte[] record = batch.record();
    return keyLength(key) == length
        && key.length == KEY_OFFSET + length + typeLength
        && IdBytes.equal(key, KEY_OFFSET, record, batch.offset(event, Text.KEY), length)
        && IdBytes.equal(
            key, KEY_OFFSET + length, record, batch.offset(event, Text.TYPE), typeLength);
  }

  private static int keyLength(byte[] name) {
    return (name[0] & 0xff) << 8 | name[1] & 0xff;
  }

  /** Whether bytes can name a fold. */
  public static boolean isName(byte[] name) {
    return name.length >= KEY_OFFSET && name.length >= KEY_OFFSET + keyLength(name);
  }

  /** Whether an event fits; any event fits in an empty fold. */
  boolean hasRoomFor(EventColumns batch, int event, int maxFields) {
    if (events == 0) {
      return true;
    }
    if (surelyHasRoomFor(batch, event, maxFields)) {
      return true;
    }
    byte[] record = batch.record();
    int most = bytes;
    int more = 0;
    for (int f = batch.firstField(event); f < batch.fieldsEnd(event); f++) {
      most += 2 * batch.valueLength(f);
      if (byName.get(record, batch.nameOffset(f), batch.nameLength(f)) == null) {
        most += batch.nameLength(f) + FoldedField.OVERHEAD_BYTES;
        more++;
      }
    }
    return fields.size() + more <= maxFields && most <= MAX_BYTES;
  }

  /** A fast check that counts all fields as new, without look-ups. */
  private boolean surelyHasRoomFor(EventColumns batch, int event, int maxFields) {
    int more = batch.fieldsEnd(event) - batch.firstField(event);
    long most = bytes + 2L * batch.messageLength(event) + (long) more * FoldedField.OVERHEAD_BYTES;
    return fields.size() + more <= maxFields && most <= MAX_BYTES;
  }

  void add(EventColumns batch, int event, long atOffset, long logMs) {
    byte[] record = batch.record();
    long timestampMs = batch.timestampMs(event);
    lastLogMs = logMs;
    events++;
    firstTimestampMs = Math.min(firstTimestampMs, timestampMs);
    lastTimestampMs = Math.max(lastTimestampMs, timestampMs);
    subjects.add(record, batch.offset(event, Text.SUBJECT), batch.length(event, Text.SUBJECT));
    Moment at = new Moment(timestampMs, atOffset, event);
    FieldTimes times = FieldTimes.of(batch, event);
    for (int f = batch.firstField(event); f < batch.fieldsEnd(event); f++) {
      FoldedField field = byName.get(record, batch.nameOffset(f), batch.nameLength(f));
      if (field == null) {
        int from = batch.nameOffset(f);
        byte[] name = Arrays.copyOfRange(record, from, from + batch.nameLength(f));
        field = new FoldedField(name, fields.size());
        byName.add(field);
        fields.add(field);
      } else {
        bytes -= field.bytes();
      }
      long fieldMs =
          times == null ? timestampMs : times.of(record, batch.nameOffset(f), batch.nameLength(f));
      Moment moment = fieldMs == timestampMs ? at : new Moment(fieldMs, atOffset, event);
      field.take(record, batch.valueOffset(f), batch.valueLength(f), moment);
      bytes += field.bytes();
      changedChunks.set(field.slot() / FIELDS_A_CHUNK);
    }
  }

  /** Restores a field; fields are restored in the order of their slots. */
  public void restore(FoldedField field) {
    byName.add(field);
    fields.add(field);
    bytes += field.bytes();
  }

  /** Approximate memory in bytes; a function of key, type, fields and subjects. */
  long memoryBytes() {
    return OVERHEAD_BYTES
        + key.length
        + bytes
        + (long) fields.size() * FIELD_OVERHEAD_BYTES
        + subjects.memoryBytes();
  }

  /** Key and type as one: see the class. */
  public byte[] name() {
    return key;
  }

  /** A copy. */
  public byte[] key() {
    return Arrays.copyOfRange(key, KEY_OFFSET, KEY_OFFSET + keyLength(key));
  }

  /** A copy. */
  public byte[] type() {
    return Arrays.copyOfRange(key, KEY_OFFSET + keyLength(key), key.length);
  }

  /** The gateway of its first event, see {@link EventColumns#writerId}. */
  public long writerId() {
    return writerId;
  }

  boolean beganBefore(Fold other) {
    return offset != other.offset ? offset < other.offset : index < other.index;
  }

  /** Offset of its first event's batch. */
  public long offset() {
    return offset;
  }

  /** Index of its first event in that batch. */
  public int index() {
    return index;
  }

  /** Log time of its first event, in milliseconds. */
  public long firstLogMs() {
    return firstLogMs;
  }

  public long lastLogMs() {
    return lastLogMs;
  }

  public long events() {
    return events;
  }

  public long firstTimestampMs() {
    return firstTimestampMs;
  }

  public long lastTimestampMs() {
    return lastTimestampMs;
  }

  /** The fields in order of arrival. */
  public List<FoldedField> fields() {
    return fields;
  }

  public Subjects subjects() {
    return subjects;
  }

  /** Chunks of fields to write. */
  public BitSet changedChunks() {
    return changedChunks;
  }

  /** How many subjects were written. */
  public int subjectsWritten() {
    return subjectsWritten;
  }

  /** How many fields were written. */
  public int fieldsWritten() {
    return fieldsWritten;
  }

  /** Whether any part of it was written and must be deleted at its end. */
  public boolean isWritten() {
    return isWritten;
  }

  /** Marks all of it as unwritten. */
  public void unwritten() {
    changedChunks.set(0, (fields.size() + FIELDS_A_CHUNK - 1) / FIELDS_A_CHUNK);
    fieldsWritten = 0;
    subjectsWritten = 0;
    isWritten = false;
  }

  /** All was written. */
  public void written() {
    isWritten = true;
    changedChunks.clear();
    fieldsWritten = fields.size();
    subjectsWritten = subjects.inOrder().size();
  }

  /**
   * The times of an event's fields, if they differ from the event's: a publisher that folds sends
   * them. Not thread-safe.
   */
  static final class FieldTimes {
    private static final class Time extends KeyTable.Entry {
      private long ms;

      Time(byte[] name) {
        super(name);
      }
    }

    private final KeyTable<Time> byName = new KeyTable<>();
    private final long eventMs;

    private FieldTimes(long eventMs) {
      this.eventMs = eventMs;
    }

    /** The times of an event, or null if all fields have the event's. */
    static FieldTimes of(EventColumns batch, int event) {
      if (batch.firstTime(event) == batch.timesEnd(event)) {
        return null;
      }
      FieldTimes times = new FieldTimes(batch.timestampMs(event));
      byte[] record = batch.record();
      for (int t = batch.firstTime(event); t < batch.timesEnd(event); t++) {
        int offset = batch.timeNameOffset(t);
        int length = batch.timeNameLength(t);
        Time time = times.byName.get(record, offset, length);
        if (time == null) {
          time = new Time(Arrays.copyOfRange(record, offset, offset + length));
          times.byName.add(time);
        }
        time.ms = batch.timeMs(t); // Of several the last one counts, as in protobuf.
      }
      return times;
    }

    long of(byte[] record, int nameOffset, int nameLength) {
      Time time = byName.get(record, nameOffset, nameLength);
      return time == null ? eventMs : time.ms;
    }
  }
}
