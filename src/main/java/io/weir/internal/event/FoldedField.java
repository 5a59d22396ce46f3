package io.weir.internal.event;

import io.weir.reading.IdBytes;
import java.util.Arrays;

/** One field of a fold. Values are encoded {@code weir.v1.Value}s. */
public final class FoldedField extends KeyTable.Entry {
  /** The order of an event in its fold: by time, then by its position in the log. */
  public record Moment(long timestampMs, long offset, int index) implements Comparable<Moment> {
    @Override
    public int compareTo(Moment other) {
      int byTime = Long.compare(timestampMs, other.timestampMs);
      if (byTime != 0) {
        return byTime;
      }
      int byOffset = Long.compare(offset, other.offset);
      return byOffset != 0 ? byOffset : Integer.compare(index, other.index);
    }
  }

  /** Memory of a field besides its name and values, in bytes. */
  static final int OVERHEAD_BYTES = 64;

  private final int slot;
  private byte[] first;
  private Moment firstAt;
  private byte[] last;
  private Moment lastAt;
  private long occurrences;
  private Moment taken;

  FoldedField(byte[] name, int slot) {
    super(name);
    this.slot = slot;
  }

  /** Restores a field. */
  public FoldedField(
      byte[] name,
      int slot,
      byte[] first,
      Moment firstAt,
      byte[] last,
      Moment lastAt,
      long occurrences) {
    this(name, slot);
    this.first = first;
    this.firstAt = firstAt;
    this.last = last;
    this.lastAt = lastAt;
    this.occurrences = occurrences;
  }

  /** Adds the value of an event; of two values in one event the later one counts. */
  void take(byte[] record, int offset, int length, Moment at) {
    boolean again = taken != null && taken.offset == at.offset && taken.index == at.index;
    taken = at;
    if (firstAt == null || at.compareTo(firstAt) <= 0) {
      first = value(record, offset, length, first);
      firstAt = at;
    }
    if (lastAt == null || at.compareTo(lastAt) >= 0) {
      last = value(record, offset, length, lastAt == null ? first : last);
      lastAt = at;
    }
    occurrences += again ? 0 : 1;
  }

  private static byte[] value(byte[] record, int offset, int length, byte[] before) {
    return before != null
            && before.length == length
            && IdBytes.equal(before, 0, record, offset, length)
        ? before
        : Arrays.copyOfRange(record, offset, offset + length);
  }

  /** Approximate size in memory and as protobuf, in bytes. */
  int bytes() {
    return key.length + first.length + last.length + OVERHEAD_BYTES;
  }

  public byte[] name() {
    return key;
  }

  /** Its index among the fold's fields, in order of arrival. */
  public int slot() {
    return slot;
  }

  public byte[] first() {
    return first;
  }

  public Moment firstAt() {
    return firstAt;
  }

  public byte[] last() {
    return last;
  }

  public Moment lastAt() {
    return lastAt;
  }

  public long occurrences() {
    return occurrences;
  }
}
