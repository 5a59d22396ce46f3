package io.weir.keyed;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * A value to be written to an output topic.
 *
 * @param partition the target partition, or {@link #BY_KEY}
 */
record Emission(String topic, int partition, byte[] value) {
  /** Kafka's default partitioner chooses the partition. */
  static final int BY_KEY = -1;

  /** Passes the bytes of the value unchanged. */
  static final class ValueSerializer implements Serializer<Emission> {
    @Override
    public byte[] serialize(String topic, Emission emission) {
      return emission.value();
    }
  }

  /** Returns the partition that the emission names. */
  static final class Partitioner implements StreamPartitioner<byte[], Emission> {
    @Override
    public Optional<Set<Integer>> partitions(
        String topic, byte[] key, Emission emission, int partitions) {
      return emission.partition() == BY_KEY
          ? Optional.empty()
          : Optional.of(Set.of(emission.partition()));
    }
  }
}
