package io.weir.internal.topology;

import io.weir.internal.alarm.JudgingSink;
import io.weir.internal.alarm.StatusSink;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.fetch.OversizedBatch;
import io.weir.internal.hot.CountedByMinute;
import io.weir.internal.hot.HotList;
import io.weir.internal.hot.HotMinute;
import io.weir.internal.permission.Permit;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.store.PartitionState;
import io.weir.internal.time.LogLimit;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.window.Sensor;
import io.weir.internal.window.WindowSink;
import io.weir.internal.wire.BatchDecoder;
import io.weir.internal.wire.LeftWindows;
import io.weir.internal.wire.ResetMark;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.AttestationJudge;
import io.weir.reading.Attestations;
import io.weir.reading.BatchVerdict;
import io.weir.reading.IdPermit;
import io.weir.reading.IgnoredAttestation;
import io.weir.reading.ReadingColumns;
import io.weir.reading.ReadingJudge;
import io.weir.reading.RejectReason;
import io.weir.reading.Verdict;
import io.weir.topic.SensorPartition;
import io.weir.v1.AcceptedLoss;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes a batch in a task: decodes, judges and applies it. The rules are in {@code reading},
 * the aggregation is in {@code window}.
 */
final class ReadingProcessor implements Processor<byte[], byte[], byte[], Outgoing> {
  private static final Logger LOG = LoggerFactory.getLogger(ReadingProcessor.class);

  private static final byte[] WITHHELD =
      RejectReason.WITHHELD.name().getBytes(StandardCharsets.UTF_8);

  /** Of copies of orders: anyone can write them. */
  private final LogLimit skippedOrders = new LogLimit(LOG, MonotonicClock::millis);

  /** The last one that was carried out, of those that accept a loss. */
  private long acceptedOrder = -1;

  private final TopologySettings settings;
  private final TopologyServices services;
  private final Measures measures;
  private final ThreadLocal<BatchDecoder> decoders;
  private final SenderRules rules;

  private String applicationId;
  private BatchDecoder decoder;
  private InputTask<PartitionState> task;
  private PartitionState state;
  private ReadingJudge judge;
  private AttestationJudge attestationJudge;
  private ValueFormat.Reader reader;
  private OutputSinks outputs;

  private SenderCheck senders;
  private HotWatch hot;

  /** Where windows are emitted to: the outputs, with status and alarms in front where on. */
  private WindowSink windowSink;

  /** Null where neither status nor alarms have a topic. */
  private StatusOutputs statusOutputs;

  /**
   * @param decoders one for all tasks of a thread
   * @param rules who may send
   */
  ReadingProcessor(
      TopologySettings settings,
      TopologyServices services,
      ThreadLocal<BatchDecoder> decoders,
      SenderRules rules) {
    this.rules = rules;
    this.settings = settings;
    this.services = services;
    this.measures = services.measures();
    this.decoders = decoders;
  }

  @Override
  public void init(ProcessorContext<byte[], Outgoing> context) {
    applicationId = context.applicationId();
    decoder = decoders.get();
    String readings = settings.topics().readings();
    task =
        new InputTask<>(
            context,
            WeirTopology.STORE,
            readings,
            TickTimes.ofQuiet(settings.window().idleTimeoutMs() / 3),
            services.tasks(),
            measures::appendTimeWentBack);
    state = task.state();
    int partition = task.partition();
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
            .reader(readings, ReadingBatch.getDefaultInstance(), settings.registryWait());
    outputs = new OutputSinks(context, settings, state, measures, task::emitted);
    windowSink = outputs;
    if (settings.status().isOn()) {
      windowSink = new JudgingSink(outputs, state.statuses());
    }
    if (settings.status().isOn() || settings.sendsAlarms()) {
      statusOutputs =
          new StatusOutputs(context, settings, rules, state.own(), measures, task::emitted);
    }
    state.statuses().sendTo(statusOutputs == null ? StatusSink.NONE : statusOutputs);
    senders = rules.check(readings, partition, settings.limits().maxIdBytes(), measures::unsigned);
    hot =
        new HotWatch(
            partition, state.windows().heaviest(), settings.gateways().maxGateways(), measures);
    task.start(new PartitionStats(partition, state, settings, measures)::report);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (task.leavesOut()) {
      return;
    }
    long deletedUnread = task.deletedUnread();
    if (deletedUnread > 0) {
      measures.deletedUnread(deletedUnread);
    }
    if (InputTask.isTick(record)) {
      begin(record);
    } else if (ResetMark.is(record.value(), record.headers())) {
      order(record);
    } else {
      batch(record);
    }
    boolean workLeft = upkeep();
    state.gateways().forgetSilent(state.time().logMs());
    hot.processed();
    countWithheld();
    task.end(record, workLeft);
  }

  private void countWithheld() {
    long windows = state.windows().takeWithheldWindows();
    if (windows > 0) {
      measures.windowsWithheld(windows);
    }
  }

  /** From here on the state changes: what waits, or fails to be read, has changed nothing yet. */
  private void begin(Record<byte[], byte[]> record) {
    task.begin(record);
    hot.observe(state.time().logMs(), record.timestamp());
    long outputMs = task.outputMs(record);
    outputs.at(outputMs);
    if (statusOutputs != null) {
      statusOutputs.at(outputMs);
    }
  }

  /** Does what is due; returns whether more is. */
  private boolean upkeep() {
    int left = state.statuses().upkeep(InputTask.UPKEEP_SLICE);
    boolean workLeft = left <= 0 || state.windows().upkeep(state.time(), left, windowSink);
    state.statuses().endRecord();
    if (statusOutputs != null) {
      statusOutputs.endRecord();
    }
    return workLeft;
  }

  private void batch(Record<byte[], byte[]> record) {
    try {
      ReadingColumns batch = decoder.decode(admitted(record));
      senders.requireSame(batch);
      begin(record);
      take(record, batch);
    } catch (UndecodableException e) {
      begin(record);
      undecodable(record, e);
    }
  }

  private void undecodable(Record<byte[], byte[]> record, UndecodableException why) {
    outputs.undecodable(record, task.origin(), why, senders.claimed(why));
    measures.undecodable(why.reason());
  }

  /** A mark is accepted if its order is there; waits here for brokers that do not answer. */
  private void order(Record<byte[], byte[]> record) {
    Optional<ResetMark> mark = ResetMark.read(record.headers());
    Optional<String> gatewayId = mark.flatMap(services.control()::gatewayToReset);
    Optional<AcceptedLoss> loss = mark.flatMap(services.control()::acceptedLoss);
    begin(record);
    if (loss.isPresent()) {
      acceptLoss(loss.get(), mark.orElseThrow().offset());
      return;
    }
    if (gatewayId.isEmpty()) {
      undecodable(record, UndecodableException.unknownReset());
      return;
    }
    carryOut(gatewayId.get(), mark.orElseThrow().offset());
  }

  private void acceptLoss(AcceptedLoss loss, long order) {
    boolean isOfTask =
        loss.getApplicationId().equals(applicationId) && loss.getPartition() == task.partition();
    OptionalLong left =
        isOfTask
            ? state.acceptLoss(Gap.of(loss), LeftWindows.of(loss)::contains, windowSink)
            : OptionalLong.empty();
    left.ifPresent(measures::windowsLeft);
    Object[] values = {
      settings.topics().readings(),
      task.partition(),
      task.offset(),
      order,
      loss.getApplicationId(),
      Gap.of(loss)
    };
    String text =
        "{} partition {} offset {}: order {} accepts the loss of application {} at offsets {}";
    if (left.isPresent() && order > acceptedOrder) {
      acceptedOrder = order;
      LOG.info(text, values);
      if (left.getAsLong() > 0) {
        LOG.warn(
            "{} partition {}: {} windows with readings are not emitted, since the order says that"
                + " their newest records have as many",
            settings.topics().readings(),
            task.partition(),
            left.getAsLong());
      }
    } else if (left.isPresent()) {
      skippedOrders.warn(text + "; already accepted", values);
    } else {
      skippedOrders.warn(text + "; skipped: not the newest gap of this partition", values);
    }
  }

  private void carryOut(String gatewayId, long order) {
    String readings = settings.topics().readings();
    if (state.reset(gatewayId, services.control().topicId(), order)) {
      measures.gatewayReset();
      LOG.info(
          "{} partition {} offset {}: the sequences of gateway {} are cleared, by order {}",
          readings,
          task.partition(),
          task.offset(),
          gatewayId,
          order);
    } else {
      skippedOrders.warn(
          "{} partition {} offset {}: order {} to reset gateway {} is skipped, as order {} was"
              + " carried out before",
          readings,
          task.partition(),
          task.offset(),
          order,
          gatewayId,
          state.lastReset(gatewayId));
    }
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
    senders.require(record);
    return reader.admit(value, record.headers());
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
                state.time().latestMs(),
                state.time().logMs());
    verdict = senders.judge(verdict, record, state.redriven());
    measures.batch(batch.readings());
    // Its length is judged before anything keeps it.
    boolean isNamed = verdict != BatchVerdict.INVALID_GATEWAY;
    hot.batch(isNamed ? gatewayId : HotGateways.REST, batch.readings());
    Permit permit = isNamed ? senders.permit(gatewayId) : Permit.ALL;
    RejectReason refusal = senders.refusal(record, batch, verdict, permit);
    if (refusal != null) {
      refuse(record, batch, refusal);
    } else if (verdict == BatchVerdict.DUPLICATE) {
      measures.duplicate(batch.readings());
    } else {
      takeNew(record, batch, verdict, permit.sensors());
    }
  }

  private void takeNew(
      Record<byte[], byte[]> record, ReadingColumns batch, BatchVerdict verdict, IdPermit permit) {
    state.windows().recognise(batch);
    int rejected = judge.judge(batch, state.time().latestMs(), permit);
    boolean again = wereWithheld(record);
    if (state.windows().opensTooMany(batch, again)) {
      refuse(record, batch, RejectReason.TOO_MANY_WINDOWS);
      return;
    }
    if (verdict == BatchVerdict.NEW) {
      state
          .gateways()
          .apply(batch.gatewayId(), batch.bootId(), batch.sequence(), state.time().logMs());
    }
    if (verdict == BatchVerdict.UNSEQUENCED) {
      senders.apply(state.redriven());
    }
    boolean attests = !batch.attestations().isEmpty();
    if (attests) {
      attestationJudge.judge(
          batch,
          state.gateways(),
          SenderCheck.isMarkedRedriven(record),
          state.time().latestMs(),
          permit);
    }
    apply(record, batch, rejected, again);
    if (attests) {
      countIgnored(batch.attestations());
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
    outputs.refused(record, task.origin(), batch, reason);
    measures.rejected(reason, batch.readings());
  }

  /** Whether readings are sent again that were withheld. */
  private boolean wereWithheld(Record<byte[], byte[]> record) {
    Header reason = record.headers().lastHeader(DeadLetterHeaders.REDRIVE_REASON);
    return reason != null
        && Arrays.equals(reason.value(), WITHHELD)
        && senders.isProvenRedriven(record);
  }

  private void apply(
      Record<byte[], byte[]> record, ReadingColumns batch, int alreadyRejected, boolean again) {
    if (settings.status().isOn()) {
      state.statuses().beginBatch(batch.gatewayId());
    }
    int rejected = alreadyRejected;
    int late = state.windows().apply(batch, state.time().logMs(), again, windowSink);
    int withheld = state.windows().withheldReadings();
    rejected += state.windows().refused();
    if (rejected > 0) {
      reject(record, batch);
    }
    if (late > 0) {
      outputs.late(record, task.origin(), batch);
      measures.late(late);
    }
    if (withheld > 0) {
      outputs.withheld(record, task.origin(), batch);
      measures.withheld(withheld);
    }
    if (state.windows().broken() > 0) {
      measures.attestationsBroken(state.windows().broken());
    }
    int aggregated = batch.readings() - rejected - late - withheld;
    if (aggregated > 0) {
      measures.aggregated(aggregated);
      measures.watermarkLag(record.timestamp() - state.windows().batchLatestMs());
    }
  }

  private void reject(Record<byte[], byte[]> record, ReadingColumns batch) {
    int[] byVerdict = new int[Verdict.REASONS];
    for (int i = 0; i < batch.readings(); i++) {
      byte verdict = batch.verdict(i);
      if (verdict != Verdict.LATE && verdict != Verdict.WITHHELD) {
        byVerdict[verdict]++;
      }
    }
    for (int verdict = 1; verdict < byVerdict.length; verdict++) {
      if (byVerdict[verdict] > 0) {
        RejectReason reason = Verdict.reason(verdict);
        outputs.rejected(record, task.origin(), batch, reason);
        measures.rejected(reason, byVerdict[verdict]);
      }
    }
  }

  @Override
  public void close() {
    task.close();
    measures.partitionGone(task.partition());
  }

  /**
   * Finds the sensors and gateways that send most on one partition, by whole minutes of its log
   * time, and reports it. Adds to a batch one count a run of readings and one for its gateway. Not
   * part of the state: after a restart it begins with the next minute. Called by the task's thread.
   */
  static final class HotWatch {
    /** How many sensors and gateways are looked at, at the most, with one record. */
    private static final int SLICE = 4_096;

    private final int partition;
    private final HotList<Sensor> sensors;
    private final HotGateways gateways;
    private final Measures measures;
    private boolean looking;
    private long endMs;

    /**
     * @param sensors in which the windows count
     * @param maxGateways that the partition may know
     */
    HotWatch(int partition, HotList<Sensor> sensors, int maxGateways, Measures measures) {
      this.partition = partition;
      this.sensors = sensors;
      this.gateways = new HotGateways(maxGateways);
      this.measures = measures;
    }

    /** A record is at hand, and not yet counted. */
    void observe(long logMs, long appendMs) {
      if (looking && sensors.isOver(logMs)) {
        look(
            Integer
                .MAX_VALUE); // What is counted next would take the place of what was not looked at.
      }
      gateways.observe(logMs);
      if (sensors.observe(logMs)) {
        looking = true;
        endMs = appendMs;
      }
    }

    /** A batch was decoded, whatever becomes of it. */
    void batch(String gatewayId, int readings) {
      gateways.add(gatewayId, readings);
    }

    /** A record was processed. */
    void processed() {
      if (looking) {
        look(SLICE);
      }
    }

    private void look(int slice) {
      if (sensors.look(slice) && gateways.list().look(slice)) {
        looking = false;
        measures.hot(
            new HotMinute(
                partition,
                endMs,
                sensors.total(),
                sensors.take(),
                gateways.list().total(),
                gateways.list().take()));
      }
    }
  }

  /**
   * Counts readings of the gateways of one partition, also of those that number nothing and are in
   * no state. Beyond a number of ids a minute new ones are counted together. Not safe for several
   * threads.
   */
  static final class HotGateways {
    /** What is left of the ids when there are too many. */
    static final String REST = "(others)";

    private final int mostIds;
    private final HotList<Gateway> list = new HotList<>();
    private Map<String, Gateway> byId = new HashMap<>();

    private static final class Gateway extends CountedByMinute {
      private final String id;

      Gateway(String id) {
        this.id = id;
      }

      @Override
      public String name() {
        return id;
      }
    }

    /**
     * @param mostIds that are distinguished in a minute
     */
    HotGateways(int mostIds) {
      this.mostIds = mostIds;
    }

    HotList<?> list() {
      return list;
    }

    void observe(long logMs) {
      if (list.observe(logMs)) {
        byId = new HashMap<>();
      }
    }

    void add(String id, long readings) {
      Gateway gateway = byId.get(id);
      if (gateway == null) {
        String known = byId.size() < mostIds ? id : REST;
        gateway = byId.computeIfAbsent(known, Gateway::new);
      }
      list.add(gateway, readings);
    }
  }
}
