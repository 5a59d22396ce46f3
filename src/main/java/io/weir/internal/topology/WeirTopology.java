package io.weir.internal.topology;

import io.weir.internal.store.HeapStore;
import io.weir.internal.store.PartitionState;
import io.weir.internal.wire.BatchDecoder;
import io.weir.topic.Topic;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The topology of {@code weir run}: one processor from readings to windows, late readings and dead
 * letters. There is no repartitioning: a task has all readings of its sensors. The names are part
 * of the state format.
 */
public final class WeirTopology {
  /** The store; its changelog is {@code <application.id>-weir-state-changelog}. */
  public static final String STORE = "weir-state";

  static final String SOURCE = "readings";
  static final String PROCESSOR = "aggregate";
  static final String STATUS_SINK = "status";
  static final String EVENTS_SINK = "events";
  static final String LATE_SINK = "late";
  static final String DEAD_LETTERS_SINK = "dead-letters";

  private WeirTopology() {}

  /** Builds it. */
  public static Topology build(TopologySettings settings, TopologyServices services) {
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    Serializer<byte[]> keys = new ByteArraySerializer();
    Serializer<Outgoing> values = new Outgoing.ValueSerializer();
    TimestampExtractor appendTime = (record, partitionTimeMs) -> record.timestamp();
    ThreadLocal<BatchDecoder> decoders =
        ThreadLocal.withInitial(() -> new BatchDecoder(settings.limits()));
    SenderRules rules = new SenderRules(settings.signing(), services.permissions());
    Outgoing.SamePartition samePartition = new Outgoing.SamePartition();
    Topology topology = new Topology();
    topology
        .addSource(
            AutoOffsetReset.earliest(),
            SOURCE,
            appendTime,
            bytes,
            bytes,
            settings.topics().readings())
        .addProcessor(PROCESSOR, new Aggregation(settings, services, decoders, rules), SOURCE)
        .addSink(LATE_SINK, settings.topics().late(), keys, values, samePartition, PROCESSOR)
        .addSink(
            DEAD_LETTERS_SINK,
            settings.topics().deadLetters(),
            keys,
            values,
            samePartition,
            PROCESSOR);
    for (Topic summaries : settings.summaries()) {
      String name = settings.topics().of(summaries);
      topology.addSink(summaries.text(), name, keys, values, samePartition, PROCESSOR);
      settings
          .latestOf(summaries)
          .ifPresent(
              latest ->
                  topology.addSink(
                      latest.text(),
                      settings.topics().of(latest),
                      keys,
                      values,
                      samePartition,
                      PROCESSOR));
    }
    if (settings.sendsStatus()) {
      String status = settings.topics().of(Topic.STATUS);
      topology.addSink(STATUS_SINK, status, keys, values, samePartition, PROCESSOR);
    }
    if (settings.sendsAlarms()) {
      String events = settings.topics().of(Topic.EVENTS);
      topology.addSink(EVENTS_SINK, events, keys, values, samePartition, PROCESSOR);
    }
    return topology;
  }

  private record Aggregation(
      TopologySettings settings,
      TopologyServices services,
      ThreadLocal<BatchDecoder> decoders,
      SenderRules rules)
      implements ProcessorSupplier<byte[], byte[], byte[], Outgoing> {
    @Override
    public Processor<byte[], byte[], byte[], Outgoing> get() {
      return new ReadingProcessor(settings, services, decoders, rules);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(
          HeapStore.builder(
              STORE,
              () ->
                  new PartitionState(
                      settings.window(),
                      settings.gateways(),
                      settings.windowLimits(),
                      settings.status(),
                      services.lives()),
              services.tasks().stores(),
              services.tasks().progress()::committed));
    }
  }
}
