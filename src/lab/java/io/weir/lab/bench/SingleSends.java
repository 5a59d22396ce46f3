package io.weir.lab.bench;

import io.weir.reading.Reading;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What one writes without a publisher: Kafka's producer with its defaults and the publisher's
 * compression, a record for each reading, the sensor's id its key.
 */
final class SingleSends implements Work {
  private final Task task;
  private final GatewayReadings readings = new GatewayReadings(System.currentTimeMillis());
  private final String topic;
  private final KafkaProducer<String, byte[]> producer;
  private final LongAdder acknowledged = new LongAdder();
  private volatile Exception failure;
  private volatile boolean closed;

  SingleSends(Task task) {
    this.task = task;
    this.topic = RunTopics.createFor(task);
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, task.bootstrapServers());
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
    this.producer =
        new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
  }

  @Override
  public void start() {
    Thread sending = new Thread(this::sendAll, "sending");
    sending.setDaemon(true);
    sending.start();
  }

  private void sendAll() {
    for (long i = 0; i < task.readings() && !closed; i++) {
      Reading reading = readings.get(i);
      byte[] value =
          io.weir.v1.Reading.newBuilder()
              .setSensorId(reading.sensorId())
              .setTimestampMs(reading.timestampMs())
              .setValue(reading.value())
              .build()
              .toByteArray();
      producer.send(
          new ProducerRecord<>(topic, reading.sensorId(), value),
          (metadata, e) -> {
            if (e != null) {
              failure = e;
            }
            acknowledged.increment();
          });
    }
  }

  @Override
  public long processed() {
    if (failure != null) {
      throw new IllegalStateException("sending failed", failure);
    }
    return acknowledged.sum();
  }

  @Override
  public boolean settled() {
    return true;
  }

  @Override
  public void close() {
    closed = true;
    producer.close();
  }
}
