package io.weir.internal.topology;

import io.weir.internal.event.EventColumns;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.event.Timer;
import io.weir.internal.event.Timers.Outcome;
import io.weir.internal.store.TimerState;
import io.weir.internal.wire.EventBatchEncoder;
import io.weir.internal.wire.EventDecoder;
import io.weir.internal.wire.ResetMark;
import io.weir.reading.OwnSequences;
import io.weir.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The processor of scheduled events. For each record, including ticks, it first writes the events
 * that are due by its append time, then executes the record's orders and writes the events that
 * these scheduled in the past.
 */
final class ScheduleProcessor
    implements Processor<byte[], byte[], byte[], Outgoing>, EventIntake.Step {
  /** Events that came due and are written as one record. */
  private static final int BATCH_EVENTS = 1_000;

  private static final int BATCH_BYTES = 512 << 10;

  private final EventSettings settings;
  private final EventServices services;
  private final ThreadLocal<EventDecoder> decoders;
  private final EventBatchEncoder encoder = new EventBatchEncoder();
  private ProcessorContext<byte[], Outgoing> context;
  private InputTask<TimerState> task;
  private TimerState state;
  private EventIntake intake;
  private EventDeadLetters deadLetters;
  private OwnBatches own;

  /** The record at hand. */
  private Record<byte[], byte[]> record;

  /** Append time of the record at hand, and the timestamp of what is written with it. */
  private long appendMs = Long.MAX_VALUE;

  private long outputMs;

  /** Events of the firing at hand that nobody wants any more. */
  private final List<byte[]> expired = new ArrayList<>();

  /** How many may still be written with the record at hand. */
  private int left;

  ScheduleProcessor(
      EventSettings settings, EventServices services, ThreadLocal<EventDecoder> decoders) {
    this.settings = settings;
    this.services = services;
    this.decoders = decoders;
  }

  @Override
  public void init(ProcessorContext<byte[], Outgoing> processorContext) {
    context = processorContext;
    String topic = settings.topics().of(Topic.SCHEDULED);
    task = services.task(context, EventTopology.TIMERS_STORE, topic);
    state = task.state();
    deadLetters =
        new EventDeadLetters(context, EventTopology.SCHEDULED_DEAD_LETTERS_SINK, settings);
    intake =
        new EventIntake(
            IntakeMeasures.Source.SCHEDULED,
            topic,
            settings,
            services.measures(),
            task,
            state.senders(),
            decoders.get(),
            deadLetters);
    own =
        new OwnBatches(
            context,
            settings.topics().of(Topic.EVENTS),
            state.senders().own(),
            settings.senders(),
            settings.values());
    task.start(
        nowMs ->
            services
                .measures()
                .waiting(task.partition(), state.timers().size(), state.timers().bytes()));
  }

  @Override
  public void process(Record<byte[], byte[]> next) {
    left = InputTask.UPKEEP_SLICE;
    if (task.leavesOut()) {
      return;
    }
    intake.take(next, this);
    boolean workLeft = fire();
    task.end(next, workLeft);
    record = null;
  }

  @Override
  public void before(Record<byte[], byte[]> next) {
    if (next.timestamp() < appendMs) {
      state.clockWentBack(next.timestamp());
    }
    record = next;
    appendMs = next.timestamp();
    outputMs = task.outputMs(next);
    own.begin(outputMs);
    fire();
  }

  /** No order has a mark on this topic. */
  @Override
  public boolean isOrdered(Optional<ResetMark> mark) {
    return false;
  }

  @Override
  public void apply(EventColumns batch, int event) {
    Outcome outcome = state.timers().order(batch, event);
    services.measures().ordered(outcome);
    if (outcome == Outcome.TOO_MANY) {
      batch.refuse(event, EventRefusal.TOO_MANY_TIMERS);
    }
  }

  private boolean fire() {
    boolean more = state.timers().fire(appendMs, left, this::fire, this::expire);
    expire();
    flush();
    return more;
  }

  private void fire(Timer timer, long dueMs, long missed) {
    encoder.add(timer, dueMs, missed);
    left--;
    services.measures().fired(appendMs - dueMs);
    if (encoder.events() >= BATCH_EVENTS || encoder.size() >= BATCH_BYTES) {
      flush();
    }
  }

  private void expire(Timer timer) {
    left--;
    expired.add(timer.event());
  }

  private void expire() {
    if (expired.isEmpty()) {
      return;
    }
    EventRefusal why = EventRefusal.EXPIRED_EVENT;
    deadLetters.held(
        record,
        task.origin(),
        OwnSequences.gatewayId(context.applicationId(), task.partition()),
        expired,
        why,
        EventRefusal.class,
        why.meaning(),
        outputMs);
    services.measures().refused(IntakeMeasures.Source.SCHEDULED, why, expired.size());
    expired.clear();
  }

  private void flush() {
    if (encoder.events() == 0) {
      return;
    }
    Headers headers = new RecordHeaders();
    Outgoing value = new Outgoing(task.partition(), own.next(encoder, task.partition(), headers));
    context.forward(new Record<>(null, value, outputMs, headers), EventTopology.EVENTS_SINK);
    task.emitted();
  }

  @Override
  public void close() {
    task.close();
    services.measures().gone(IntakeMeasures.Source.SCHEDULED, task.partition());
  }
}
