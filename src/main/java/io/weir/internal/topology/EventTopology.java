package io.weir.internal.topology;

import io.weir.internal.event.FoldSpec;
import io.weir.internal.store.FoldState;
import io.weir.internal.store.GroupPartState;
import io.weir.internal.store.GroupState;
import io.weir.internal.store.HeapStore;
import io.weir.internal.store.InputState;
import io.weir.internal.store.TimerState;
import io.weir.internal.wire.EventDecoder;
import io.weir.topic.Topic;
import java.util.List;
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
 * The topology of {@code weir events}, in up to four subtopologies: scheduled events to due events;
 * events to folds; summaries of sensors to parts of groups, which are partitioned by group; and
 * parts to summaries of groups. Topics connect them; each has a store and tasks. The names are part
 * of the state format.
 */
public final class EventTopology {
  /** Its changelog is {@code <application id>-weir-timers-changelog}; the others' alike. */
  public static final String TIMERS_STORE = "weir-timers";

  public static final String FOLDS_STORE = "weir-folds";
  public static final String GROUP_PARTS_STORE = "weir-group-parts";
  public static final String GROUPS_STORE = "weir-groups";

  /** All of them. */
  public static final List<String> STORES =
      List.of(TIMERS_STORE, FOLDS_STORE, GROUP_PARTS_STORE, GROUPS_STORE);

  static final String EVENTS_SINK = "events-due";
  static final String SCHEDULED_DEAD_LETTERS_SINK = "scheduled-dead-letters";
  static final String FOLDED_SINK = "folded";
  static final String DEAD_LETTERS_SINK = "events-dead-letters";
  static final String GROUP_PARTS_SINK = "group-parts-of-sensors";
  static final String GROUP_PARTS_DEAD_LETTERS_SINK = "group-parts-dead-letters";
  static final String GROUPS_SINK = "groups";

  /** What is due is seen so much later at the most; no tick where nothing is. */
  static final TickTimes TICKS = new TickTimes(30_000, 100);

  /** A gap between two records' append times lets so much log time pass at the most. */
  private static final long LONGEST_GAP_MS = 60_000;

  private static final String SCHEDULED_SOURCE = "scheduled";
  private static final String SCHEDULER = "schedule";
  private static final String EVENTS_SOURCE = "events";
  private static final String FOLDER = "fold";
  private static final String WINDOWS_SOURCE = "windows";
  private static final String PARTER = "part";
  private static final String GROUP_PARTS_SOURCE = "group-parts";
  private static final String GROUPER = "group";

  private final EventSettings settings;
  private final EventServices services;
  private final ThreadLocal<EventDecoder> decoders;
  private final Topology topology = new Topology();

  private EventTopology(EventSettings settings, EventServices services) {
    this.settings = settings;
    this.services = services;
    this.decoders = ThreadLocal.withInitial(() -> new EventDecoder(settings.limits()));
  }

  /** Builds it. */
  public static Topology build(EventSettings settings, EventServices services) {
    EventTopology events = new EventTopology(settings, services);
    events.schedule();
    settings.fold().ifPresent(events::fold);
    settings.groups().ifPresent(events::group);
    return events.topology;
  }

  private void schedule() {
    source(SCHEDULED_SOURCE, Topic.SCHEDULED);
    step(
        SCHEDULER,
        SCHEDULED_SOURCE,
        () -> new ScheduleProcessor(settings, services, decoders),
        store(
            Topic.SCHEDULED,
            TIMERS_STORE,
            () -> new TimerState(settings.timers(), settings.gateways(), LONGEST_GAP_MS)));
    sink(EVENTS_SINK, Topic.EVENTS, SCHEDULER);
    sink(SCHEDULED_DEAD_LETTERS_SINK, Topic.DEAD_LETTERS, SCHEDULER);
  }

  private void fold(FoldSpec spec) {
    source(EVENTS_SOURCE, Topic.EVENTS);
    step(
        FOLDER,
        EVENTS_SOURCE,
        () -> new FoldProcessor(settings, services, decoders),
        store(Topic.EVENTS, FOLDS_STORE, () -> new FoldState(spec, settings.gateways())));
    sink(FOLDED_SINK, Topic.FOLDED, FOLDER);
    sink(DEAD_LETTERS_SINK, Topic.DEAD_LETTERS, FOLDER);
  }

  private void group(GroupSettings groups) {
    source(WINDOWS_SOURCE, groups.source());
    step(
        PARTER,
        WINDOWS_SOURCE,
        () -> new GroupPartProcessor(settings, services),
        store(
            groups.source(),
            GROUP_PARTS_STORE,
            () -> new GroupPartState(groups.sizeMs(), groups.template().toString())));
    sink(GROUP_PARTS_SINK, Topic.GROUP_PARTS, PARTER);
    sink(GROUP_PARTS_DEAD_LETTERS_SINK, Topic.DEAD_LETTERS, PARTER);
    source(GROUP_PARTS_SOURCE, Topic.GROUP_PARTS);
    step(
        GROUPER,
        GROUP_PARTS_SOURCE,
        () -> new GroupProcessor(settings, services),
        store(
            Topic.GROUP_PARTS,
            GROUPS_STORE,
            () -> new GroupState(groups.spec(), settings.gateways())));
    sink(GROUPS_SINK, Topic.GROUPS, GROUPER);
  }

  private <S extends InputState> StoreBuilder<?> store(
      Topic topic, String name, Supplier<S> states) {
    TaskServices of = services.of(settings.topics().of(topic));
    return HeapStore.builder(name, states, of.stores(), of.progress()::committed);
  }

  private void step(
      String name,
      String source,
      Supplier<Processor<byte[], byte[], byte[], Outgoing>> processors,
      StoreBuilder<?> store) {
    topology.addProcessor(name, new Step(processors, store), source);
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
