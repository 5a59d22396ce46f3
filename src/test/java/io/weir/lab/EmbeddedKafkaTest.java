package io.weir.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaTest {
  private static final String TOPIC = "said";

  @TempDir Path dir;

  @Test
  void restart_onTheSameDirectoryAndPort_keepsRecordsAndTopics() throws Exception {
    EmbeddedKafka.Options options = EmbeddedKafka.Options.DEFAULT.withDataDir(dir.resolve("data"));
    String address;
    try (EmbeddedKafka kafka = EmbeddedKafka.start(options)) {
      address = kafka.bootstrapServers();
      createTopic(address);
      produce(address, "first");
    }
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    try (EmbeddedKafka kafka = EmbeddedKafka.start(options.withPort(port))) {
      assertThat(kafka.bootstrapServers()).isEqualTo(address);
      produce(address, "second");
      assertThat(consume(address, 2)).containsExactly("first", "second");
    }
  }

  @Test
  void transaction_onASingleNode_commits() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      createTopic(kafka.bootstrapServers());
      try (KafkaProducer<byte[], byte[]> producer =
          producer(kafka.bootstrapServers(), Map.of("transactional.id", "one"))) {
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(TOPIC, bytes("kept")));
        producer.commitTransaction();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(TOPIC, bytes("undone")));
        producer.abortTransaction();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(TOPIC, bytes("kept too")));
        producer.commitTransaction();
      }
      assertThat(consume(kafka.bootstrapServers(), 2)).containsExactly("kept", "kept too");
    }
  }

  @Test
  void topic_merelyNamed_isNotCreated() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      assertThatThrownBy(() -> admin.describeTopics(List.of(TOPIC)).allTopicNames().get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
    }
  }

  @Test
  void start_onATakenPort_saysWhich() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      String address = kafka.bootstrapServers();
      int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
      assertThatThrownBy(() -> EmbeddedKafka.start(EmbeddedKafka.Options.DEFAULT.withPort(port)))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("port " + port);
    }
  }

  @Test
  void start_inTheDirectoryOfARunningBroker_isRefusedAndHarmless() throws Exception {
    EmbeddedKafka.Options options = EmbeddedKafka.Options.DEFAULT.withDataDir(dir.resolve("data"));
    try (EmbeddedKafka kafka = EmbeddedKafka.start(options)) {
      assertThatThrownBy(() -> EmbeddedKafka.start(options))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("another broker is running on " + dir.resolve("data"));
      createTopic(kafka.bootstrapServers());
      produce(kafka.bootstrapServers(), "alive");
      assertThat(consume(kafka.bootstrapServers(), 1)).containsExactly("alive");
    }
  }

  @Test
  void start_inADirectoryOfSomethingElse_isRefused() throws Exception {
    Files.writeString(dir.resolve("thesis.txt"), "irreplaceable");
    assertThatThrownBy(() -> EmbeddedKafka.start(EmbeddedKafka.Options.DEFAULT.withDataDir(dir)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(dir.toString());
    try (Stream<Path> entries = Files.list(dir)) {
      assertThat(entries).containsExactly(dir.resolve("thesis.txt"));
    }
  }

  private static void createTopic(String address) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
    }
  }

  private static void produce(String address, String value) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer(address, Map.of())) {
      producer.send(new ProducerRecord<>(TOPIC, bytes(value))).get();
    }
  }

  private static KafkaProducer<byte[], byte[]> producer(String address, Map<String, Object> extra) {
    Map<String, Object> settings = new HashMap<>(extra);
    settings.put("bootstrap.servers", address);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static List<String> consume(String address, int atLeast) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", address,
            "auto.offset.reset", "earliest",
            "isolation.level", "read_committed");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(new TopicPartition(TOPIC, 0)));
      List<String> values = new ArrayList<>();
      while (values.size() < atLeast) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          values.add(new String(record.value(), StandardCharsets.UTF_8));
        }
      }
      return values;
    }
  }

  private static byte[] bytes(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }
}
