package io.weir.internal.serve.memory;

import io.weir.topic.Topic;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * Recent records in segments of memory, oldest out. Each record points to the one before it of the
 * same sensor, so that the newest records of a sensor are read without an index. Positions grow
 * forever. Not safe for threads.
 *
 * <p>A record is: position of the one before (8 bytes), append time (8), offset (8), topic (1),
 * partition (2), length (4), value.
 */
final class RecordRing {
  /** The position before the first record of a sensor. */
  static final long NONE = -1;

  /** Bytes of a record beside its value. */
  static final int HEADER_BYTES = 31;

  private static final int AT_APPENDED = 8;
  private static final int AT_OFFSET = 16;
  private static final int AT_TOPIC = 24;
  private static final int AT_PARTITION = 25;
  private static final int AT_LENGTH = 27;
  private static final Topic[] TOPICS = Topic.values();

  private final int segmentBytes;
  private final Dropped dropped;

  /** By the position of their first byte. */
  private final TreeMap<Long, ByteBuffer> segments = new TreeMap<>();

  private long capacity;
  private long bytes;
  private long end;

  /** Receives each record that leaves the ring. */
  @FunctionalInterface
  interface Dropped {
    void record(Topic topic, int partition, long offset, long appendMs);
  }

  /**
   * @param segmentBytes size of a segment; larger records get one of their own
   */
  RecordRing(int segmentBytes, long capacity, Dropped dropped) {
    this.segmentBytes = segmentBytes;
    this.capacity = capacity;
    this.dropped = dropped;
  }

  /** Sets how many bytes it may take; at least its newest segment stays. */
  void setCapacity(long bytes) {
    capacity = bytes;
    shrink(0, 1);
  }

  /**
   * Appends a record.
   *
   * @param before position of the record before it, {@link #NONE} for none
   * @return its position
   */
  long append(long before, Stored record) {
    int size = HEADER_BYTES + record.value().length;
    Map.Entry<Long, ByteBuffer> last = segments.lastEntry();
    if (last == null || last.getValue().remaining() < size) {
      last = newSegment(Math.max(segmentBytes, size));
    }
    ByteBuffer content = last.getValue();
    long position = last.getKey() + content.position();
    content
        .putLong(before)
        .putLong(record.appendMs())
        .putLong(record.offset())
        .put((byte) record.topic().ordinal())
        .putShort((short) record.partition())
        .putInt(record.value().length)
        .put(record.value());
    end = last.getKey() + content.position();
    return position;
  }

  private Map.Entry<Long, ByteBuffer> newSegment(int size) {
    shrink(size, 0);
    segments.put(end, ByteBuffer.allocate(size));
    bytes += size;
    return segments.lastEntry();
  }

  private void shrink(int more, int least) {
    while (bytes + more > capacity && segments.size() > least) {
      drop(segments.pollFirstEntry().getValue());
    }
  }

  private void drop(ByteBuffer segment) {
    bytes -= segment.capacity();
    int at = 0;
    while (at < segment.position()) {
      dropped.record(
          TOPICS[segment.get(at + AT_TOPIC)],
          segment.getShort(at + AT_PARTITION),
          segment.getLong(at + AT_OFFSET),
          segment.getLong(at + AT_APPENDED));
      at += HEADER_BYTES + segment.getInt(at + AT_LENGTH);
    }
  }

  /** Whether a position is still held. */
  boolean holds(long position) {
    return !segments.isEmpty() && position >= segments.firstKey();
  }

  /** The record at a position that is held. */
  Stored at(long position) {
    Map.Entry<Long, ByteBuffer> segment = segments.floorEntry(position);
    ByteBuffer content = segment.getValue();
    int at = (int) (position - segment.getKey());
    byte[] value = new byte[content.getInt(at + AT_LENGTH)];
    content.get(at + HEADER_BYTES, value);
    return new Stored(
        TOPICS[content.get(at + AT_TOPIC)],
        content.getShort(at + AT_PARTITION),
        content.getLong(at + AT_OFFSET),
        content.getLong(at + AT_APPENDED),
        value);
  }

  /** The position of the record before one that is held. */
  long before(long position) {
    Map.Entry<Long, ByteBuffer> segment = segments.floorEntry(position);
    return segment.getValue().getLong((int) (position - segment.getKey()));
  }

  /** Memory of its segments. */
  long bytes() {
    return bytes;
  }
}
