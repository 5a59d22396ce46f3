package io.weir.summary;

import io.weir.topic.SensorPartition;
import io.weir.topic.SensorPartitioner;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * The partitioner of Kafka Streams for topics that are joined with Weir's, and for {@code
 * TableJoined}: keys are sensor ids or {@link WindowKey}s. Needs kafka-streams, which is not a
 * dependency of Weir's artefact. Stateless; thread-safe.
 */
public final class SensorStreamPartitioner<K, V> implements StreamPartitioner<K, V> {
  /**
   * The partition of the key's sensor.
   *
   * @throws IllegalArgumentException if the key is neither a sensor id nor a window
   * @throws org.apache.kafka.common.config.ConfigException if the topic does not have as many
   *     partitions as Weir's
   */
  @Override
  public Optional<Set<Integer>> partitions(String topic, K key, V value, int numPartitions) {
    SensorPartitioner.requireCount(topic, numPartitions);
    return Optional.of(Set.of(SensorPartition.of(sensorOf(key))));
  }

  private static String sensorOf(Object key) {
    if (key instanceof String sensorId) {
      return sensorId;
    }
    if (key instanceof WindowKey window) {
      return window.sensorId();
    }
    throw new IllegalArgumentException(key + ": expected: a sensor id or a WindowKey");
  }
}
