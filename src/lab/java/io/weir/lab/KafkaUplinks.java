package io.weir.lab;

import io.weir.edge.PublisherSettings;
import io.weir.internal.registry.ValueFormat;
import io.weir.v1.ReadingBatch;
import java.time.Duration;
import java.util.Map;

/**
 * Ways to a Kafka cluster.
 *
 * @param values the form of record values: settings of a schema registry, or none
 * @param bootId of the homemade gateways: larger than at any start before
 */
record KafkaUplinks(
    String bootstrapServers,
    String topic,
    Map<String, Object> values,
    long bootId,
    FleetLedger ledger)
    implements Uplinks {
  /** A small fleet spread over 64 partitions: batches of a few readings rather than of one. */
  private static final Duration FLUSH_INTERVAL = Duration.ofMillis(SimulatedFleet.BEAT_MS);

  private static final int QUEUE_READINGS = 200_000;

  @Override
  public Uplink honest(GatewayRole role) {
    return new PublisherUplink(settings(role), ledger);
  }

  PublisherSettings settings(GatewayRole role) {
    return PublisherSettings.builder(role.gatewayId())
        .bootstrapServers(bootstrapServers)
        .topic(topic)
        .schemaRegistry(values)
        .flushInterval(FLUSH_INTERVAL)
        .queueCapacity(QUEUE_READINGS)
        .build();
  }

  @Override
  public FaultyUplink faulty(GatewayRole role) {
    return new HomemadeUplink(
        role.gatewayId(),
        bootId,
        topic,
        ValueFormat.of(values).writer(topic, ReadingBatch.getDefaultInstance()),
        HomemadeUplink.producer(
            Map.of("bootstrap.servers", bootstrapServers, "client.id", role.gatewayId())),
        ledger);
  }
}
