package io.weir.topology;

import io.weir.deadletter.DeadLetterHeaders;
import io.weir.deadletter.Origin;
import io.weir.fetch.OversizedBatch;
import io.weir.reading.AttestationJudge;
import io.weir.reading.Attestations;
import io.weir.reading.BatchVerdict;
import io.weir.reading.IgnoredAttestation;
import io.weir.reading.ReadingColumns;
import io.weir.reading.ReadingJudge;
import io.weir.reading.RejectReason;
import io.weir.reading.Verdict;
import io.weir.registry.ValueFormat;
import io.weir.store.HeapStore;
import io.weir.store.PartitionState;
import io.weir.store.Timestamps;
import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import io.weir.wire.BatchDecoder;
import io.weir.wire.ResetMark;
import io.weir.wire.Tick;
import io.weir.wire.UndecodableException;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a batch through a task: decoded, judged whole, then applied. It only carries: what is
 * accepted is decided in {@code reading}, what becomes of it in {@code window}.
 */
final class ReadingProcessor implements Processor<byte[], byte[], byte[], Outgoing> {
  private static final Logger LOG = LoggerFactory.getLogger(ReadingProcessor.class);

  /** How many windows are emitted and sensors forgotten, at the most, with one record. */
  private static final int UPKEEP_SLICE = 10_000;

  private final TopologySettings settings;
  private final TopologyServices services;
  private final Measures measures;
  private final ThreadLocal<BatchDecoder> decoders;
  private final TickClock tickClock;

  private BatchDecoder decoder;
  private ProcessorContext<byte[], Outgoing> context;
  private PartitionState state;
  private HeapStore<PartitionState> store;
  private ReadingJudge judge;
  private AttestationJudge attestationJudge;
  private ValueFormat.Reader reader;
  private OutputSinks outputs;
  private PartitionStats stats;
  private LeaderClocks leaderClocks;
  private int partition;
  private boolean stateChecked;

  /**
   * @param decoders one for all tasks of a thread
   */
  ReadingProcessor(
      TopologySettings settings, TopologyServices services, ThreadLocal<BatchDecoder> decoders) {
    this.settings = settings;
    this.services = services;
    this.measures = services.measures();
    this.decoders = decoders;
    this.tickClock = new TickClock(settings.window().idleTimeoutMs());
  }

  @Override
  public void init(ProcessorContext<byte[], Outgoing> processorContext) {
    context = processorContext;
    decoder = decoders.get();
    store = context.getStateStore(WeirTopology.STORE);
    store.resume();
    state = store.state();
    stateChecked = false;
    partition = context.taskId().partition();
    judge =
        new ReadingJudge(
            partition,
            SensorPartition.COUNT,
            settings.limits().maxIdBytes(),
            settings.maxFutureSkewMs());
    attestationJudge =
        new AttestationJudge(
            partition,
            SensorPartition.COUNT,
            settings.limits().maxIdBytes(),
            settings.maxFutureSkewMs());
    reader =
        settings
            .values()
            .reader(
                settings.topics().readings(),
                ReadingBatch.getDefaultInstance(),
                settings.registryWait());
    outputs = new OutputSinks(context, settings, measures);
    stats = new PartitionStats(partition, state, settings, measures);
    leaderClocks = new LeaderClocks(settings.topics().readings(), partition, measures);
    services.progress().taken(partition, state.time().appendMs());
    tickClock.begin(nowMs());
    context.schedule(
        Duration.ofMillis(tickClock.lookEveryMs()),
        PunctuationType.WALL_CLOCK_TIME,
        wallClockMs -> askForTick());
  }

  /**
   * The clock only asks: the tick comes back as a record, and what it sets off is committed with
   * its offset, which the brokers refuse of a member that was replaced. Nothing is changed and
   * nothing is sent here: a commit without offsets would be refused to nobody.
   */
  private void askForTick() {
    long nowMs = nowMs();
    stats.tell(nowMs);
    boolean due = tickClock.isDue(nowMs) && state.awaitsTime();
    if (tickClock.isHeartbeatDue(nowMs) || due) {
      services.ticks().ask(partition);
    }
  }

  private long nowMs() {
    return services.elapsedMs().getAsLong();
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    requireStateContinues();
    if (Tick.is(record.value(), record.headers())) {
      begin(record);
    } else if (ResetMark.is(record.value(), record.headers())) {
      reset(record);
    } else {
      batch(record);
    }
    boolean workLeft = state.windows().upkeep(state.time(), UPKEEP_SLICE, outputs);
    state.gateways().forgetSilent(state.time().logMs());
    store.changed();
    services.progress().processed(partition, record.timestamp());
    tickClock.processed(nowMs(), workLeft);
  }

  private void batch(Record<byte[], byte[]> record) {
    try {
      ReadingColumns batch = decoder.decode(admitted(record));
      begin(record);
      take(record, batch);
    } catch (UndecodableException e) {
      begin(record);
      undecodable(record, e);
    }
  }

  private void undecodable(Record<byte[], byte[]> record, UndecodableException why) {
    outputs.undecodable(record, origin(), why);
    measures.undecodable(why.reason());
  }

  /** A mark is accepted if its order is there; waits here for brokers that do not answer. */
  private void reset(Record<byte[], byte[]> record) {
    Optional<ResetMark> mark = ResetMark.read(record.headers());
    Optional<String> gatewayId = mark.flatMap(services.control()::gatewayToReset);
    begin(record);
    if (gatewayId.isEmpty()) {
      undecodable(record, UndecodableException.unknownReset());
      return;
    }
    long order = mark.orElseThrow().offset();
    if (state.reset(gatewayId.get(), services.control().topicId(), order)) {
      measures.gatewayReset();
      LOG.info(
          "{} partition {} offset {}: the sequences of gateway {} are cleared, by order {}",
          settings.topics().readings(),
          partition,
          offset(),
          gatewayId.get(),
          order);
    }
  }

  /**
   * Holds the state that was read back against the first record that is applied to it, and later
   * ones against those before: Streams 4.3.1 reads from the beginning where a partition lost its
   * end.
   */
  private void requireStateContinues() {
    if (!stateChecked || offset() < state.position().nextOffset()) {
      services
          .input()
          .requireContinues(
              partition, state.position().topicId(), state.position().nextOffset(), offset());
      stateChecked = true;
    }
  }

  private long offset() {
    return context.recordMetadata().orElseThrow().offset();
  }

  /** From here on the state changes: what waits, or fails to be read, has changed nothing yet. */
  private void begin(Record<byte[], byte[]> record) {
    store.changing();
    long offset = offset();
    long behindMs = state.observe(record.timestamp(), offset, services.input().topicId());
    leaderClocks.observed(behindMs, offset, nowMs());
    outputs.at(Timestamps.bounded(record.timestamp(), context.currentSystemTimeMs()));
  }

  /** The value as the decoder takes it; waits here for a registry that does not answer. */
  private byte[] admitted(Record<byte[], byte[]> record) throws UndecodableException {
    byte[] value = record.value();
    Optional<OversizedBatch> oversized = OversizedBatch.of(value, record.headers());
    if (oversized.isPresent()) {
      throw UndecodableException.malformed(oversized.get().describe());
    }
    return value == null ? null : reader.admit(value, record.headers());
  }

  private void take(Record<byte[], byte[]> record, ReadingColumns batch) {
    String gatewayId = batch.gatewayId();
    BatchVerdict verdict =
        state
            .gateways()
            .judge(
                batch,
                gatewayId,
                settings.limits().maxIdBytes(),
                record.timestamp(),
                state.time().logMs());
    measures.batch(batch.readings());
    if (verdict.refusal() != null) {
      refuse(record, batch, verdict.refusal());
    } else if (verdict == BatchVerdict.DUPLICATE) {
      measures.duplicate(batch.readings());
    } else {
      state.windows().recognise(batch);
      int rejected = judge.judge(batch, record.timestamp());
      if (state.windows().opensTooMany(batch)) {
        refuse(record, batch, RejectReason.TOO_MANY_WINDOWS);
        return;
      }
      if (verdict == BatchVerdict.NEW) {
        state.gateways().apply(gatewayId, batch.bootId(), batch.sequence(), state.time().logMs());
      }
      boolean attests = !batch.attestations().isEmpty();
      if (attests) {
        boolean redriven = record.headers().lastHeader(DeadLetterHeaders.REDRIVE_TOPIC) != null;
        attestationJudge.judge(batch, state.gateways(), redriven, record.timestamp());
      }
      apply(record, batch, rejected);
      if (attests) {
        countIgnored(batch.attestations());
      }
    }
  }

  private void countIgnored(Attestations attestations) {
    for (IgnoredAttestation cause : IgnoredAttestation.values()) {
      if (attestations.ignored(cause) > 0) {
        measures.attestationsIgnored(cause, attestations.ignored(cause));
      }
    }
  }

  private void refuse(Record<byte[], byte[]> record, ReadingColumns batch, RejectReason reason) {
    outputs.refused(record, origin(), batch, reason);
    measures.rejected(reason, batch.readings());
  }

  private void apply(Record<byte[], byte[]> record, ReadingColumns batch, int alreadyRejected) {
    int rejected = alreadyRejected;
    int late = state.windows().apply(batch, state.time().logMs(), outputs);
    rejected += state.windows().refused();
    if (rejected > 0) {
      reject(record, batch);
    }
    if (late > 0) {
      outputs.late(record, origin(), batch);
      measures.late(late);
    }
    if (state.windows().broken() > 0) {
      measures.attestationsBroken(state.windows().broken());
    }
    int aggregated = batch.readings() - rejected - late;
    if (aggregated > 0) {
      measures.aggregated(aggregated);
      measures.watermarkLag(record.timestamp() - state.windows().batchLatestMs());
    }
  }

  private void reject(Record<byte[], byte[]> record, ReadingColumns batch) {
    int[] byVerdict = new int[Verdict.REASONS];
    for (int i = 0; i < batch.readings(); i++) {
      byte verdict = batch.verdict(i);
      if (verdict != Verdict.LATE) {
        byVerdict[verdict]++;
      }
    }
    for (int verdict = 1; verdict < byVerdict.length; verdict++) {
      if (byVerdict[verdict] > 0) {
        RejectReason reason = Verdict.reason(verdict);
        outputs.rejected(record, origin(), batch, reason);
        measures.rejected(reason, byVerdict[verdict]);
      }
    }
  }

  private Origin origin() {
    RecordMetadata metadata = context.recordMetadata().orElseThrow();
    return new Origin(metadata.topic(), metadata.partition(), metadata.offset());
  }

  @Override
  public void close() {
    store.rest();
    measures.partitionGone(partition);
    services.progress().gone(partition);
  }
}
