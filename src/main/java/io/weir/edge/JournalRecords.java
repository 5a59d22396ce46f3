package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The bytes of a {@link FileJournal}'s records, all numbers big-endian:
 *
 * <pre>
 *   4          "WRJ1"
 *   4          length of the payload
 *   4          CRC-32C of the payload
 *   payload    1 byte of kind, and
 *     1 BEGUN          2 + n gateway id as UTF-8, 8 boot id, then as in ACKNOWLEDGED
 *     2 BATCH          1 partition, 8 boot id, 8 sequence, 4 readings, the rest the value
 *     3 ACKNOWLEDGED   for each partition with acknowledgements: 1 partition, 8 boot id, 8 sequence
 *     4 BATCH_NANOS    as BATCH, but 4 length of the value before it and, behind it, the
 *                      nanoseconds below the milliseconds of its readings
 * </pre>
 */
final class JournalRecords {
  static final int MAGIC = 0x57524A31;
  static final int HEADER_BYTES = 3 * Integer.BYTES;
  static final byte BEGUN = 1;
  static final byte BATCH = 2;
  static final byte ACKNOWLEDGED = 3;
  static final byte BATCH_NANOS = 4;

  /** A longer record is damaged, because a batch fits a record of the topic. */
  static final int MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

  private static final int BATCH_META_BYTES = 2 + 2 * Long.BYTES + Integer.BYTES;

  private JournalRecords() {}

  /** The start of a publisher, at the head of a segment. */
  record Begun(String gatewayId, long bootId) {}

  static ByteBuffer begun(String gatewayId, long bootId, JournalMarks acknowledged) {
    byte[] id = gatewayId.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = allocate(1 + Short.BYTES + id.length + Long.BYTES + acknowledged.bytes());
    out.put(BEGUN).putShort((short) id.length).put(id).putLong(bootId);
    acknowledged.put(out);
    return sealed(out);
  }

  static ByteBuffer acknowledged(JournalMarks acknowledged) {
    ByteBuffer out = allocate(1 + acknowledged.bytes());
    out.put(ACKNOWLEDGED);
    acknowledged.put(out);
    return sealed(out);
  }

  static ByteBuffer batch(SequencedBatch batch) {
    boolean nanos = batch.nanos().length > 0;
    int more = nanos ? Integer.BYTES + batch.nanos().length : 0;
    ByteBuffer out = allocate(BATCH_META_BYTES + batch.value().length + more);
    out.put(nanos ? BATCH_NANOS : BATCH)
        .put((byte) batch.partition())
        .putLong(batch.bootId())
        .putLong(batch.sequence())
        .putInt(batch.readings());
    if (nanos) {
      out.putInt(batch.value().length);
    }
    return sealed(out.put(batch.value()).put(batch.nanos()));
  }

  /** Whether a record of that kind has a batch. */
  static boolean isBatch(byte kind) {
    return kind == BATCH || kind == BATCH_NANOS;
  }

  /** Parses a payload of kind BEGUN; applies its acknowledgements. */
  static Begun readBegun(ByteBuffer payload, JournalMarks acknowledged) {
    byte[] id = new byte[payload.getShort()];
    payload.get(id);
    long bootId = payload.getLong();
    acknowledged.take(payload);
    return new Begun(new String(id, StandardCharsets.UTF_8), bootId);
  }

  static SequencedBatch readBatch(byte kind, ByteBuffer payload) {
    int partition = payload.get();
    long bootId = payload.getLong();
    long sequence = payload.getLong();
    int readings = payload.getInt();
    byte[] value = new byte[kind == BATCH_NANOS ? payload.getInt() : payload.remaining()];
    payload.get(value);
    byte[] nanos = new byte[payload.remaining()];
    payload.get(nanos);
    if (partition < 0 || partition >= SensorPartition.COUNT) {
      throw new IllegalArgumentException("partition " + partition);
    }
    return new SequencedBatch(bootId, partition, sequence, readings, value, nanos);
  }

  static int crc(ByteBuffer payload) {
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate());
    return (int) crc.getValue();
  }

  private static ByteBuffer allocate(int payloadBytes) {
    return ByteBuffer.allocate(HEADER_BYTES + payloadBytes).position(HEADER_BYTES);
  }

  private static ByteBuffer sealed(ByteBuffer out) {
    out.flip();
    int payloadBytes = out.limit() - HEADER_BYTES;
    int crc = crc(out.duplicate().position(HEADER_BYTES));
    return out.putInt(MAGIC).putInt(payloadBytes).putInt(crc).rewind();
  }
}
