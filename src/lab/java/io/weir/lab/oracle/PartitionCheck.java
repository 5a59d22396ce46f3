package io.weir.lab.oracle;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.window.WindowSpec;
import io.weir.lab.Balance;
import io.weir.reading.RejectReason;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.AcceptedLoss;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * One partition of the readings and the outputs: what {@link NaivePartition} expects of its
 * readings, in the order of their offsets and with the brokers' append times, and what the output
 * topics hold. The records of the three outputs must come first, then the readings, each topic's in
 * their order. One thread.
 */
public final class PartitionCheck {
  private final TopicNames topics;
  private final NaiveOrders orders;
  private final NaivePartition naive;
  private final WindowCheck windows = new WindowCheck();

  /** Of the lives before this one and of this one, in their order. */
  private final List<WindowCheck> lives = new ArrayList<>(List.of(windows));

  private final EmissionCheck emissions;

  /** By their sizes in milliseconds. */
  private final Map<Long, EmissionCheck> rollups = new TreeMap<>();

  /** Null where there are none. */
  private final EmissionCheck hops;

  /** Null where nobody asks for it. */
  private StatusCheck status;

  private NaiveStatus naiveStatus;
  private final TreeMap<Long, StatusPlan> plans = new TreeMap<>();

  /** Null where nobody asks for it. */
  private LatestCheck latest;

  /** Of whom accepted losses are; and the offsets of records that were deleted unread. */
  private String applicationId = "";

  private final TreeMap<Long, Long> gaps = new TreeMap<>();

  /** Null for a life that is not the last one. */
  private RedrivenOnce redriven;

  /** Records in front of it were read by an earlier life too. */
  private long begin;

  private final boolean signed;
  private final DeadLetterCounts late;
  private final DeadLetterCounts deadLetters;
  private final Findings broken = new Findings();
  private final Map<RejectReason, Long> rejectedByReason = new EnumMap<>(RejectReason.class);
  private long records;
  private long offered;
  private long duplicates;
  private long rejected;

  public PartitionCheck(
      TopicNames topics,
      WindowSpec spec,
      NaiveRules rules,
      NaiveOrders orders,
      int partition,
      IdleMoment idle) {
    this.topics = topics;
    this.signed = rules.signed();
    this.orders = orders;
    this.emissions = new EmissionCheck(spec.sizeMs(), idle == IdleMoment.BY_RECORDS);
    boolean inOrder = idle == IdleMoment.BY_RECORDS;
    for (long sizeMs : spec.rollups().sizesMs()) {
      rollups.put(sizeMs, new EmissionCheck(sizeMs, inOrder));
    }
    this.hops =
        spec.hopping().isOn() ? new EmissionCheck(spec.hopping().lengthMs(), inOrder) : null;
    this.naive = new NaivePartition(spec, rules, partition, idle, emissions, rollups::get, hops);
    this.late = new DeadLetterCounts(topics.late());
    this.deadLetters = new DeadLetterCounts(topics.deadLetters());
  }

  /** The application emits status and alarms too; call it before the first record. */
  public void withStatus(StatusPlan plan) {
    status = new StatusCheck();
    naiveStatus = status.oracle(plan);
    naive.withStatus(naiveStatus);
  }

  /** The application writes the last summary of each window; call it before the first record. */
  public void withLatest() {
    latest = new LatestCheck(topics);
  }

  /** From these offsets of the readings on there are other rules. */
  public void changeStatus(Map<Long, StatusPlan> from) {
    plans.putAll(from);
  }

  /**
   * Some records are to be left out, as they were deleted before they were read, or were lost with
   * a state.
   *
   * @param id of the applications, as orders name them
   * @param fromTo the first offset of such records, and the one behind them
   */
  public void withGaps(String id, Map<Long, Long> fromTo) {
    applicationId = id;
    gaps.putAll(fromTo);
  }

  /**
   * Holds what redrives sent against the original batches; call it before the first record.
   *
   * @param from readings in front of this offset were read by an earlier life too
   */
  public void withRedriven(long from) {
    redriven = new RedrivenOnce(broken);
    begin = from;
  }

  /** Takes an output of whichever life: dead letters and late records can be sent again. */
  public void redrivable(ConsumerRecord<byte[], byte[]> record) {
    if (record.topic().equals(topics.late()) || record.topic().equals(topics.deadLetters())) {
      redriven.letter(record);
    }
  }

  /** Another life ran before this one, and its records are in front of the readings. */
  public void after(PartitionCheck earlier) {
    lives.add(lives.size() - 1, earlier.windows);
  }

  /** Takes a record of the readings or of an output. */
  public void take(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (latest != null) {
        latest.take(record);
      }
      if (record.topic().equals(topics.readings())) {
        reading(record);
      } else if (record.topic().equals(topics.windows())) {
        WindowSummary window = WindowSummary.parseFrom(record.value());
        windows.emitted(window);
        emissions.emitted(record.offset(), window);
      } else if (!rollups.isEmpty() && record.topic().equals(topics.of(Topic.ROLLUPS))) {
        rollup(record.offset(), WindowSummary.parseFrom(record.value()));
      } else if (hops != null && record.topic().equals(topics.of(Topic.HOPPING))) {
        hops.emitted(record.offset(), WindowSummary.parseFrom(record.value()));
      } else if (status != null && record.topic().equals(topics.of(Topic.STATUS))) {
        status.take(record);
      } else if (record.topic().equals(topics.late())) {
        late(record);
      } else if (record.topic().equals(topics.deadLetters())
          && !EventCheck.isOfEvents(record, topics)
          && record.headers().lastHeader(DeadLetterHeaders.IMPORT_REFUSED) == null) {
        deadLetter(record);
      }
    } catch (InvalidProtocolBufferException e) {
      broken.wrongRecord(record.topic() + " offset " + record.offset() + ": " + e.getMessage());
    }
  }

  private void rollup(long offset, WindowSummary rollup) {
    long sizeMs = rollup.getWindowEndMs() - rollup.getWindowStartMs();
    EmissionCheck check = rollups.get(sizeMs);
    if (check == null) {
      broken.wrongRecord("a rollup of " + sizeMs + " ms at offset " + offset);
    } else {
      check.emitted(offset, rollup);
    }
  }

  private void reading(ConsumerRecord<byte[], byte[]> record) {
    Map.Entry<Long, Long> gap = gaps.firstEntry();
    if (gap != null && gap.getKey() <= record.offset()) {
      if (record.offset() < gap.getValue()) {
        return;
      }
      gaps.pollFirstEntry();
      naive.cut(gap.getValue().toString(), record.timestamp());
    }
    if (!plans.isEmpty() && plans.firstKey() <= record.offset()) {
      naiveStatus.change(plans.pollFirstEntry().getValue());
    }
    emissions.nextRecord();
    rollups.values().forEach(EmissionCheck::nextRecord);
    if (hops != null) {
      hops.nextRecord();
    }
    if (NaiveOrders.isMark(record) && !NaiveRecord.isTick(record)) {
      mark(record);
      return;
    }
    records += NaiveRecord.isTick(record) ? 0 : 1;
    NaiveRecord read = NaiveRecord.of(record.value());
    if (signed && isUnsigned(record)) {
      naive.notABatch(record.timestamp());
      offered += read.batch() == null ? 0 : NaiveWeir.readingsOf(read.batch());
      deadLetters.expect(whole(record.offset(), RejectReason.UNSIGNED, record.value()));
      return;
    }
    if (read.refused() != null) {
      naive.notABatch(record.timestamp());
      deadLetters.expect(whole(record.offset(), read.refused(), NaiveRecord.kept(record.value())));
      return;
    }
    long readings = NaiveWeir.readingsOf(read.batch());
    offered += readings;
    boolean isRedriven = record.headers().lastHeader(DeadLetterHeaders.REDRIVE_TOPIC) != null;
    boolean again =
        header(record, DeadLetterHeaders.REDRIVE_REASON).equals(RejectReason.WITHHELD.name());
    NaiveWeir.Fate fate = naive.take(read.batch(), record.timestamp(), isRedriven, again);
    if (redriven != null) {
      redriven.taken(record, read.batch(), fate.counted(), record.offset() < begin);
    }
    if (fate.refused() != null) {
      deadLetters.expect(whole(record.offset(), fate.refused(), record.value()));
    } else if (fate.repeated()) {
      duplicates += readings;
    } else {
      apply(fate, record);
    }
  }

  /** What is not even decompressed, or is no value, is no batch first of all. */
  private static boolean isUnsigned(ConsumerRecord<byte[], byte[]> record) {
    return NaiveRecord.kept(record.value()) != null
        && !NaiveRecord.isTick(record)
        && record.headers().lastHeader("weir.signature") == null;
  }

  private void mark(ConsumerRecord<byte[], byte[]> record) {
    Optional<NaiveOrders.Reset> reset = orders.resetAt(record);
    if (reset.isPresent()) {
      if (redriven != null) {
        redriven.reset(reset.get().gatewayId(), record.offset());
      }
      naive.reset(reset.get().gatewayId(), reset.get().offset(), record.timestamp());
    } else if (orders.lossAt(record).isPresent()) {
      accept(orders.lossAt(record).get(), record.timestamp());
    } else {
      records++;
      naive.notABatch(record.timestamp());
      deadLetters.expect(whole(record.offset(), RejectReason.UNKNOWN_RESET, record.value()));
    }
  }

  private void accept(AcceptedLoss loss, long appendMs) {
    if (loss.getApplicationId().equals(applicationId)) {
      naive.acceptLoss(Long.toString(loss.getNextOffset()), this::isPublished, appendMs);
    } else {
      naive.notABatch(appendMs);
    }
  }

  private boolean isPublished(
      NaiveWindows.Key key, NaiveWindows.Window window, boolean byThisLife) {
    return !byThisLife
        && lives.subList(0, lives.size() - 1).stream()
            .filter(life -> life.has(key))
            .reduce((first, second) -> second)
            .filter(life -> life.hasAsMany(key, window))
            .isPresent();
  }

  private void apply(NaiveWeir.Fate fate, ConsumerRecord<byte[], byte[]> record) {
    for (NaiveWeir.BrokenSeries series : fate.broken()) {
      deadLetters.expect(single(record.offset(), series.rejected(), text(series.series())));
    }
    for (NaiveWeir.ReadingFate reading : fate.readings()) {
      Reading row = reading.reading();
      if (reading.rejected() == RejectReason.WITHHELD) {
        late.expect(record.offset() + " WITHHELD " + NaiveWeir.plain(row));
      } else if (reading.rejected() != null) {
        deadLetters.expect(single(record.offset(), reading.rejected(), NaiveWeir.plain(row)));
      } else if (reading.late()) {
        late.expect(record.offset() + " " + NaiveWeir.plain(row));
      }
    }
  }

  private void late(ConsumerRecord<byte[], byte[]> record) throws InvalidProtocolBufferException {
    String offset = header(record, DeadLetterHeaders.OFFSET);
    String reason = header(record, DeadLetterHeaders.REASON);
    offset += reason.equals("0") ? "" : " " + reason;
    for (Reading row : NaiveWeir.rows(ReadingBatch.parseFrom(record.value()))) {
      late.found(offset + " " + NaiveWeir.plain(row));
    }
  }

  private void deadLetter(ConsumerRecord<byte[], byte[]> record)
      throws InvalidProtocolBufferException {
    long offset = Long.parseLong(header(record, DeadLetterHeaders.OFFSET));
    RejectReason reason = RejectReason.valueOf(header(record, DeadLetterHeaders.REASON));
    if (reason.scope() != RejectReason.Scope.READING) {
      deadLetters.found(whole(offset, reason, record.value()));
      NaiveRecord read = NaiveRecord.of(record.value());
      count(reason, read.batch() == null ? 0 : NaiveWeir.readingsOf(read.batch()));
      return;
    }
    ReadingBatch batch = ReadingBatch.parseFrom(record.value());
    List<Reading> rows = NaiveWeir.rows(batch);
    rows.forEach(row -> deadLetters.found(single(offset, reason, NaiveWeir.plain(row))));
    for (Series series : NaiveWeir.brokenSeries(batch)) {
      deadLetters.found(single(offset, reason, text(series)));
    }
    count(reason, NaiveWeir.readingsOf(batch));
  }

  /** Counts in readings; separately in records, where the readings cannot be counted. */
  private void count(RejectReason reason, long readings) {
    rejected += readings;
    rejectedByReason.merge(
        reason, reason.scope() == RejectReason.Scope.RECORD ? 1 : readings, Long::sum);
  }

  private static String whole(long offset, RejectReason reason, byte[] value) {
    return offset + " " + reason + " " + Arrays.hashCode(value);
  }

  private static String single(long offset, RejectReason reason, String reading) {
    return offset + " " + reason + " " + reading;
  }

  private static String text(Series series) {
    return "series " + series.getSensorId() + " " + series.toByteString().hashCode();
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "0" : new String(header.value(), StandardCharsets.UTF_8);
  }

  /** A dead letter was redriven into this partition more than once. */
  public void sentTwice(String deadLetter) {
    broken.wrongRecord(deadLetter + " was sent again more than once");
  }

  /** Everything that differs so far. */
  public Findings findings() {
    Findings findings = emitted();
    windows.report(naive.windows(), naive.left(), lives, findings);
    return findings;
  }

  /**
   * The same of a life that ended before all of its windows were emitted. The last record of each
   * window must have no fewer readings after the last life.
   */
  public Findings findingsOfAnEarlierLife(PartitionCheck last) {
    Findings findings = emitted();
    windows.reportReplaced(last.windows, findings);
    return findings;
  }

  private Findings emitted() {
    Findings findings = new Findings();
    findings.add(broken);
    naive.end();
    emissions.report(findings);
    rollups.values().forEach(size -> size.report(findings));
    if (hops != null) {
      hops.report(findings);
    }
    if (status != null) {
      status.report(findings);
    }
    if (latest != null) {
      latest.report(findings);
    }
    late.report(findings);
    deadLetters.report(findings);
    return findings;
  }

  /** The terms of the balance, counted on the topics. */
  public Balance balance() {
    long inWindows =
        windows.readings()
            + naive.windows().replaced()
            + windows.left(naive.windows(), naive.left());
    return new Balance(offered, inWindows, late.found(), rejected, duplicates);
  }

  /** Records of status, and transitions of alarms in them; none where nobody asked for it. */
  public StatusRecordCounts statusCounts() {
    return status == null
        ? StatusRecordCounts.NONE
        : new StatusRecordCounts(status.found(), status.alarms().size());
  }

  /** The event of each transition that an alarm had to make, in their order. */
  List<ByteString> alarms() {
    return status == null ? List.of() : status.alarms();
  }

  /** What came of attestations. */
  public CompletenessCounts completeness() {
    return new CompletenessCounts(naive.complete(), naive.broken(), naive.ignored());
  }

  /** Records on the readings topic. */
  public long records() {
    return records;
  }

  /** Windows that there are. */
  public long windows() {
    return windows.windows();
  }

  /** Whether the newest window that there must be is there. */
  public boolean reachesTheEnd() {
    return windows.has(naive.windows().windows().lastKey());
  }

  /** Emissions of windows. */
  public long emissions() {
    return windows.emitted();
  }

  /** Rejected readings, records for those that nobody can decode; a copy. */
  public Map<RejectReason, Long> rejectedByReason() {
    return Map.copyOf(rejectedByReason);
  }
}
