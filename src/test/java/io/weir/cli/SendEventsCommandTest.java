package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class SendEventsCommandTest {
  @TempDir private Path dir;

  @Test
  void eventsOfAFile_areSentAndCounted_whateverIsMissingIsNamed() throws Exception {
    Path file =
        Files.write(
            dir.resolve("events.jsonl"),
            List.of(
                "{\"key\":\"a\",\"timestamp_ms\":1,\"fields\":{\"likes\":10}}",
                "{\"key\":\"b\",\"timestamp_ms\":2,\"fields\":{\"likes\":11}}",
                "{\"key\":\"b\",\"due_ms\":2}",
                "{\"timestamp_ms\":2}"));
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      String servers = "--bootstrap-servers=" + kafka.bootstrapServers();
      WeirProcess.Ended missing =
          CommandHost.shared().run("send", "events", servers, file.toString());
      assertThat(missing.err()).contains("weir.events", "does not exist", "weir topics");
      assertThat(missing.status()).isEqualTo(1);

      try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
        new TopicAdmin(admin, TopicNames.ALL.of(User.EVENTS)).createMissing();
      }
      WeirProcess.Ended sent = CommandHost.shared().run("send", "events", servers, file.toString());
      assertThat(sent.lines()).containsExactly("sent 2, scheduled 1, rejected 1");
      assertThat(sent.status()).as(sent.err()).isZero();

      WeirProcess.Ended strict =
          CommandHost.shared().run("send", "events", servers, "--strict", file.toString());
      assertThat(strict.status()).isEqualTo(1);
      assertThat(strict.err()).contains("line 4: MISSING_KEY: key is empty");

      Path cut = dir.resolve("cut.gz");
      Files.write(cut, new byte[] {0x1f, (byte) 0x8b, 8});
      WeirProcess.Ended broken =
          CommandHost.shared().run("send", "events", servers, file.toString(), cut.toString());
      assertThat(broken.lines()).containsExactly("sent 2, scheduled 1, rejected 1");
      assertThat(broken.err())
          .contains(cut + " cannot be read to its end: ")
          .doesNotContain("\tat ");
      assertThat(broken.status()).isEqualTo(1);
    }
  }

  /** Of one id four runs count, and a long one would be fenced by short ones. */
  @Test
  void runs_haveIdsOfTheirOwn_andDeadLettersOfThemAreNoSuccess() throws Exception {
    Path file =
        Files.write(dir.resolve("one.jsonl"), List.of("{\"key\":\"a\",\"timestamp_ms\":1}"));
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
      try (Admin admin = Admin.create(client)) {
        new TopicAdmin(admin, TopicNames.ALL.of(User.EVENTS)).createMissing();
      }
      String servers = "--bootstrap-servers=" + kafka.bootstrapServers();
      for (int run = 0; run < 2; run++) {
        assertThat(CommandHost.shared().run("send", "events", servers, file.toString()).status())
            .isZero();
      }
      assertThat(gatewayIds(client)).hasSize(2).doesNotHaveDuplicates();

      deadLetterOf("gateway-7", client);
      WeirProcess.Ended refused =
          CommandHost.shared()
              .run("send", "events", servers, "--gateway-id", "gateway-7", file.toString());
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.lines()).containsExactly("sent 1, scheduled 0, rejected 0");
      assertThat(refused.err())
          .contains("weir send events: dead letters of this gateway id: 1 FENCED");
    }
  }

  private static List<String> gatewayIds(Map<String, Object> client) throws Exception {
    List<String> ids = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          List.of(new TopicPartition(Topic.EVENTS.defaultName(), SensorPartition.of("a")));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Await.until(
          () -> {
            for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
              ids.add(EventBatch.parseFrom(each.value()).getGatewayId());
            }
            return ids.size() == 2;
          });
    }
    return ids;
  }

  private static void deadLetterOf(String gatewayId, Map<String, Object> client) throws Exception {
    Headers headers = new RecordHeaders();
    headers.add("weir.gateway", gatewayId.getBytes(StandardCharsets.UTF_8));
    headers.add("weir.reason", "FENCED".getBytes(StandardCharsets.UTF_8));
    headers.add("weir.boot_id", "1".getBytes(StandardCharsets.UTF_8));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      String topic = Topic.DEAD_LETTERS.defaultName();
      producer.send(new ProducerRecord<>(topic, 0, null, null, new byte[0], headers)).get();
    }
  }
}
