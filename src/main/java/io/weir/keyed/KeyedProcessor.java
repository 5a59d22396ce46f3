package io.weir.keyed;

import io.weir.internal.deadletter.Origin;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.store.KeyedState;
import io.weir.internal.text.Printable;
import io.weir.internal.time.LogLimit;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.topology.EventDeadLetters;
import io.weir.internal.topology.EventIntake;
import io.weir.internal.topology.InputTask;
import io.weir.internal.topology.IntakeMeasures;
import io.weir.internal.topology.KeyedMeasures;
import io.weir.internal.topology.OwnBatches;
import io.weir.internal.topology.TaskServices;
import io.weir.internal.wire.EventBatchEncoder;
import io.weir.internal.wire.EventDecoder;
import io.weir.internal.wire.ResetMark;
import io.weir.keyed.Output.Emitted;
import io.weir.reading.Fnv1a;
import io.weir.reading.OwnSequences;
import io.weir.topic.RecordLimits;
import io.weir.topic.Topic;
import io.weir.v1.KeyDeletion;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processor of a task with handlers. For each record, including ticks, it first runs the timers
 * and idle ends that are due, then handles the record's events, then the events that these
 * scheduled in the past.
 */
final class KeyedProcessor
    implements Processor<byte[], byte[], byte[], Emission>,
        EventIntake.Step,
        KeyLifecycle.DeadLetters {
  private static final Logger LOG = LoggerFactory.getLogger(KeyedProcessor.class);

  /** Maximum number of due calls per record; if more are due, the next tick follows at once. */
  static final int DUE_SLICE = 1_000;

  /**
   * Interval at which a failure is logged with its stack trace; the others are logged at debug
   * level.
   */
  private static final long LOG_EVERY_MS = 60_000;

  /** Of copies of orders: anyone can write them. */
  private final LogLimit copies =
      new LogLimit(LOG, "weir_handlers_deletions_total", MonotonicClock::millis);

  private final KeyedPlan plan;
  private final KeyedMeasures measures;
  private final TaskServices services;
  private final ThreadLocal<EventDecoder> decoders;
  private ProcessorContext<byte[], Emission> context;
  private InputTask<KeyedState> task;
  private KeyedState state;
  private EventIntake intake;
  private EventDeadLetters deadLetters;
  private KeyLifecycle life;
  private SentEvents events;
  private SentEvents scheduled;
  private Record<byte[], byte[]> record;

  /** The order of the mark at hand, and its offset on the control topic. */
  private Optional<KeyDeletion> deletion = Optional.empty();

  private long deletionOffset;

  /** Of the last record; unknown after a start, which is as if the clock had gone back. */
  private long appendMs = Long.MAX_VALUE;

  private long outputMs;
  private int left;
  private long quietUntilMs = Long.MIN_VALUE;

  KeyedProcessor(
      KeyedPlan plan,
      KeyedMeasures measures,
      TaskServices services,
      ThreadLocal<EventDecoder> decoders) {
    this.plan = plan;
    this.measures = measures;
    this.services = services;
    this.decoders = decoders;
  }

  @Override
  public void init(ProcessorContext<byte[], Emission> processorContext) {
    context = processorContext;
    task =
        new InputTask<>(
            context,
            KeyedTopology.STORE,
            plan.topic(),
            KeyedTopology.TICKS,
            services,
            measures::appendTimeWentBack);
    state = task.state();
    deadLetters =
        new EventDeadLetters(this::sendDeadLetter, context.applicationId(), plan.events());
    intake =
        new EventIntake(
            IntakeMeasures.Source.EVENTS,
            plan.topic(),
            plan.events(),
            measures,
            task,
            state.senders(),
            decoders.get(),
            deadLetters);
    life =
        new KeyLifecycle(
            plan,
            task.partition(),
            OwnSequences.gatewayId(context.applicationId(), task.partition()),
            state,
            new Calls(plan, state, measures, this::emit),
            measures,
            this);
    events = sent(Topic.EVENTS);
    scheduled = sent(Topic.SCHEDULED);
    plan.begins().run();
    plan.times().ofThread().committed();
    task.start(nowMs -> report());
  }

  private SentEvents sent(Topic target) {
    String topic = plan.events().topics().of(target);
    return new SentEvents(
        topic,
        plan.events().partitions(),
        new OwnBatches(
            context,
            topic,
            state.senders().own(),
            plan.events().senders(),
            plan.events().values()));
  }

  private void report() {
    measures.holding(
        task.partition(),
        state.keys().started(),
        state.timers().size(),
        state.keys().waitingEvents(),
        state.keys().bytes());
  }

  @Override
  public void process(Record<byte[], byte[]> next) {
    if (task.leavesOut()) {
      return;
    }
    deletion = Optional.empty();
    intake.take(next, this);
    deletion.ifPresent(this::delete);
    left = life.due(left);
    task.end(next, left == 0);
    record = null;
  }

  @Override
  public boolean isOrdered(Optional<ResetMark> mark) {
    deletion = mark.flatMap(plan.control()::keyToDelete);
    deletion.ifPresent(order -> deletionOffset = mark.orElseThrow().offset());
    return deletion.isPresent();
  }

  private void delete(KeyDeletion order) {
    if (!order.getApplicationId().equals(context.applicationId())) {
      return;
    }
    KeyedMeasures.Deletion outcome = KeyedMeasures.Deletion.COPY;
    if (state.acceptDeletion(order.getKey(), plan.control().topicId(), deletionOffset)) {
      outcome =
          life.delete(order.getKeyBytes().toByteArray())
              ? KeyedMeasures.Deletion.DELETED
              : KeyedMeasures.Deletion.NOT_ALIVE;
    }
    measures.deletion(outcome);
    Object[] values = {
      plan.topic(),
      task.partition(),
      task.offset(),
      deletionOffset,
      Printable.line(order.getKey()),
      outcome.remark()
    };
    String text = "{} partition {} offset {}: order {} deletes key {}{}";
    if (outcome == KeyedMeasures.Deletion.COPY) {
      copies.warn(text, values);
    } else {
      LOG.info(text, values);
    }
  }

  @Override
  public void before(Record<byte[], byte[]> next) {
    if (next.timestamp() < appendMs) {
      life.clockWentBack(next.timestamp(), state.longestGapMs());
    }
    appendMs = next.timestamp();
    record = next;
    outputMs = task.outputMs(next);
    events.begin(outputMs);
    scheduled.begin(outputMs);
    life.at(next.timestamp(), state.position().time().logMs(), task.offset());
    left = life.due(DUE_SLICE);
  }

  @Override
  public void apply(EventColumns batch, int event) {
    life.event(batch, event);
  }

  private void emit(Emitted emitted) {
    context.forward(emitted.kind() == Emitted.Kind.RECORD ? record(emitted) : event(emitted));
    task.emitted();
  }

  private Record<byte[], Emission> event(Emitted emitted) {
    SentEvents target = emitted.kind() == Emitted.Kind.EVENT ? events : scheduled;
    String key = new String(emitted.key(), StandardCharsets.UTF_8);
    return target.record(key, emitted.value(), outputMs);
  }

  private Record<byte[], Emission> record(Emitted emitted) {
    Emission value = new Emission(emitted.topic(), emitted.partition(), emitted.value());
    RecordLimits limits = plan.outputs().of(emitted.topic()).limits();
    long atMs = limits.stamp(outputMs, context.currentSystemTimeMs());
    return new Record<>(emitted.key(), value, atMs, emitted.headers());
  }

  private void sendDeadLetter(byte[] key, byte[] value, long atMs, Headers headers) {
    Emission deadLetter =
        new Emission(plan.events().topics().deadLetters(), task.partition(), value);
    context.forward(new Record<>(key, deadLetter, atMs, headers));
  }

  @Override
  public void unhandled(HeldEvent event, EventRefusal reason) {
    held(event, reason, EventRefusal.class, reason.meaning());
    measures.refused(IntakeMeasures.Source.EVENTS, reason, 1);
  }

  @Override
  public void retries(int failures, long inMs, Calls.Failure failure) {
    log(
        "%s failed; attempt %d of %d follows after %d ms"
            .formatted(failure.call().describe(), failures + 1, plan.retries().attempts(), inMs),
        failure.cause());
  }

  @Override
  public void failed(HeldEvent event, KeyLifecycle.Trigger trigger, Calls.Failure failure) {
    Throwable cause = failure.cause();
    String what =
        "%s failed, at %s partition %d offset %d: %s"
            .formatted(
                failure.call().describe(),
                plan.topic(),
                task.partition(),
                event.origin() == null ? task.offset() : event.origin().offset(),
                describe(cause));
    log(what, cause);
    refuse(event, trigger, cause.getClass(), what);
    if (plan.onFailure() == OnFailure.STOP) {
      plan.times().stop();
      plan.stop().accept(what);
    }
  }

  private void refuse(HeldEvent event, KeyLifecycle.Trigger trigger, Class<?> type, String what) {
    EventRefusal reason =
        switch (trigger) {
          case RECORD, WAITING, RETRY -> EventRefusal.HANDLER;
          case TIMER, IDLE -> EventRefusal.HANDLER_RETRY;
        };
    if (trigger == KeyLifecycle.Trigger.RECORD) {
      deadLetters.event(
          record, task.origin(), event.gateway(), event.message(), reason, type, what, outputMs);
    } else {
      held(event, reason, type, what);
    }
    measures.refused(IntakeMeasures.Source.EVENTS, reason, 1);
  }

  /** The dead letter names where the event is, not the record that was at hand. */
  private void held(HeldEvent event, EventRefusal reason, Class<?> type, String what) {
    EventOrigin at = event.origin();
    Origin origin =
        at == null ? task.origin() : new Origin(at.topic(), at.partition(), at.offset());
    deadLetters.held(
        record, origin, event.gateway(), List.of(event.message()), reason, type, what, outputMs);
  }

  /** The message of the exception, or the exception itself if it has none. */
  private static String describe(Throwable cause) {
    try {
      return cause.toString();
    } catch (Throwable e) {
      return cause.getClass().getName();
    }
  }

  /** Rate-limited: failures are also counted and written to the dead letters. */
  private void log(String what, Throwable cause) {
    long nowMs = task.nowMs();
    boolean isQuiet = nowMs < quietUntilMs;
    try {
      if (isQuiet) {
        LOG.debug("{}", what, cause);
        return;
      }
      quietUntilMs = nowMs + LOG_EVERY_MS;
      LOG.warn("{}; further failures within a minute are logged at debug level", what, cause);
    } catch (Throwable e) { // The message of an exception is code of the user's program too.
      LOG.warn("{}; the exception cannot be printed: {}", what, e.getClass().getName());
    }
  }

  @Override
  public void close() {
    task.close();
    measures.gone(task.partition());
  }

  /**
   * The events that handlers send to keys of a topic: batches of the task's own gateway, each of
   * one event, in the partition of its key. A receiver counts each once. Called by the task's
   * thread only.
   */
  static final class SentEvents {
    private final String topic;
    private final int partitions;
    private final OwnBatches batches;
    private final EventBatchEncoder encoder = new EventBatchEncoder();

    SentEvents(String topic, int partitions, OwnBatches batches) {
      this.topic = topic;
      this.partitions = partitions;
      this.batches = batches;
    }

    /** To be called with each record; see {@link OwnBatches#begin}. */
    void begin(long recordMs) {
      batches.begin(recordMs);
    }

    /** The record of an event, with the next sequence of its partition. */
    Record<byte[], Emission> record(String key, byte[] event, long atMs) {
      int partition = Integer.remainderUnsigned(Fnv1a.hash(key), partitions);
      Headers headers = new RecordHeaders();
      encoder.add(event);
      byte[] value = batches.next(encoder, partition, headers);
      return new Record<>(null, new Emission(topic, partition, value), atMs, headers);
    }
  }
}
