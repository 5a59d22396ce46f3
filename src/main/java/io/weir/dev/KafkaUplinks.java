package io.weir.dev;

import io.weir.edge.PublisherSettings;
import java.time.Duration;
import java.util.Map;

/**
 * Ways to a Kafka cluster.
 *
 * @param bootId of the homemade gateways: larger than at any start before
 */
record KafkaUplinks(String bootstrapServers, String topic, long bootId, FleetLedger ledger)
    implements Uplinks {
  /** A small fleet spread over 64 partitions: batches of a few readings rather than of one. */
  private static final Duration FLUSH_INTERVAL = Duration.ofMillis(SimulatedFleet.BEAT_MS);

  private static final int QUEUE_READINGS = 200_000;

  @Override
  public Uplink honest(GatewayRole role) {
    return new PublisherUplink(
        PublisherSettings.builder(role.gatewayId())
            .bootstrapServers(bootstrapServers)
            .topic(topic)
            .flushInterval(FLUSH_INTERVAL)
            .queueCapacity(QUEUE_READINGS)
            .build(),
        ledger);
  }

  @Override
  public FaultyUplink faulty(GatewayRole role) {
    return new HomemadeUplink(
        role.gatewayId(),
        bootId,
        topic,
        HomemadeUplink.producer(
            Map.of("bootstrap.servers", bootstrapServers, "client.id", role.gatewayId())),
        ledger);
  }
}
