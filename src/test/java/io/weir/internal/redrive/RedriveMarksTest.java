package io.weir.internal.redrive;

import static io.weir.internal.redrive.DeadLetterTopic.batch;
import static io.weir.internal.redrive.DeadLetterTopic.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Committed;
import io.weir.reading.RejectReason;
import io.weir.topic.TopicNames;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Where it is kept which records were sent again, and that all of it is found. */
class RedriveMarksTest extends RedriveFixture {
  private boolean topicsUnknownToReaders;

  @Test
  void marks_areInThePartitionsOfTheirRecords() {
    sendTwo();
    assertThat(marks()).extracting(ConsumerRecord::partition).containsExactlyInAnyOrder(9, 40);
    assertThat(run(request(RecordFilter.ALL)).records())
        .isEqualTo(Map.of(ResendOutcome.SENT_BEFORE, 2L));
  }

  @Test
  void marksInOnePartition_goOnThere() throws Exception {
    createMarks(1);

    sendTwo();
    assertThat(marks()).extracting(ConsumerRecord::partition).containsExactly(0, 0);
    assertThat(run(request(RecordFilter.ALL)).records())
        .isEqualTo(Map.of(ResendOutcome.SENT_BEFORE, 2L));
  }

  @Test
  void recordsThatAreNoMarks_areLeftOut() throws Exception {
    createMarks(1);
    String topic = TopicNames.redriven(topics.deadLetters());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic, null));
      producer.send(new ProducerRecord<>(topic, new byte[] {1, 2, 3})).get();
    }
    sendTwo();
    assertThat(run(request(RecordFilter.ALL)).records())
        .isEqualTo(Map.of(ResendOutcome.SENT_BEFORE, 2L));
  }

  /** As an operator made it, or a later version. */
  @Test
  void marksInMorePartitions_areReadToo() throws Exception {
    createMarks(100);

    sendTwo();
    assertThat(run(request(RecordFilter.ALL)).records())
        .isEqualTo(Map.of(ResendOutcome.SENT_BEFORE, 2L));
  }

  /** It asks a broker that has not learned of the topic, just after another run made it. */
  @Test
  void readerThatDoesNotKnowTheMarksYet_sendsNothingTwice() {
    sendTwo();
    topicsUnknownToReaders = true;
    assertThat(run(request(RecordFilter.ALL)).records())
        .isEqualTo(Map.of(ResendOutcome.SENT_BEFORE, 2L));
  }

  @Override
  KafkaConsumer<byte[], byte[]> reader(Map<String, Object> settings) {
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
      @Override
      public List<PartitionInfo> partitionsFor(String topic) {
        return topicsUnknownToReaders ? List.of() : super.partitionsFor(topic);
      }
    };
  }

  private void createMarks(int partitions) throws Exception {
    NewTopic marks =
        new NewTopic(TopicNames.redriven(topics.deadLetters()), partitions, (short) 1)
            .configs(Map.of("retention.ms", "-1"));
    admin.createTopics(List.of(marks)).all().get();
  }

  private void sendTwo() {
    try (DeadLetterTopic records = deadLetters()) {
      records
          .dead(9, RejectReason.MISROUTED, batch("gw", reading("a", 5, 1)))
          .dead(40, RejectReason.MISROUTED, batch("gw", reading("b", 5, 2)))
          .commit();
    }
    assertThat(run(request(RecordFilter.ALL)).records()).isEqualTo(Map.of(ResendOutcome.SENT, 2L));
  }

  private List<ConsumerRecord<byte[], byte[]>> marks() {
    return Committed.afterTransactions(
        kafka.bootstrapServers(), List.of(TopicNames.redriven(topics.deadLetters())));
  }
}
