package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;

/**
 * A transaction that is open in a partition, and of which no coordinator knows: written as a bare
 * request, to a broker that does not verify with the coordinator.
 *
 * @param partition it is open in
 */
record HangingTransaction(TopicPartition partition) {
  private static final long PRODUCER_ID = 987_654;
  private static final short EPOCH = 3;

  /** The last version that names topics and lets the client add partitions to transactions. */
  private static final short VERSION = 11;

  /** Opens it, in a partition that is empty. */
  static HangingTransaction begin(String bootstrapServer, TopicPartition partition)
      throws IOException {
    MemoryRecords records =
        MemoryRecords.withTransactionalRecords(
            Compression.NONE, PRODUCER_ID, EPOCH, 0, new SimpleRecord(new byte[] {1}));
    TopicProduceData topic =
        new TopicProduceData()
            .setName(partition.topic())
            .setPartitionData(
                List.of(
                    new PartitionProduceData()
                        .setIndex(partition.partition())
                        .setRecords(records)));
    ProduceRequestData data =
        new ProduceRequestData()
            .setTransactionalId("nobody")
            .setAcks((short) -1)
            .setTimeoutMs(10_000)
            .setTopicData(new TopicProduceDataCollection(List.of(topic).iterator()));
    RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, VERSION, "hanging", 1);
    ByteBuffer answer =
        exchange(bootstrapServer, new ProduceRequest(data, VERSION).serializeWithHeader(header));
    ResponseHeader.parse(answer, header.toResponseHeader().headerVersion());
    ProduceResponse response = ProduceResponse.parse(new ByteBufferAccessor(answer), VERSION);
    assertThat(response.errorCounts()).hasSize(1).containsOnlyKeys(Errors.NONE);
    return new HangingTransaction(partition);
  }

  private static ByteBuffer exchange(String server, ByteBuffer request) throws IOException {
    int colon = server.lastIndexOf(':');
    try (Socket socket =
        new Socket(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)))) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(request.remaining());
      out.write(request.array(), request.arrayOffset() + request.position(), request.remaining());
      out.flush();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] answer = new byte[in.readInt()];
      in.readFully(answer);
      return ByteBuffer.wrap(answer);
    }
  }

  /** Ends it, as kafka-transactions.sh abort does. */
  void abort(Admin admin) throws Exception {
    admin.abortTransaction(new AbortTransactionSpec(partition, PRODUCER_ID, EPOCH, 0)).all().get();
  }
}
