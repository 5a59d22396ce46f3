package io.weir.internal.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import java.util.List;
import org.apache.kafka.streams.KafkaStreams;

/**
 * The metrics of Kafka's clients and Streams that operators use: by thread and client, not by task,
 * broker, topic and partition. All metrics would be over a thousand meters a thread, and Micrometer
 * compares each with all others at registration.
 */
public final class KafkaMeters implements MeterBinder, AutoCloseable {
  private static final List<String> REPORTED =
      List.of(
          "kafka.stream.thread.",
          "kafka.stream.alive.stream.threads",
          "kafka.stream.failed.stream.threads",
          "kafka.consumer.coordinator.",
          "kafka.consumer.connection.count",
          "kafka.consumer.failed.authentication.total",
          "kafka.consumer.fetch.manager.fetch.latency.avg",
          "kafka.consumer.fetch.manager.bytes.consumed.total",
          "kafka.consumer.fetch.manager.records.consumed.total",
          "kafka.consumer.fetch.manager.records.lag.max",
          "kafka.producer.buffer.available.bytes",
          "kafka.producer.connection.count",
          "kafka.producer.failed.authentication.total",
          "kafka.producer.outgoing.byte.total",
          "kafka.producer.record.error.total",
          "kafka.producer.record.retry.total",
          "kafka.producer.record.send.total",
          "kafka.producer.request.latency.avg");

  /** Tags that would multiply the meters. */
  private static final List<String> TOO_FINE = List.of("task.id", "topic", "partition", "node.id");

  private static final MeterFilter FILTER =
      new MeterFilter() {
        @Override
        public MeterFilterReply accept(Meter.Id id) {
          return id.getName().startsWith("kafka.") && !isReported(id)
              ? MeterFilterReply.DENY
              : MeterFilterReply.NEUTRAL;
        }
      };

  private final KafkaStreamsMetrics meters;

  public KafkaMeters(KafkaStreams streams) {
    meters = new KafkaStreamsMetrics(streams);
  }

  /** Makes a registry reject all others; to be called before the first meter is registered. */
  public static <R extends MeterRegistry> R limit(R registry) {
    registry.config().meterFilter(FILTER);
    return registry;
  }

  private static boolean isReported(Meter.Id id) {
    return REPORTED.stream().anyMatch(id.getName()::startsWith)
        && TOO_FINE.stream().allMatch(tag -> id.getTag(tag) == null);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    meters.bindTo(registry);
  }

  /** Ends the thread that discovers new metrics. */
  @Override
  public void close() {
    meters.close();
  }
}
