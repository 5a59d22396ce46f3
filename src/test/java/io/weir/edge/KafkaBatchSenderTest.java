package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.registry.ValueFormat;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaBatchSenderTest {
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final KafkaBatchSender sender =
      new KafkaBatchSender(
          producer,
          PublisherRig.builder().build(),
          ValueFormat.BARE.writer("weir.readings", ReadingBatch.getDefaultInstance()));
  private final List<String> outcomes = new ArrayList<>();

  @Test
  void batch_isARecordOfItsPartition_keyedByTheGateway_withoutATimestamp() {
    send(1);

    ProducerRecord<byte[], byte[]> record = producer.history().get(0);
    assertThat(record.topic()).isEqualTo("weir.readings");
    assertThat(record.partition()).isEqualTo(5);
    assertThat(record.key()).isEqualTo("gateway-7".getBytes(StandardCharsets.UTF_8));
    assertThat(record.value()).containsExactly(1);
    assertThat(record.timestamp()).isNull();
  }

  @Test
  void firstFailure_closesTheProducerWithinTheCallback_soThatNothingOvertakes() {
    send(1);
    send(2);
    send(3);
    producer.completeNext();
    producer.errorNext(new TimeoutException("expired"));

    assertThat(producer.closed()).as("before the next batch could go").isTrue();
    assertThat(outcomes).containsExactly("1 acknowledged", "2 expired");
  }

  @Test
  void whatFailsBecauseOfTheFirstFailure_namesIt() {
    send(1);
    send(2);
    producer.errorNext(new TimeoutException("expired"));
    producer.errorNext(new IllegalStateException("closed forcefully"));
    send(3);

    assertThat(outcomes).containsExactly("1 expired", "2 expired", "3 expired");
    assertThat(producer.history()).hasSize(2);
  }

  @Test
  void sendThatThrows_isAFailureLikeAnyOther() {
    producer.sendException = new RecordTooLargeException("too large");
    send(1);

    assertThat(outcomes).containsExactly("1 too large");
    assertThat(producer.closed()).isTrue();
  }

  @Test
  void refusalOfABatchSentAlone_leavesTheProducerOpen() {
    sendAlone(1);
    producer.errorNext(new RecordTooLargeException("too large"));
    sendAlone(1);
    producer.completeNext();

    assertThat(producer.closed()).isFalse();
    assertThat(outcomes).containsExactly("1 too large", "1 acknowledged");
  }

  @Test
  void refusalOfABatchWithOthersBehindIt_closesTheProducer() {
    send(1);
    send(2);
    producer.errorNext(new RecordTooLargeException("too large"));

    assertThat(producer.closed()).isTrue();
  }

  @Test
  void otherFailureOfABatchSentAlone_closesTheProducer() {
    sendAlone(1);
    producer.errorNext(new OutOfOrderSequenceException("out of order"));

    assertThat(producer.closed()).isTrue();
  }

  @Test
  void batchSentAlone_thatIsNotDelivered_leavesTheProducerToTheOtherPartitions() {
    sendAlone(1);
    producer.errorNext(new TimeoutException("expired"));
    sendAlone(1);
    producer.completeNext();

    assertThat(producer.closed()).isFalse();
    assertThat(outcomes).containsExactly("1 expired", "1 acknowledged");
  }

  private void send(int sequence) {
    sender.send(batch(sequence), failure -> reported(sequence, failure));
  }

  private void sendAlone(int sequence) {
    sender.sendAlone(batch(sequence), failure -> reported(sequence, failure));
  }

  private void reported(int sequence, Exception failure) {
    outcomes.add(sequence + " " + (failure == null ? "acknowledged" : failure.getMessage()));
  }

  private static SequencedBatch batch(int sequence) {
    return new SequencedBatch(1, 5, sequence, 1, new byte[] {(byte) sequence});
  }
}
