package io.weir.lab.bench;

import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The aggregation as an expert of the Processor API would write it: no repartition topic, as the
 * topic is divided by sensor; batches as bytes; state in RocksDB behind a cache.
 */
final class ExpertTopology {
  private static final String READINGS = "readings";
  private static final String ADD_UP = "add-up";
  private static final StreamPartitioner<byte[], byte[]> BY_SENSOR = bySensor();

  private ExpertTopology() {}

  /**
   * @param delayMs how far a partition's time runs past a window's end before the window closes
   * @param onCounted takes numbers of readings that were counted
   * @param onLate takes numbers of readings that came too late
   */
  static Topology build(
      String readings, String windows, long delayMs, LongConsumer onCounted, LongConsumer onLate) {
    return new Topology()
        .addSource(READINGS, new ByteArrayDeserializer(), new ByteArrayDeserializer(), readings)
        .addProcessor(ADD_UP, () -> new ExpertWindows(delayMs, onCounted, onLate), READINGS)
        .addStateStore(store(ExpertWindows.WINDOWS), ADD_UP)
        .addStateStore(store(ExpertWindows.NEWEST), ADD_UP)
        .addSink(
            "sink",
            windows,
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            BY_SENSOR,
            ADD_UP);
  }

  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(String name) {
    return Stores.keyValueStoreBuilder(
            Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
        .withCachingEnabled();
  }

  private static StreamPartitioner<byte[], byte[]> bySensor() {
    var each =
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(partition -> Optional.of(Set.of(partition)))
            .toList();
    return (topic, key, value, partitions) ->
        each.get(SensorPartition.of(new String(key, StandardCharsets.UTF_8)));
  }
}
