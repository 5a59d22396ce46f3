package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.dev.EmbeddedKafka;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TailCommandTest {
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
    }
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "test");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      send(producer, "undone");
      producer.abortTransaction();
      send(producer, "kept");
      producer.commitTransaction();
    }
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void tail_toTheEnd_showsWhatWasCommittedAlone() throws Exception {
    WeirProcess.Ended ended = tail("windows", "--from-beginning", "--no-follow");
    assertThat(ended.lines())
        .hasSize(64)
        .allSatisfy(line -> assertThat(line).startsWith("{\"sensor_id\":\"kept\","))
        .anySatisfy(
            line ->
                assertThat(line)
                    .endsWith("\"topic\":\"weir.windows\",\"partition\":63,\"offset\":2}"));
    assertThat(ended.err()).isEmpty();
    assertThat(ended.status()).isZero();
  }

  @Test
  void tail_ofSoMany_endsAfterThem() throws Exception {
    assertThat(tail("windows", "--from-beginning", "-n", "3").lines()).hasSize(3);
  }

  @Test
  void tail_ofAnEmptyTopicToTheEnd_saysNothing() throws Exception {
    assertThat(tail("late", "--from-beginning", "--no-follow"))
        .isEqualTo(new WeirProcess.Ended(0, "", ""));
  }

  @Test
  void tail_ofNoTopic_saysWhatToDo() throws Exception {
    WeirProcess.Ended ended = tail("windows", "--topic-windows", "elsewhere");
    assertThat(ended.err())
        .isEqualTo("weir tail: no topic elsewhere on the cluster; create it with: weir topics\n");
    assertThat(ended.status()).isEqualTo(1);
  }

  @Test
  void tail_whoseReaderLeaves_endsQuietlyAndWell() throws Exception {
    Process tail = startTail("windows", "--from-beginning");
    tail.getInputStream().read();
    tail.getInputStream().close();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      while (tail.isAlive()) {
        producer.send(new ProducerRecord<>("weir.windows", 0, null, summary("kept"))).get();
      }
    }
    assertThat(tail.exitValue()).isZero();
    assertThat(tail.getErrorStream().readAllBytes()).isEmpty();
  }

  @Test
  void tail_onSigterm_endsWell() throws Exception {
    Process tail = startTail("windows", "--from-beginning");
    tail.getInputStream().read();
    tail.toHandle().destroy(); // Unlike tail.destroy() it leaves the streams open.
    assertThat(WeirProcess.ended(tail).status()).isZero();
  }

  private static WeirProcess.Ended tail(String... arguments) throws Exception {
    return WeirProcess.ended(startTail(arguments));
  }

  private static Process startTail(String... arguments) throws Exception {
    String[] all = new String[arguments.length + 3];
    all[0] = "tail";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[all.length - 2] = "--bootstrap-servers";
    all[all.length - 1] = kafka.bootstrapServers();
    return WeirProcess.start(all);
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, String sensor) {
    producer.beginTransaction();
    for (int partition = 0; partition < 64; partition++) {
      producer.send(new ProducerRecord<>("weir.windows", partition, null, summary(sensor)));
    }
    producer.flush();
  }

  private static byte[] summary(String sensor) {
    return WindowSummary.newBuilder().setSensorId(sensor).build().toByteArray();
  }
}
