package io.weir.lab;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;
import org.apache.kafka.common.requests.ResponseHeader;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.apache.kafka.common.utils.ByteUtils;

/**
 * A record batch as a hostile producer makes it, written straight to a broker: a few records whose
 * values are zeros, so large that no honest producer could hold them, and small when compressed.
 */
public final class RawBatch {
  /** The last version that names topics and knows nothing of transactions of the second kind. */
  private static final short PRODUCE_VERSION = 11;

  private static final int TIMEOUT_MS = 60_000;
  private static final byte[] ZEROS = new byte[1 << 16];

  private RawBatch() {}

  /** A compressed batch of so many records, the value of each that many zeros. */
  public static MemoryRecords ofZeros(Compression compression, int records, int valueBytes)
      throws IOException {
    ByteBufferOutputStream compressed = new ByteBufferOutputStream(1 << 16);
    compressed.position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
    try (DataOutputStream out =
        new DataOutputStream(
            compression.wrapForOutput(compressed, RecordBatch.CURRENT_MAGIC_VALUE))) {
      for (int record = 0; record < records; record++) {
        writeRecord(out, record, valueBytes);
      }
    }
    ByteBuffer batch = compressed.buffer();
    int bytes = batch.position();
    batch.flip();
    DefaultRecordBatch.writeHeader(
        batch,
        0,
        records - 1,
        bytes,
        RecordBatch.CURRENT_MAGIC_VALUE,
        compression.type(),
        TimestampType.CREATE_TIME,
        1,
        1,
        RecordBatch.NO_PRODUCER_ID,
        RecordBatch.NO_PRODUCER_EPOCH,
        RecordBatch.NO_SEQUENCE,
        false,
        false,
        false,
        RecordBatch.NO_PARTITION_LEADER_EPOCH,
        records);
    return MemoryRecords.readableRecords(batch.rewind());
  }

  /**
   * A compressed batch of so many times the same record, of which no more than the compressed bytes
   * are held.
   *
   * @param key may be null
   * @param value may be null
   */
  public static MemoryRecords ofCopies(
      Compression compression, int records, byte[] key, byte[] value, Header[] headers) {
    try (MemoryRecordsBuilder builder =
        MemoryRecords.builder(
            ByteBuffer.allocate(1 << 20), compression, TimestampType.CREATE_TIME, 0)) {
      for (int record = 0; record < records; record++) {
        builder.append(1, key, value, headers);
      }
      return builder.build();
    }
  }

  private static void writeRecord(DataOutputStream out, int offsetDelta, int valueBytes)
      throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    DataOutputStream fields = new DataOutputStream(head);
    fields.write(0);
    ByteUtils.writeVarlong(0, fields);
    ByteUtils.writeVarint(offsetDelta, fields);
    ByteUtils.writeVarint(-1, fields);
    ByteUtils.writeVarint(valueBytes, fields);
    ByteUtils.writeVarint(head.size() + valueBytes + 1, out);
    head.writeTo(out);
    for (int left = valueBytes; left > 0; left -= ZEROS.length) {
      out.write(ZEROS, 0, Math.min(left, ZEROS.length));
    }
    ByteUtils.writeVarint(0, out);
  }

  /**
   * Writes a batch to a partition, over a connection of its own without encryption.
   *
   * @param server host:port of the partition's leader
   * @return the offset of its first record
   */
  public static long send(String server, String topic, int partition, MemoryRecords batch)
      throws IOException {
    RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, PRODUCE_VERSION, "raw", 1);
    TopicProduceData ofTopic =
        new TopicProduceData()
            .setName(topic)
            .setPartitionData(
                List.of(new PartitionProduceData().setIndex(partition).setRecords(batch)));
    ProduceRequestData request =
        new ProduceRequestData()
            .setAcks((short) -1)
            .setTimeoutMs(TIMEOUT_MS)
            .setTopicData(new TopicProduceDataCollection(List.of(ofTopic).iterator()));
    ByteBuffer bytes =
        RequestUtils.serialize(header.data(), header.headerVersion(), request, PRODUCE_VERSION);
    int colon = server.lastIndexOf(':');
    try (Socket socket =
        new Socket(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)))) {
      socket.setSoTimeout(TIMEOUT_MS);
      OutputStream out = socket.getOutputStream();
      out.write(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.remaining()).array());
      out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
      out.flush();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      return firstOffset(ByteBuffer.wrap(in.readNBytes(in.readInt())), header);
    }
  }

  private static long firstOffset(ByteBuffer response, RequestHeader header) {
    ResponseHeader.parse(response, header.toResponseHeader().headerVersion());
    ProduceResponseData.PartitionProduceResponse partition =
        new ProduceResponseData(new ByteBufferAccessor(response), PRODUCE_VERSION)
            .responses()
            .iterator()
            .next()
            .partitionResponses()
            .get(0);
    Errors.forCode(partition.errorCode()).maybeThrow();
    return partition.baseOffset();
  }
}
