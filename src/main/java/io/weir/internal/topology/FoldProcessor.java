package io.weir.internal.topology;

import io.weir.internal.event.EventColumns;
import io.weir.internal.event.Fold;
import io.weir.internal.event.FoldReason;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.store.FoldState;
import io.weir.internal.wire.EventDecoder;
import io.weir.internal.wire.FoldedEventEncoder;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.Topic;
import io.weir.v1.FoldedEvent;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Events through a task: into the folds of their keys, which are emitted when they are due. */
final class FoldProcessor implements Processor<byte[], byte[], byte[], Outgoing>, EventIntake.Step {
  private final EventSettings settings;
  private final EventServices services;
  private final ThreadLocal<EventDecoder> decoders;
  private ProcessorContext<byte[], Outgoing> context;
  private InputTask<FoldState> task;
  private FoldState state;
  private EventIntake intake;
  private ValueFormat.Writer writer;
  private long outputMs;
  private long logMs;
  private long offset;
  private long reopened;

  FoldProcessor(
      EventSettings settings, EventServices services, ThreadLocal<EventDecoder> decoders) {
    this.settings = settings;
    this.services = services;
    this.decoders = decoders;
  }

  @Override
  public void init(ProcessorContext<byte[], Outgoing> processorContext) {
    context = processorContext;
    String topic = settings.topics().of(Topic.EVENTS);
    task = services.task(context, EventTopology.FOLDS_STORE, topic);
    state = task.state();
    intake =
        new EventIntake(
            IntakeMeasures.Source.EVENTS,
            topic,
            settings,
            services.measures(),
            task,
            state.senders(),
            decoders.get(),
            new EventDeadLetters(context, EventTopology.DEAD_LETTERS_SINK, settings));
    writer =
        settings
            .values()
            .writer(settings.topics().of(Topic.FOLDED), FoldedEvent.getDefaultInstance());
    reopened = state.folds().reopened();
    task.start(
        nowMs ->
            services
                .measures()
                .folding(task.partition(), state.folds().size(), state.folds().bytes()));
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (task.leavesOut()) {
      return;
    }
    intake.take(record, this);
    boolean workLeft = state.folds().endDue(logMs, InputTask.UPKEEP_SLICE, this::emit);
    for (; reopened < state.folds().reopened(); reopened++) {
      services.measures().reopened();
    }
    task.end(record, workLeft);
  }

  @Override
  public void before(Record<byte[], byte[]> record) {
    outputMs = task.outputMs(record);
    logMs = state.position().time().logMs();
    offset = task.offset();
  }

  /** Marks on this topic are for handlers: each of their applications judges them. */
  @Override
  public boolean isOrdered(Optional<ResetMark> mark) {
    return true;
  }

  @Override
  public void apply(EventColumns batch, int event) {
    state.folds().add(batch, event, offset, logMs, this::emit);
  }

  private void emit(Fold fold, FoldReason reason) {
    Headers headers = new RecordHeaders();
    byte[] value = writer.write(FoldedEventEncoder.encode(fold, reason), headers);
    context.forward(
        new Record<>(fold.key(), new Outgoing(task.partition(), value), outputMs, headers),
        EventTopology.FOLDED_SINK);
    task.emitted();
    services.measures().folded(reason, fold.events());
  }

  @Override
  public void close() {
    task.close();
    services.measures().gone(IntakeMeasures.Source.EVENTS, task.partition());
  }
}
