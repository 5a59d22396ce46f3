package io.weir.topic;

import io.weir.reading.Fnv1a;
import java.util.Map;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.config.ConfigException;

/**
 * A {@code partitioner.class} for topics of other programs that are joined with Weir's: a record
 * whose key is a sensor id, as UTF-8, goes to the partition of the sensor. Kafka's default puts 98
 * of 100 sensors elsewhere, and a join of Kafka Streams then finds nothing. Thread-safe.
 */
public final class SensorPartitioner implements Partitioner {
  @Override
  public void configure(Map<String, ?> configs) {}

  /**
   * The partition of the sensor.
   *
   * @throws InvalidRecordException if the record has no key
   * @throws ConfigException if the topic does not have as many partitions as Weir's
   */
  @Override
  public int partition(
      String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
    if (keyBytes == null) {
      throw new InvalidRecordException(
          "a record for " + topic + " has no key; expected: the sensor id");
    }
    requireCount(topic, cluster.partitionCountForTopic(topic));
    return SensorPartition.ofHash(Fnv1a.hash(keyBytes, 0, keyBytes.length));
  }

  /**
   * Checks that a topic can be joined with Weir's: it has 64 partitions.
   *
   * @throws ConfigException if it has another number of partitions
   */
  public static void requireCount(String topic, int partitions) {
    if (partitions != SensorPartition.COUNT) {
      throw new ConfigException(
          "topic "
              + topic
              + " has "
              + partitions
              + " partitions; create it with "
              + SensorPartition.COUNT
              + ", as Weir's topics have");
    }
  }

  @Override
  public void close() {}
}
