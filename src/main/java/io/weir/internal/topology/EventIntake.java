package io.weir.internal.topology;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.EventJudge;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.fetch.OversizedBatch;
import io.weir.internal.permission.Permit;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.store.InputState;
import io.weir.internal.store.SenderState;
import io.weir.internal.window.PartitionTime;
import io.weir.internal.wire.EventDecoder;
import io.weir.internal.wire.ResetMark;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.BatchVerdict;
import io.weir.reading.RejectReason;
import io.weir.v1.EventBatch;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Record;

/**
 * What every batch of events goes through, whatever it is for: its signature is checked, it is
 * decoded, judged by its gateway and sequence, then event by event; what is refused goes to the
 * dead letters.
 */
public final class EventIntake {
  /** What is done with the events that are accepted. */
  public interface Step {
    /** Before anything of a record is applied, its time having passed. */
    void before(Record<byte[], byte[]> record);

    /**
     * Whether a mark has an operator's order, asked before {@link #before}; may wait for brokers.
     *
     * @param mark empty if it is invalid
     */
    boolean isOrdered(Optional<ResetMark> mark);

    /** An event that is accepted so far; may still refuse it. */
    void apply(EventColumns batch, int event);
  }

  private final IntakeMeasures.Source source;
  private final EventSettings settings;
  private final IntakeMeasures measures;
  private final InputTask<? extends InputState> task;
  private final SenderState senders;
  private final SenderCheck check;
  private final EventDecoder decoder;
  private final EventJudge judge;
  private final ValueFormat.Reader reader;
  private final EventDeadLetters deadLetters;

  /**
   * @param source which of the topics it is
   * @param topic its name
   */
  public EventIntake(
      IntakeMeasures.Source source,
      String topic,
      EventSettings settings,
      IntakeMeasures measures,
      InputTask<? extends InputState> task,
      SenderState senders,
      EventDecoder decoder,
      EventDeadLetters deadLetters) {
    this.source = source;
    this.settings = settings;
    this.measures = measures;
    this.task = task;
    this.senders = senders;
    this.decoder = decoder;
    this.deadLetters = deadLetters;
    this.check =
        settings
            .senders()
            .check(
                topic,
                task.partition(),
                settings.limits().maxIdBytes(),
                () -> measures.unsigned(source));
    this.judge =
        new EventJudge(
            source == IntakeMeasures.Source.EVENTS
                ? EventJudge.Kind.HAPPENED
                : EventJudge.Kind.SCHEDULED,
            task.partition(),
            settings.partitions(),
            settings.limits().maxIdBytes(),
            settings.maxFutureSkewMs());
    this.reader =
        settings.values().reader(topic, EventBatch.getDefaultInstance(), settings.registryWait());
  }

  /**
   * Takes a record that the task does not leave out: a tick, a mark of an order, a batch, or none
   * of them. From within on the state changes.
   */
  public void take(Record<byte[], byte[]> record, Step step) {
    long deletedUnread = task.deletedUnread();
    if (deletedUnread > 0) {
      measures.deletedUnread(deletedUnread);
    }
    if (InputTask.isTick(record)) {
      begin(record, step);
      return;
    }
    if (ResetMark.is(record.value(), record.headers())) {
      boolean isOrdered = step.isOrdered(ResetMark.read(record.headers()));
      begin(record, step);
      if (!isOrdered) {
        undecodable(record, UndecodableException.unknownReset());
      }
      return;
    }
    EventColumns batch;
    try {
      batch = decoder.decode(admitted(record));
      check.requireSame(batch);
    } catch (UndecodableException e) {
      begin(record, step);
      undecodable(record, e);
      return;
    }
    begin(record, step);
    take(record, batch, step);
  }

  private void undecodable(Record<byte[], byte[]> record, UndecodableException why) {
    deadLetters.undecodable(record, task.origin(), why, check.claimed(why), task.outputMs(record));
    measures.undecodable(source, why.reason());
  }

  private void begin(Record<byte[], byte[]> record, Step step) {
    task.begin(record);
    senders.gateways().forgetSilent(time().logMs());
    step.before(record);
  }

  private PartitionTime time() {
    return task.state().position().time();
  }

  /** The value as the decoder takes it; waits here for a registry that does not answer. */
  private byte[] admitted(Record<byte[], byte[]> record) throws UndecodableException {
    byte[] value = record.value();
    Optional<OversizedBatch> oversized = OversizedBatch.of(value, record.headers());
    if (oversized.isPresent()) {
      throw UndecodableException.malformed(oversized.get().describe());
    }
    if (value == null) {
      return null;
    }
    check.require(record);
    return reader.admit(value, record.headers());
  }

  private void take(Record<byte[], byte[]> record, EventColumns batch, Step step) {
    if (check.isProvenRedriven(record)
        && DeadLetterHeaders.isForAnother(record.headers(), task.applicationId())) {
      measures.events(source, batch.size());
      measures.duplicate(source, batch.size());
      return;
    }
    String gatewayId = batch.gatewayId();
    BatchVerdict bySequence =
        senders
            .gateways()
            .judge(
                batch,
                gatewayId,
                settings.limits().maxIdBytes(),
                time().latestMs(),
                time().logMs());
    BatchVerdict verdict = check.judge(bySequence, record, senders.redriven());
    measures.events(source, batch.size());
    Permit permit = verdict == BatchVerdict.INVALID_GATEWAY ? Permit.ALL : check.permit(gatewayId);
    RejectReason refusal = check.refusal(record, batch, verdict, permit);
    if (refusal != null) {
      deadLetters.refused(record, task.origin(), batch, refusal, task.outputMs(record));
      measures.refused(source, refusal, batch.size());
      return;
    }
    if (verdict == BatchVerdict.DUPLICATE) {
      measures.duplicate(source, batch.size());
      return;
    }
    if (verdict == BatchVerdict.NEW) {
      senders.gateways().apply(gatewayId, batch.bootId(), batch.sequence(), time().logMs());
    }
    check.apply(senders.redriven());
    judge.judge(batch, record.timestamp(), time().latestMs(), permit.keys());
    boolean refused = false;
    for (int i = 0; i < batch.size(); i++) {
      if (batch.refusal(i) == null) {
        step.apply(batch, i);
      }
      refused |= batch.refusal(i) != null;
    }
    if (refused) {
      reject(record, batch);
    }
  }

  private void reject(Record<byte[], byte[]> record, EventColumns batch) {
    for (EventRefusal reason : EventRefusal.values()) {
      int events =
          deadLetters.rejected(record, task.origin(), batch, reason, task.outputMs(record));
      if (events > 0) {
        measures.refused(source, reason, events);
      }
    }
  }
}
