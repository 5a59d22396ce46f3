package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.PartitionTime;
import java.io.IOException;
import org.apache.kafka.common.Uuid;

/**
 * How far a state has come with its partition: the topic and the offset of the last record applied,
 * and the partition's times.
 *
 * <p>As bytes, {@value #MOST_BYTES} at the most: log time, append time of the last record, offset
 * after it, as zigzag varints; id of its topic, 16 bytes. Not safe for several threads.
 */
public final class InputPosition {
  /** Of a position as bytes. */
  public static final int MOST_BYTES = 46;

  private final PartitionTime time;
  private Uuid topicId = Uuid.ZERO_UUID;
  private long nextOffset;
  private boolean unwritten;

  /**
   * @param longestGapMs how much log time passes between two records at the most, see {@link
   *     PartitionTime}
   */
  public InputPosition(long longestGapMs) {
    this.time = new PartitionTime(longestGapMs);
  }

  /**
   * A record is about to be applied.
   *
   * @return how far its append time is behind that of the record before, in milliseconds
   */
  public long observe(long appendMs, long offset, Uuid ofTopic) {
    nextOffset = offset + 1;
    topicId = ofTopic;
    unwritten = true;
    return time.observe(appendMs);
  }

  /** Offset after the last record applied, 0 for none. */
  public long nextOffset() {
    return nextOffset;
  }

  /** The topic of the last record applied; {@link Uuid#ZERO_UUID} where that is not known. */
  public Uuid topicId() {
    return topicId;
  }

  /** The times of the partition. */
  public PartitionTime time() {
    return time;
  }

  /** Whether records were applied since it was last {@link #written()}. */
  public boolean unwritten() {
    return unwritten;
  }

  /** What was applied is in the changelog. */
  public void written() {
    unwritten = false;
  }

  /** Writes it as bytes. */
  public void write(CodedOutputStream out) throws IOException {
    out.writeSInt64NoTag(time.logMs());
    out.writeSInt64NoTag(time.appendMs());
    out.writeSInt64NoTag(nextOffset);
    out.writeFixed64NoTag(topicId.getMostSignificantBits());
    out.writeFixed64NoTag(topicId.getLeastSignificantBits());
  }

  /** Puts back what was written. */
  public void read(CodedInputStream in) throws IOException {
    time.restore(in.readSInt64(), in.readSInt64());
    nextOffset = in.readSInt64();
    topicId = new Uuid(in.readFixed64(), in.readFixed64());
  }

  /** No record was applied. */
  public void clear() {
    time.restore(PartitionTime.NONE, PartitionTime.NONE);
    nextOffset = 0;
    topicId = Uuid.ZERO_UUID;
    unwritten = false;
  }
}
