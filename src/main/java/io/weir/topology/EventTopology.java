package io.weir.topology;

import io.weir.store.FoldState;
import io.weir.store.HeapStore;
import io.weir.store.TimerState;
import io.weir.topic.Topic;
import io.weir.wire.EventDecoder;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The drawing of {@code weir events}: scheduled events in, those that came due out to the events;
 * and where events are folded, events in and folds out. Two parts that meet on the topic of events,
 * each with a store and tasks of its own. Nothing is repartitioned. Names are part of the state's
 * contract.
 */
public final class EventTopology {
  /** Its changelog is {@code <application id>-weir-timers-changelog}; the other's alike. */
  public static final String TIMERS_STORE = "weir-timers";

  public static final String FOLDS_STORE = "weir-folds";

  static final String EVENTS_SINK = "events-due";
  static final String SCHEDULED_DEAD_LETTERS_SINK = "scheduled-dead-letters";
  static final String FOLDED_SINK = "folded";
  static final String DEAD_LETTERS_SINK = "events-dead-letters";

  /** What is due is seen so much later at the most; no tick where nothing is. */
  static final TickTimes TICKS = new TickTimes(30_000, 100);

  /** A gap between two records' append times lets so much log time pass at the most. */
  private static final long LONGEST_GAP_MS = 60_000;

  private static final String SCHEDULED_SOURCE = "scheduled";
  private static final String SCHEDULER = "schedule";
  private static final String EVENTS_SOURCE = "events";
  private static final String FOLDER = "fold";

  private final EventSettings settings;
  private final Topology topology = new Topology();

  private EventTopology(EventSettings settings) {
    this.settings = settings;
  }

  /** Draws it. */
  public static Topology draw(EventSettings settings, EventServices services) {
    EventTopology drawing = new EventTopology(settings);
    ThreadLocal<EventDecoder> decoders =
        ThreadLocal.withInitial(() -> new EventDecoder(settings.limits()));
    drawing.source(SCHEDULED_SOURCE, Topic.SCHEDULED);
    drawing.topology.addProcessor(
        SCHEDULER,
        new Step(
            () -> new ScheduleProcessor(settings, services, decoders),
            HeapStore.builder(
                TIMERS_STORE,
                () -> new TimerState(settings.timers(), settings.gateways(), LONGEST_GAP_MS),
                services.scheduled().stores(),
                services.scheduled().progress()::committed)),
        SCHEDULED_SOURCE);
    drawing.sink(EVENTS_SINK, Topic.EVENTS, SCHEDULER);
    drawing.sink(SCHEDULED_DEAD_LETTERS_SINK, Topic.DEAD_LETTERS, SCHEDULER);
    settings
        .fold()
        .ifPresent(
            spec -> {
              drawing.source(EVENTS_SOURCE, Topic.EVENTS);
              drawing.topology.addProcessor(
                  FOLDER,
                  new Step(
                      () -> new FoldProcessor(settings, services, decoders),
                      HeapStore.builder(
                          FOLDS_STORE,
                          () -> new FoldState(spec, settings.gateways()),
                          services.events().stores(),
                          services.events().progress()::committed)),
                  EVENTS_SOURCE);
              drawing.sink(FOLDED_SINK, Topic.FOLDED, FOLDER);
              drawing.sink(DEAD_LETTERS_SINK, Topic.DEAD_LETTERS, FOLDER);
            });
    return drawing.topology;
  }

  private void source(String name, Topic topic) {
    TimestampExtractor appendTime = (record, partitionTimeMs) -> record.timestamp();
    topology.addSource(
        AutoOffsetReset.earliest(),
        name,
        appendTime,
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        settings.topics().of(topic));
  }

  private void sink(String name, Topic topic, String parent) {
    topology.addSink(
        name,
        settings.topics().of(topic),
        new ByteArraySerializer(),
        new Outgoing.ValueSerializer(),
        new Outgoing.SamePartition(),
        parent);
  }

  private record Step(
      Supplier<Processor<byte[], byte[], byte[], Outgoing>> processors, StoreBuilder<?> store)
      implements ProcessorSupplier<byte[], byte[], byte[], Outgoing> {
    @Override
    public Processor<byte[], byte[], byte[], Outgoing> get() {
      return processors.get();
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(store);
    }
  }
}
