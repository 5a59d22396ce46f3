package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.Committed;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.ops.Meters;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reset after retention has deleted a part of what was counted before. */
class WithheldOnKafkaTest {
  private static final String SENSOR = "boiler-1";
  private static final TopicNames TOPICS = TopicNames.DEFAULT;
  private static final TopicPartition READINGS =
      new TopicPartition(TOPICS.readings(), SensorPartition.of(SENSOR));

  @TempDir Path dir;

  @Test
  void windowThatAnEarlierLifePublishedInFull_staysTheLastRecord() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      long startMs = System.currentTimeMillis() / 10_000 * 10_000 - 60_000;
      send(rig, startMs, startMs + 1, startMs + 2);
      send(rig, startMs + 3, startMs + 4, startMs + 20_000);
      readAll(rig, "first");
      assertThat(latest(rig, startMs).getCount()).isEqualTo(5);

      rig.admin().deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(1))).all().get();
      readAll(rig, "second");

      assertThat(latest(rig, startMs).getCount()).isEqualTo(5);
      List<ConsumerRecord<byte[], byte[]>> late =
          Committed.of(rig.bootstrapServers(), List.of(TOPICS.late()));
      assertThat(late)
          .extracting(record -> record.headers().lastHeader(DeadLetterHeaders.REASON).value())
          .extracting(value -> new String(value, StandardCharsets.UTF_8))
          .containsExactly("WITHHELD");
      assertThat(ReadingBatch.parseFrom(late.get(0).value()).getReadingsCount()).isEqualTo(3);
    }
  }

  private static WindowSummary latest(AppRig rig, long startMs) throws Exception {
    WindowSummary latest = null;
    for (ConsumerRecord<byte[], byte[]> record :
        Committed.of(rig.bootstrapServers(), List.of(TOPICS.windows()))) {
      WindowSummary window = WindowSummary.parseFrom(record.value());
      latest = window.getWindowStartMs() == startMs ? window : latest;
    }
    return latest;
  }

  private static void send(AppRig rig, long... timestampsMs) throws Exception {
    ReadingBatch.Builder batch = ReadingBatch.newBuilder().setGatewayId("g");
    for (long timestampMs : timestampsMs) {
      batch.addReadings(
          Reading.newBuilder().setSensorId(SENSOR).setTimestampMs(timestampMs).setValue(1));
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(rig.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      byte[] value = batch.build().toByteArray();
      producer
          .send(new ProducerRecord<>(READINGS.topic(), READINGS.partition(), null, value))
          .get();
    }
  }

  /** A life of the application, until it has committed all that there was when it began. */
  private static void readAll(AppRig rig, String applicationId) throws Exception {
    long end =
        rig.admin()
            .listOffsets(Map.of(READINGS, OffsetSpec.latest()))
            .partitionResult(READINGS)
            .get()
            .offset();
    WeirConfig config =
        rig.config(
            Map.of(),
            Map.of("application.id", applicationId, "window.size", "10s", "window.grace", "1s"));
    try (StreamsApplication app =
        WeirApplication.start(config, new Meters(new SimpleMeterRegistry()))) {
      Await.until(
          () -> {
            assertThat(app.ended()).isNotDone();
            OffsetAndMetadata committed =
                rig.admin()
                    .listConsumerGroupOffsets(applicationId)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(READINGS);
            return committed != null && committed.offset() >= end;
          });
    }
  }
}
