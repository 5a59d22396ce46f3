package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.kafka.common.Uuid;

/**
 * Which of the operators' orders was carried out last, as an entry of the changelog: orders come as
 * marks on the partition, and a copy of a mark is no second order.
 *
 * <pre>
 * order   format 1 | offset of the order, a varint | id of its topic, 16 bytes
 * </pre>
 */
final class OrderEntry {
  private static final int FORMAT = 1;
  private static final long NONE = -1;
  private static final int MOST_BYTES = 32;

  private Uuid topicId = Uuid.ZERO_UUID;
  private long last = NONE;
  private boolean unwritten;

  /**
   * Whether an order is to be carried out; it counts as carried out from then on.
   *
   * @param order its offset
   * @param ofTopic the topic that it is on
   */
  boolean accept(Uuid ofTopic, long order) {
    if (ofTopic.equals(topicId) && order <= last) {
      return false;
    }
    topicId = ofTopic;
    last = order;
    unwritten = true;
    return true;
  }

  /** Writes it if it changed since it was last written. */
  void flush(ChangeLog log) throws IOException {
    if (unwritten) {
      log.put(StateKey.control(), encode());
      unwritten = false;
    }
  }

  private byte[] encode() throws IOException {
    byte[] buffer = new byte[MOST_BYTES];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    out.writeUInt32NoTag(FORMAT);
    out.writeUInt64NoTag(last);
    out.writeFixed64NoTag(topicId.getMostSignificantBits());
    out.writeFixed64NoTag(topicId.getLeastSignificantBits());
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  void restore(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    int format = in.readUInt32();
    if (format != FORMAT) {
      throw StateMismatchException.ofFormat(format, FORMAT);
    }
    last = in.readUInt64();
    topicId = new Uuid(in.readFixed64(), in.readFixed64());
  }

  void clear() {
    topicId = Uuid.ZERO_UUID;
    last = NONE;
    unwritten = false;
  }
}
