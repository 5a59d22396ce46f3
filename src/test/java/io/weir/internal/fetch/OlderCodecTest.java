package io.weir.internal.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.lab.EmbeddedKafka;
import io.weir.lab.RawBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Crc32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Batches that a broker with another version of a codec has taken. The broker of the tests
 * decompresses what it is sent, and refuses them, with the codecs of this build; so they are put
 * into its log while it is stopped, and it serves them.
 */
@Timeout(300)
class OlderCodecTest {
  private static final TopicPartition PARTITION = new TopicPartition("letters", 0);
  private static final int HEADER = 61;
  private static final int SKIPPABLE = 0x184D2A50;

  @TempDir private Path dir;

  @Test
  void framesOfZstdThatTheBrokersCodecTook_areReadToTheirEnd_andTheNeighboursCome()
      throws Exception {
    EmbeddedKafka.Options options = EmbeddedKafka.Options.DEFAULT.withDataDir(dir);
    MemoryRecords endless = batch(1, frame(-8));
    MemoryRecords after = batch(2, concat(record(), frame(Integer.MIN_VALUE)));
    MemoryRecords longest = batch(3, frame(-1));
    try (EmbeddedKafka kafka = EmbeddedKafka.start(options)) {
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
        admin.createTopics(List.of(new NewTopic(PARTITION.topic(), 1, (short) 1))).all().get();
      }
      send(kafka, "before");
      assertThatThrownBy(
              () -> RawBatch.send(kafka.bootstrapServers(), PARTITION.topic(), 0, endless))
          .isInstanceOf(KafkaException.class);
    }
    for (MemoryRecords batch : List.of(endless, after, longest)) {
      Files.write(log(), bytes(batch), StandardOpenOption.APPEND);
    }
    try (EmbeddedKafka kafka = EmbeddedKafka.start(options)) {
      send(kafka, "behind");
      List<ConsumerRecord<byte[], byte[]>> all = read(kafka);
      assertThat(all).extracting(ConsumerRecord::offset).containsExactly(0L, 1L, 2L, 3L, 4L);
      assertThat(new String(all.get(0).value(), UTF_8)).isEqualTo("before");
      assertThat(new String(all.get(4).value(), UTF_8)).isEqualTo("behind");
      for (int offset : new int[] {1, 3}) {
        assertThat(OversizedBatch.of(all.get(offset).value(), all.get(offset).headers()))
            .contains(new OversizedBatch(offset, offset));
      }
    }
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(EmbeddedKafka kafka) {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest");
    try (BoundedConsumer consumer = BoundedConsumer.open(settings, BoundedConsumer.RECORD_BYTES)) {
      consumer.assign(List.of(PARTITION));
      while (all.size() < 5) {
        consumer.poll(Duration.ofSeconds(1)).forEach(all::add);
      }
    }
    return all;
  }

  private static void send(EmbeddedKafka kafka, String text) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(PARTITION.topic(), 0, null, text.getBytes(UTF_8))).get();
    }
  }

  private Path log() throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      return files
          .filter(file -> file.endsWith(PARTITION + "/00000000000000000000.log"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** A frame that is to be skipped, of a length beyond those of Java's int. */
  private static byte[] frame(int length) {
    return ByteBuffer.allocate(16)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(SKIPPABLE)
        .putInt(length)
        .array();
  }

  private static byte[] record() throws IOException {
    byte[] batch = bytes(RawBatch.ofZeros(Compression.zstd().build(), 1, 10));
    return ByteBuffer.allocate(batch.length - HEADER)
        .put(batch, HEADER, batch.length - HEADER)
        .array();
  }

  private static byte[] concat(byte[] one, byte[] other) {
    return ByteBuffer.allocate(one.length + other.length).put(one).put(other).array();
  }

  /** Of one record at an offset, with a checksum that is right. */
  private static MemoryRecords batch(long offset, byte[] payload) throws IOException {
    byte[] head = bytes(RawBatch.ofZeros(Compression.zstd().build(), 1, 10));
    ByteBuffer batch = ByteBuffer.allocate(HEADER + payload.length);
    batch.put(head, 0, HEADER).put(payload);
    batch.putLong(0, offset).putInt(8, batch.capacity() - 12).putInt(12, 0);
    batch.putInt(17, (int) Crc32C.compute(batch.array(), 21, batch.capacity() - 21));
    return MemoryRecords.readableRecords(batch.flip());
  }

  private static byte[] bytes(MemoryRecords records) {
    ByteBuffer buffer = records.buffer().duplicate();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
