package io.weir.internal.app;

import com.google.protobuf.ByteString;
import io.weir.internal.wire.ResetMark;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/**
 * A tombstone on the control topic: an operator takes an order back as one does on other topics.
 */
class ControlTombstoneTest {
  private static final TopicPartition PARTITION = new TopicPartition("weir.control", 0);

  private static MockConsumer<byte[], byte[]> brokers() {
    MockConsumer<byte[], byte[]> brokers = new MockConsumer<>("earliest");
    brokers.updateBeginningOffsets(Map.of(PARTITION, 0L));
    brokers.updateEndOffsets(Map.of(PARTITION, 1L));
    brokers.updatePartitions(
        "weir.control",
        List.of(new PartitionInfo("weir.control", 0, Node.noNode(), new Node[0], new Node[0])));
    brokers.schedulePollTask(
        () -> brokers.addRecord(new ConsumerRecord<>("weir.control", 0, 0, new byte[] {1}, null)));
    return brokers;
  }

  @Test
  void tombstone_isNoOrder_ofAReset() {
    BrokerControlLog log =
        new BrokerControlLog(
            PARTITION, Uuid.ZERO_UUID, "weir.readings", System::nanoTime, brokers());
    log.gatewayToReset(ResetMark.of(0, ByteString.copyFromUtf8("sixteen byte ...")));
  }

  @Test
  void tombstone_isNoOrder_ofALoss() {
    new AcceptedLosses("weir.control", ControlTombstoneTest::brokers).of("weir", Uuid.ZERO_UUID, 0);
  }
}
