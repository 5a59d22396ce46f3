package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.Committed;
import io.weir.internal.ops.Meters;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A sensor whose readings several lives of an application read. */
final class OneSensor {
  static final TopicNames TOPICS = TopicNames.DEFAULT;

  private static final String SENSOR = "boiler-1";

  static final TopicPartition READINGS =
      new TopicPartition(TOPICS.readings(), SensorPartition.of(SENSOR));

  private OneSensor() {}

  /** The newest record of a window; null if there is none. */
  static WindowSummary latest(AppRig rig, long startMs) throws Exception {
    WindowSummary latest = null;
    for (ConsumerRecord<byte[], byte[]> record :
        Committed.of(rig.bootstrapServers(), List.of(TOPICS.windows()))) {
      WindowSummary window = WindowSummary.parseFrom(record.value());
      latest = window.getWindowStartMs() == startMs ? window : latest;
    }
    return latest;
  }

  /** Sends a batch, each reading with the value 1. */
  static void send(AppRig rig, long... timestampsMs) throws Exception {
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
  static void readAll(AppRig rig, String applicationId, Map<String, String> options)
      throws Exception {
    long end =
        rig.admin()
            .listOffsets(Map.of(READINGS, OffsetSpec.latest()))
            .partitionResult(READINGS)
            .get()
            .offset();
    Map<String, String> all = new HashMap<>(Map.of("window.size", "10s", "window.grace", "1s"));
    all.putAll(options);
    all.put("application.id", applicationId);
    WeirConfig config = rig.config(Map.of("KAFKA_COMMIT_INTERVAL_MS", "100"), all);
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
