package io.weir.topology;

import io.weir.deadletter.Origin;
import io.weir.fetch.OversizedBatch;
import io.weir.reading.BatchVerdict;
import io.weir.reading.ReadingColumns;
import io.weir.reading.ReadingJudge;
import io.weir.reading.RejectReason;
import io.weir.reading.Verdict;
import io.weir.registry.ValueFormat;
import io.weir.store.HeapStore;
import io.weir.store.PartitionState;
import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import io.weir.wire.BatchDecoder;
import io.weir.wire.UndecodableException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * The way of a batch through a task: decoded, judged whole, then applied. It only carries: what is
 * believed is decided in {@code reading}, what becomes of it in {@code window}.
 */
final class ReadingProcessor implements Processor<byte[], byte[], byte[], Outgoing> {
  /** How many silent sensors are looked at, at the most, between two records. */
  private static final int UPKEEP_SLICE = 10_000;

  private final TopologySettings settings;
  private final Measures measures;
  private final LongSupplier elapsedMs;
  private final long upkeepIntervalMs;
  private final ThreadLocal<BatchDecoder> decoders;

  private BatchDecoder decoder;
  private ProcessorContext<byte[], Outgoing> context;
  private PartitionState state;
  private HeapStore store;
  private ReadingJudge judge;
  private ValueFormat.Reader reader;
  private Outlet outlet;
  private Standing standing;
  private long nextUpkeepMs;

  /**
   * @param decoders one for all tasks of a thread
   */
  ReadingProcessor(
      TopologySettings settings,
      Measures measures,
      LongSupplier elapsedMs,
      ThreadLocal<BatchDecoder> decoders) {
    this.settings = settings;
    this.measures = measures;
    this.elapsedMs = elapsedMs;
    this.upkeepIntervalMs = Math.min(1000, Math.max(50, settings.window().idleTimeoutMs() / 4));
    this.decoders = decoders;
  }

  @Override
  public void init(ProcessorContext<byte[], Outgoing> processorContext) {
    context = processorContext;
    decoder = decoders.get();
    store = context.getStateStore(WeirTopology.STORE);
    store.resume(elapsedMs.getAsLong());
    state = store.state();
    judge =
        new ReadingJudge(
            context.taskId().partition(),
            SensorPartition.COUNT,
            settings.limits().maxIdBytes(),
            settings.maxFutureSkewMs());
    reader =
        settings
            .values()
            .reader(
                settings.readings(),
                ReadingBatch.getDefaultInstance(),
                settings.registryPatience());
    outlet = new Outlet(context, settings, measures);
    standing = new Standing(context.taskId().partition(), state, measures);
    nextUpkeepMs = Long.MIN_VALUE;
    context.schedule(
        Duration.ofMillis(upkeepIntervalMs),
        PunctuationType.WALL_CLOCK_TIME,
        wallClockMs -> punctuate());
  }

  /**
   * What times out here may have been done by half. Streams 4.3.1 would commit the thread's other
   * tasks before it took this one back, and with them what it has sent: so it is an error like any
   * other, and costs the thread.
   */
  private void punctuate() {
    try {
      upkeep(elapsedMs.getAsLong());
    } catch (TimeoutException e) {
      throw new StreamsException(e);
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    long nowMs = elapsedMs.getAsLong();
    try {
      ReadingColumns batch = decoder.decode(admitted(record));
      begin(record, nowMs);
      take(record, batch);
    } catch (UndecodableException e) {
      begin(record, nowMs);
      outlet.undecodable(record, origin(), e);
      measures.undecodable(e.reason());
    }
    store.changed();
    if (nowMs >= nextUpkeepMs) {
      upkeep(nowMs);
    }
  }

  /** From here on the state changes: what waits, or fails to be read, has changed nothing yet. */
  private void begin(Record<byte[], byte[]> record, long nowMs) {
    store.changing();
    state.observe(record.timestamp(), nowMs);
    outlet.at(record.timestamp());
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
    BatchVerdict verdict = state.gateways().judge(batch, gatewayId, settings.limits().maxIdBytes());
    measures.batch(batch.readings());
    if (verdict.refusal() != null) {
      outlet.refused(record, origin(), batch, verdict.refusal());
      measures.rejected(verdict.refusal(), batch.readings());
    } else if (verdict == BatchVerdict.REPEAT) {
      measures.duplicate(batch.readings());
    } else {
      apply(record, batch);
      if (verdict == BatchVerdict.NEW) {
        state.gateways().apply(gatewayId, batch.bootId(), batch.sequence(), record.timestamp());
      }
    }
  }

  private void apply(Record<byte[], byte[]> record, ReadingColumns batch) {
    state.windows().recognise(batch);
    int rejected = judge.judge(batch, record.timestamp());
    int late = state.windows().apply(batch, record.timestamp(), outlet);
    if (rejected > 0) {
      reject(record, batch);
    }
    if (late > 0) {
      outlet.late(record, origin(), batch);
      measures.late(late);
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
        outlet.rejected(record, origin(), batch, reason);
        measures.rejected(reason, byVerdict[verdict]);
      }
    }
  }

  private Origin origin() {
    RecordMetadata metadata = context.recordMetadata().orElseThrow();
    return new Origin(metadata.topic(), metadata.partition(), metadata.offset());
  }

  /** Driven by records as well as by the wall clock, which may stand still or be set back. */
  private void upkeep(long nowMs) {
    store.changing();
    outlet.at(state.time().largestAppendMs());
    boolean more = state.windows().upkeep(state.time(), nowMs, UPKEEP_SLICE, outlet);
    state.gateways().forgetSilent(state.time().largestAppendMs());
    store.changed();
    standing.tell(nowMs);
    nextUpkeepMs = more ? nowMs : nowMs + upkeepIntervalMs;
  }

  @Override
  public void close() {
    store.rest();
    measures.partitionGone(context.taskId().partition());
  }
}
