package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.hot.HotReport;
import io.weir.cli.pages.Exposition;
import io.weir.internal.app.WeirConfig;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.TopicAdmin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A broker with the topics of Weir, and means to make trouble on it. */
abstract class DoctorRig {
  static final byte[] VALUE = {1};

  static EmbeddedKafka kafka;
  static Admin admin;
  static KafkaProducer<byte[], byte[]> producer;

  @BeforeAll
  static void start() {
    kafka =
        EmbeddedKafka.start(
            EmbeddedKafka.Options.DEFAULT.withOverrides(
                Map.of(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                    "allow.everyone.if.no.acl.found",
                    "true",
                    // HangingTransaction writes what a broker with a fault of its own would.
                    "transaction.partition.verification.enable",
                    "false")));
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    producer = producer(Map.of());
    new TopicAdmin(admin, config("app").topics()).createMissing();
  }

  @AfterAll
  static void stop() {
    producer.close();
    admin.close();
    kafka.close();
  }

  static KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("linger.ms", 0);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  static WeirConfig config(String applicationId) {
    return config(applicationId, Map.of());
  }

  static WeirConfig config(String applicationId, Map<String, String> more) {
    Properties properties = new Properties();
    properties.putAll(more);
    properties.setProperty("weir.bootstrap.servers", kafka.bootstrapServers());
    properties.setProperty("weir.application.id", applicationId);
    return WeirConfig.of(properties, Map.of(), Map.of());
  }

  static Examination examine(String applicationId) {
    return examine(applicationId, Map.of(), Optional.empty());
  }

  static Examination examine(
      String applicationId, Map<String, Exposition> metrics, Optional<HotReport> hot) {
    return examine(config(applicationId), new Pages(metrics, hot, Map.of()));
  }

  /** With something that happens between the two looks. */
  static Examination examine(String applicationId, Happening between) {
    Runnable work =
        () -> {
          try {
            between.happen();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        };
    return Examination.of(admin, config(applicationId), work, () -> null, () -> Pages.NONE);
  }

  /** What happens. */
  @FunctionalInterface
  interface Happening {
    void happen() throws Exception;
  }

  static Examination examine(WeirConfig config, Pages pages) {
    return Examination.of(
        admin,
        config,
        () -> {},
        () -> consumer(Map.of("isolation.level", "read_committed")),
        () -> pages);
  }

  static KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("enable.auto.commit", "false");
    settings.put("auto.offset.reset", "earliest");
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  static void send(String topic, int partition, int records) throws Exception {
    for (int i = 0; i < records - 1; i++) {
      producer.send(new ProducerRecord<>(topic, partition, null, VALUE));
    }
    producer.send(new ProducerRecord<>(topic, partition, null, VALUE)).get();
    producer.flush();
  }

  static void commit(String group, String topic, int partition, long offset) throws Exception {
    admin
        .alterConsumerGroupOffsets(
            group, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
        .all()
        .get();
  }

  static void set(String topic, String key, String value) throws Exception {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }

  static Finding only(List<Finding> findings) {
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }
}
