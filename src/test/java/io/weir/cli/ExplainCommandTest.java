package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.CloseReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Windows of one sensor on a broker: a right one, a wrong one, and one that was not emitted. */
class ExplainCommandTest {
  private static final String SENSOR = "boiler-3/temperature";
  private static final int PARTITION = SensorPartition.of(SENSOR);
  private static final long RIGHT_MS = System.currentTimeMillis() / 10_000 * 10_000 - 60_000;
  private static final long WRONG_MS = RIGHT_MS + 10_000;

  private static EmbeddedKafka kafka;
  private static KafkaProducer<byte[], byte[]> producer;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start();
    Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (Admin admin = Admin.create(client)) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
      producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
      ReadingBatch first = batch(41, reading(RIGHT_MS + 1, 70.25), reading(WRONG_MS + 1, 1));
      send("weir.readings", first);
      send("weir.readings", first);
      send("weir.readings", batch(42, reading(RIGHT_MS + 2, 70.5), reading(RIGHT_MS + 3, 1e9)));
      Headers headers = DeadLetterHeaders.of(new Origin("weir.readings", PARTITION, 2));
      send("weir.late", batch(0, reading(RIGHT_MS + 3, 1e9)), headers);
      send("weir.windows", summary(RIGHT_MS, 2, 140.75, 70.25, 70.5));
      send("weir.windows", summary(WRONG_MS, 1, 1.5, 1, 1));
      TopicPartition readings = new TopicPartition("weir.readings", PARTITION);
      admin
          .alterConsumerGroupOffsets("weir", Map.of(readings, new OffsetAndMetadata(3)))
          .all()
          .get();
    }
  }

  @AfterAll
  static void stop() {
    producer.close();
    kafka.close();
  }

  private static Reading reading(long timestampMs, double value) {
    return Reading.newBuilder()
        .setSensorId(SENSOR)
        .setTimestampMs(timestampMs)
        .setValue(value)
        .build();
  }

  private static ReadingBatch batch(long sequence, Reading... readings) {
    return ReadingBatch.newBuilder()
        .setGatewayId("line-7")
        .setBootId(sequence == 0 ? 0 : 8_123)
        .setSequence(sequence)
        .addAllReadings(List.of(readings))
        .build();
  }

  private static WindowSummary summary(
      long startMs, long count, double sum, double min, double max) {
    return WindowSummary.newBuilder()
        .setSensorId(SENSOR)
        .setWindowStartMs(startMs)
        .setWindowEndMs(startMs + 10_000)
        .setCount(count)
        .setSum(sum)
        .setMin(min)
        .setMax(max)
        .setMean(sum / count)
        .setCloseReason(CloseReason.CLOSE_REASON_EVENT_TIME)
        .build();
  }

  private static void send(String topic, Message message) throws Exception {
    send(topic, message, new RecordHeaders());
  }

  private static void send(String topic, Message message, Headers headers) throws Exception {
    byte[] key = SENSOR.getBytes(StandardCharsets.UTF_8);
    producer
        .send(new ProducerRecord<>(topic, PARTITION, null, key, message.toByteArray(), headers))
        .get();
  }

  private static WeirProcess.Ended run(String... arguments) throws Exception {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--bootstrap-servers";
    all[arguments.length + 1] = kafka.bootstrapServers();
    return CommandHost.shared().run(all);
  }

  @Test
  void window_matchesOrDiffers_andTheExitStatusSaysSo() throws Exception {
    WeirProcess.Ended right = run("explain", SENSOR, String.valueOf(RIGHT_MS));
    assertThat(right.out()).endsWith("\nmatches\n");
    assertThat(right.out())
        .contains("counted", "duplicate of 0", "late", "(weir.late-" + PARTITION + "@0)")
        .contains("recomputed: count 2, sum 140.75, min 70.25, max 70.5");
    assertThat(right.status()).isZero();

    WeirProcess.Ended wrong = run("explain", SENSOR, String.valueOf(WRONG_MS), "--json");
    assertThat(wrong.status()).isEqualTo(1);
    assertThat(wrong.out())
        .contains("\"verdict\":\"differs\"", "\"detail\":\"sum 1.5, recomputed 1.0\"");

    WeirProcess.Ended none = run("explain", SENSOR, String.valueOf(RIGHT_MS - 10_000));
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.out()).contains("\ncannot tell: the window was not emitted");
    assertThat(run("explain", SENSOR, "noon").status()).isEqualTo(2);
  }
}
