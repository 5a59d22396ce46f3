package io.weir.internal.topology;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * A value on its way out, with the partition it keeps: whatever comes from a partition of the
 * readings goes to the same one of every other topic.
 */
record Outgoing(int partition, byte[] value) {

  /** Puts the value on the wire as it is. */
  static final class ValueSerializer implements Serializer<Outgoing> {
    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {}

    @Override
    public byte[] serialize(String topic, Outgoing outgoing) {
      return outgoing.value();
    }
  }

  /** Sends the value to its partition. */
  static final class SamePartition implements StreamPartitioner<byte[], Outgoing> {
    @Override
    public Optional<Set<Integer>> partitions(
        String topic, byte[] key, Outgoing outgoing, int partitions) {
      return Optional.of(Set.of(outgoing.partition()));
    }
  }
}
