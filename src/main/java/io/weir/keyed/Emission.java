package io.weir.keyed;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * A value on its way out.
 *
 * @param partition that it goes to, or {@link #BY_KEY}
 */
record Emission(String topic, int partition, byte[] value) {
  /** Where Kafka's own partitioner decides. */
  static final int BY_KEY = -1;

  /** Puts the value on the wire as it is. */
  static final class ValueSerializer implements Serializer<Emission> {
    @Override
    public byte[] serialize(String topic, Emission emission) {
      return emission.value();
    }
  }

  /** Sends the value where it is to go. */
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
