package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.weir.internal.wire.ResetMark;
import io.weir.v1.ControlRecord;
import io.weir.v1.GatewayReset;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BrokerControlLogTest {
  private static final TopicPartition PARTITION = new TopicPartition("weir.control", 0);
  private static final ByteString NONCE = ByteString.copyFromUtf8("sixteen byte ...");
  private static final ByteString OTHER = ByteString.copyFromUtf8("... others of it");

  private long nanos;
  private long end;
  private final Brokers brokers = new Brokers();
  private final BrokerControlLog log =
      new BrokerControlLog(PARTITION, Uuid.ZERO_UUID, "weir.readings", () -> ++nanos, brokers);

  /** Counts how often it is asked. */
  private static final class Brokers extends MockConsumer<byte[], byte[]> {
    int asked;

    Brokers() {
      super("earliest");
      updateBeginningOffsets(Map.of(PARTITION, 0L));
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> of) {
      asked++;
      return super.endOffsets(of);
    }
  }

  @BeforeEach
  void empty() {
    brokers.updateEndOffsets(Map.of(PARTITION, 0L));
  }

  private long append(byte[] value) {
    brokers.addRecord(
        new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), end, null, value));
    brokers.updateEndOffsets(Map.of(PARTITION, ++end));
    return end - 1;
  }

  private long order(String gatewayId, ByteString nonce, String readings) {
    return append(
        ControlRecord.newBuilder()
            .setNonce(nonce)
            .setReadingsTopic(readings)
            .setGatewayReset(GatewayReset.newBuilder().setGatewayId(gatewayId))
            .build()
            .toByteArray());
  }

  @Test
  void markOfAnOrder_isAccepted_whenItsNonceAndTopicFit() {
    long ours = order("g", NONCE, "weir.readings");
    long another = order("h", OTHER, "plant.readings");
    log.polled();

    assertThat(log.gatewayToReset(ResetMark.of(ours, NONCE))).contains("g");
    assertThat(log.gatewayToReset(ResetMark.of(ours, OTHER))).isEmpty();
    assertThat(log.gatewayToReset(ResetMark.of(another, OTHER))).isEmpty();
    assertThat(log.gatewayToReset(ResetMark.of(-1, NONCE))).isEmpty();
    assertThat(brokers.asked).isEqualTo(1);
  }

  /** Each mark that is asked about would cost its neighbours a round trip. */
  @Test
  void forgedMarks_costOneQuestionAPoll_howeverManyThereAre() {
    log.polled();
    for (int forged = 0; forged < 1_000; forged++) {
      assertThat(log.gatewayToReset(ResetMark.of(forged, NONCE))).isEmpty();
    }
    assertThat(brokers.asked).isEqualTo(1);

    long order = order("g", NONCE, "weir.readings");
    assertThat(log.gatewayToReset(ResetMark.of(order, NONCE)))
        .as("its mark cannot have been in what was polled before")
        .isEmpty();
    log.polled();
    assertThat(log.gatewayToReset(ResetMark.of(order, NONCE))).contains("g");
    assertThat(brokers.asked).isEqualTo(2);
  }

  @Test
  void whatAnotherThreadPolled_saysNothingOfThisOne() throws InterruptedException {
    log.polled();
    log.gatewayToReset(ResetMark.of(7, NONCE));
    long order = order("g", NONCE, "weir.readings");
    boolean[] accepted = new boolean[1];
    Thread other =
        new Thread(
            () -> {
              log.polled();
              accepted[0] = log.gatewayToReset(ResetMark.of(order, NONCE)).isPresent();
            });
    other.start();
    other.join();

    assertThat(accepted[0]).isTrue();
  }

  @Test
  void recordsThatAreNoOrders_areLeftOut() {
    append(new byte[] {(byte) 0xff, 1, 2});
    order("g", ByteString.copyFromUtf8("short"), "weir.readings");
    append(ControlRecord.newBuilder().setNonce(OTHER).build().toByteArray());
    long order = order("g", NONCE, "weir.readings");
    log.polled();

    assertThat(log.gatewayToReset(ResetMark.of(order, NONCE))).contains("g");
    assertThat(log.gatewayToReset(ResetMark.of(2, OTHER))).isEmpty();
  }
}
