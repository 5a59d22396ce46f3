package io.weir.internal.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BoundedConsumerTest {
  private static final int RECORDS = 40;
  private static final int DELETED_KEYS = 12;
  private static final TopicPartition PARTITION = new TopicPartition("letters", 0);

  /** 41 MiB of zeros are some kB on the wire, and a poll of Kafka's own would hold them all. */
  @Test
  void recordsThatWereCompressedToAlmostNothing_comeInPolls_thatMemoryCanHold() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      createTopic(kafka);
      write(kafka);
      List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
      Map<String, Object> settings =
          Map.of(
              ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
              kafka.bootstrapServers(),
              ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
              "earliest");
      try (BoundedConsumer consumer =
          BoundedConsumer.open(settings, BoundedConsumer.RECORD_BYTES)) {
        consumer.assign(List.of(PARTITION));
        consumer.limitPolls(1);
        consumer.poll(Duration.ofSeconds(9)).forEach(all::add);
        assertThat(all).hasSizeLessThanOrEqualTo(1);
        consumer.limitPolls(Long.MAX_VALUE);
        while (consumer.position(PARTITION) < RECORDS + 1 + DELETED_KEYS) {
          long bytes = 0;
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
            bytes += record.value() == null ? 0 : record.value().length;
            all.add(record);
          }
          assertThat(bytes).isLessThanOrEqualTo((4 << 20) + (1 << 20));
        }
      }
      assertThat(all).extracting(ConsumerRecord::offset).isSorted().doesNotHaveDuplicates();
      assertThat(all).hasSize(RECORDS + 1 + DELETED_KEYS);
      ConsumerRecord<byte[], byte[]> last = all.get(RECORDS);
      assertThat(OversizedBatch.of(last.value(), last.headers()))
          .contains(new OversizedBatch(RECORDS, RECORDS));
      assertThat(all.subList(RECORDS + 1, all.size()))
          .extracting(record -> record.key()[0])
          .containsExactlyElementsOf(keys());
    }
  }

  private static void createTopic(EmbeddedKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic("letters", 1, (short) 1))).all().get();
    }
  }

  private static List<Byte> keys() {
    return IntStream.range(0, DELETED_KEYS).mapToObj(key -> (byte) key).toList();
  }

  private static void write(EmbeddedKafka kafka) {
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            kafka.bootstrapServers(),
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            "zstd",
            ProducerConfig.LINGER_MS_CONFIG,
            1_000,
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
            1 << 26,
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            1L << 27);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int record = 0; record < RECORDS; record++) {
        producer.send(new ProducerRecord<>("letters", 0, null, new byte[1 << 20]));
      }
      producer.send(new ProducerRecord<>("letters", 0, null, new byte[5 << 20]));
      producer.flush();
      for (byte key : keys()) {
        producer.send(new ProducerRecord<>("letters", 0, new byte[] {key}, null));
      }
    }
  }
}
