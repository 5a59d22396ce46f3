package io.weir.keyed;

import io.weir.internal.store.HeapStore;
import io.weir.internal.store.KeyedState;
import io.weir.internal.topology.KeyedMeasures;
import io.weir.internal.topology.TaskServices;
import io.weir.internal.topology.TickTimes;
import io.weir.internal.wire.EventDecoder;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** The topology of an application with handlers. The names are part of the state format. */
final class KeyedTopology {
  /** Its changelog is {@code <application id>-weir-keys-changelog}. */
  static final String STORE = KeyedState.STORE;

  /** Longest delay of due work; without due work there are no ticks. */
  static final TickTimes TICKS = new TickTimes(30_000, 100);

  private static final String SOURCE = "events";
  private static final String HANDLERS = "handlers";
  private static final String SINK = "outputs";

  private KeyedTopology() {}

  static Topology build(KeyedPlan plan, KeyedMeasures measures, TaskServices services) {
    return build(plan, measures, services, new Emission.Partitioner());
  }

  /**
   * The same.
   *
   * @param partitioner chooses the partitions of the outputs
   */
  static Topology build(
      KeyedPlan plan,
      KeyedMeasures measures,
      TaskServices services,
      StreamPartitioner<byte[], Emission> partitioner) {
    ThreadLocal<EventDecoder> decoders =
        ThreadLocal.withInitial(() -> new EventDecoder(plan.events().limits()));
    TimestampExtractor appendTime = (record, partitionTimeMs) -> record.timestamp();
    Topology topology = new Topology();
    topology.addSource(
        AutoOffsetReset.earliest(),
        SOURCE,
        appendTime,
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        plan.topic());
    topology.addProcessor(HANDLERS, new Step(plan, measures, services, decoders), SOURCE);
    topology.addSink(
        SINK,
        (key, value, context) -> value.topic(),
        new ByteArraySerializer(),
        new Emission.ValueSerializer(),
        partitioner,
        HANDLERS);
    return topology;
  }

  private record Step(
      KeyedPlan plan,
      KeyedMeasures measures,
      TaskServices services,
      ThreadLocal<EventDecoder> decoders)
      implements ProcessorSupplier<byte[], byte[], byte[], Emission> {
    @Override
    public Processor<byte[], byte[], byte[], Emission> get() {
      return new KeyedProcessor(plan, measures, services, decoders);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(
          HeapStore.builder(
              STORE,
              () -> new KeyedState(plan.idleMs(), plan.events().timers(), plan.events().gateways()),
              services.stores(),
              partition -> {
                plan.times().ofThread().committed();
                services.progress().committed(partition);
              }));
    }
  }
}
