package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The bytes of a {@link PublisherState}, all numbers big-endian:
 *
 * <pre>
 *   8 bytes    "WEIRPUB1"
 *   4 + n      length of the gateway id in bytes, the id as UTF-8
 *   8          boot id
 *   64 x 8     last sequence of each partition
 *   4          number of unacknowledged batches, and for each
 *     8          boot id
 *     4          partition
 *     8          sequence
 *     4          readings
 *     4 + n      length of the value, the value
 *   4          CRC-32 of everything before it
 * </pre>
 */
final class PublisherStateFormat {
  private static final byte[] MAGIC = "WEIRPUB1".getBytes(StandardCharsets.US_ASCII);
  private static final int BATCH_BYTES = 2 * Long.BYTES + 3 * Integer.BYTES;
  private static final int FIXED_BYTES =
      MAGIC.length + Long.BYTES + SensorPartition.COUNT * Long.BYTES + 3 * Integer.BYTES;

  private PublisherStateFormat() {}

  static byte[] toBytes(PublisherState state) {
    byte[] gatewayId = state.gatewayId().getBytes(StandardCharsets.UTF_8);
    long size = FIXED_BYTES + gatewayId.length;
    for (SequencedBatch batch : state.unacknowledged()) {
      size += BATCH_BYTES + batch.value().length;
    }
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size));
    out.put(MAGIC);
    putBytes(out, gatewayId);
    out.putLong(state.bootId());
    state.lastSequences().forEach(out::putLong);
    out.putInt(state.unacknowledged().size());
    state.unacknowledged().forEach(batch -> putBatch(out, batch));
    out.putInt(crc(out.array(), out.position()));
    return out.array();
  }

  static PublisherState fromBytes(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int content = bytes.length - Integer.BYTES;
      if (content < FIXED_BYTES - Integer.BYTES || in.getInt(content) != crc(bytes, content)) {
        throw new IllegalArgumentException("not a complete publisher state: wrong checksum");
      }
      in.limit(content);
      byte[] magic = new byte[MAGIC.length];
      in.get(magic);
      if (!Arrays.equals(magic, MAGIC)) {
        throw new IllegalArgumentException(
            "not a publisher state: it does not start with " + "WEIRPUB1");
      }
      return read(in);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("not a complete publisher state: truncated", e);
    }
  }

  private static PublisherState read(ByteBuffer in) {
    String gatewayId = new String(getBytes(in), StandardCharsets.UTF_8);
    long bootId = in.getLong();
    List<Long> lastSequences = new ArrayList<>();
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      lastSequences.add(in.getLong());
    }
    List<SequencedBatch> unacknowledged = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      unacknowledged.add(
          new SequencedBatch(in.getLong(), in.getInt(), in.getLong(), in.getInt(), getBytes(in)));
    }
    return new PublisherState(gatewayId, bootId, lastSequences, unacknowledged);
  }

  private static void putBatch(ByteBuffer out, SequencedBatch batch) {
    out.putLong(batch.bootId());
    out.putInt(batch.partition());
    out.putLong(batch.sequence());
    out.putInt(batch.readings());
    putBytes(out, batch.value());
  }

  private static void putBytes(ByteBuffer out, byte[] bytes) {
    out.putInt(bytes.length);
    out.put(bytes);
  }

  private static byte[] getBytes(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static int crc(byte[] bytes, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
