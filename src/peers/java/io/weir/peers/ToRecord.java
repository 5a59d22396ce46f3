package io.weir.peers;

import io.weir.topic.SensorPartition;
import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Windows as Weir writes them. */
public final class ToRecord implements KafkaRecordSerializationSchema<SensorWindow> {
  private static final long serialVersionUID = 1;

  private final String topic;

  ToRecord(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      SensorWindow window, KafkaSinkContext context, Long timestamp) {
    WindowSummary summary =
        WindowSummary.newBuilder()
            .setSensorId(window.sensorId)
            .setWindowStartMs(window.startMs)
            .setWindowEndMs(window.startMs + FlinkJob.WINDOW_MS)
            .setCount(window.count)
            .setSum(window.sum)
            .setMin(window.min)
            .setMax(window.max)
            .setCloseReason(CloseReason.CLOSE_REASON_EVENT_TIME)
            .build();
    return new ProducerRecord<>(
        topic,
        SensorPartition.of(window.sensorId),
        window.sensorId.getBytes(StandardCharsets.UTF_8),
        summary.toByteArray());
  }
}
