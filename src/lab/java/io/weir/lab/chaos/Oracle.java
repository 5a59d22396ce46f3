package io.weir.lab.chaos;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.window.WindowSpec;
import io.weir.lab.Balance;
import io.weir.lab.oracle.AlarmCheck;
import io.weir.lab.oracle.CompletenessCounts;
import io.weir.lab.oracle.Findings;
import io.weir.lab.oracle.NaiveOrders;
import io.weir.lab.oracle.NaiveRecord;
import io.weir.lab.oracle.NaiveRules;
import io.weir.lab.oracle.PartitionCheck;
import io.weir.lab.oracle.StatusRecordCounts;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * Compares the contents of the topics with the expected results, a partition at a time: memory is
 * that of one partition, and of the ledgers. What is still under way is waited for: a partition
 * that is not exact is looked at again for as long as something moves. One thread.
 */
final class Oracle {
  /** An application that fails again and again aborts one transaction after another for ever. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final Duration QUIET = ChaosSettings.IDLE_TIMEOUT.multipliedBy(2);

  private final LedgerIndex ledgers;
  private final WindowSpec spec;
  private final NaiveRules rules;
  private final Lives lives;
  private final Deletions deletions;
  private final Duration timeout;

  /** A partition by all lives; the last one is that of the balance. */
  private record Checked(
      List<PartitionCheck> lives, Findings findings, Map<TopicPartition, Long> ends) {
    PartitionCheck check() {
      return lives.get(lives.size() - 1);
    }
  }

  /**
   * @param timeout how long a partition may stay as it is, and not be exact
   */
  Oracle(LedgerIndex ledgers, ChaosSettings settings, ChaosStage stage, Duration timeout) {
    this.lives = stage.lives();
    this.deletions = stage.deletions();
    this.spec = settings.windows();
    this.rules = settings.remembrance().rules().withSignatures(settings.hasSignedReadings());
    this.ledgers = ledgers;
    this.timeout = timeout;
  }

  /** Reads everything, until it is exact, or nothing moves any more, or it took too long. */
  RunVerdict judge(String bootstrapServers) {
    Map<Integer, Checked> checked = new TreeMap<>();
    AlarmCheck alarms;
    try (PartitionReader reader = new PartitionReader(bootstrapServers, TopicNames.ALL)) {
      IntStream.range(0, SensorPartition.COUNT)
          .forEach(partition -> checked.put(partition, check(reader, partition)));
      long startNanos = System.nanoTime();
      long movedNanos = startNanos;
      while (!areDone(checked, reader)
          && System.nanoTime() - movedNanos < timeout.toNanos()
          && System.nanoTime() - startNanos < LONGEST.toNanos()) {
        Waiting.until(PAUSE, () -> false);
        if (checkMoved(checked, reader)) {
          movedNanos = System.nanoTime();
        }
      }
      alarms = alarms(checked, reader);
    }
    return verdict(checked, alarms);
  }

  private Checked check(PartitionReader reader, int partition) {
    NaiveOrders orders = reader.orders();
    TopicPartition readings = new TopicPartition(TopicNames.DEFAULT.readings(), partition);
    Lives.OfPartition ofPartition = lives.of(partition);
    List<PartitionCheck> checks =
        IntStream.range(0, ofPartition.count())
            .mapToObj(life -> check(ofPartition, life, orders, readings))
            .toList();
    for (int life = 1; life < checks.size(); life++) {
      checks.subList(0, life).forEach(checks.get(life)::after);
    }
    PartitionCheck last = checks.get(checks.size() - 1);
    last.withRedriven(ofPartition.readBefore(readings));
    Map<LedgerIndex.Print, Long> prints = new HashMap<>();
    Set<LedgerIndex.Print> redriven = new HashSet<>();
    Set<String> deadLetters = new HashSet<>();
    Map<TopicPartition, Long> ends =
        reader.read(
            partition,
            deletions.of(readings),
            record -> {
              take(record, checks, ofPartition);
              if (record.topic().equals(TopicNames.DEFAULT.readings())
                  && !NaiveRecord.isTick(record)
                  && !isOrdered(record, orders)) {
                LedgerIndex.Print print = LedgerIndex.Print.of(record.value());
                prints.merge(print, 1L, Long::sum);
                if (record.headers().lastHeader(DeadLetterHeaders.REDRIVE_TOPIC) != null) {
                  redriven.add(print);
                  if (!deadLetters.add(deadLetter(record) + " " + print)) {
                    last.sentTwice(deadLetter(record));
                  }
                }
              }
            });
    Findings findings = last.findings();
    for (PartitionCheck earlier : checks.subList(0, checks.size() - 1)) {
      findings.add(earlier.findingsOfAnEarlierLife(last));
    }
    findings.add(ledgers.check(partition, prints, redriven));
    return new Checked(checks, findings, ends);
  }

  private PartitionCheck check(
      Lives.OfPartition ofPartition, int life, NaiveOrders orders, TopicPartition readings) {
    PartitionCheck check =
        new PartitionCheck(
            TopicNames.ALL, spec, rules, orders, readings.partition(), ChaosSettings.IDLE_MOMENT);
    check.withStatus(ofPartition.rules(life));
    check.withLatest();
    check.changeStatus(ofPartition.edits(life, readings));
    check.withGaps(ofPartition.applicationId(life), ofPartition.gaps(life, readings));
    return check;
  }

  /** Each life has read the readings up to its end, and written a part of each output. */
  private static void take(
      ConsumerRecord<byte[], byte[]> record,
      List<PartitionCheck> checks,
      Lives.OfPartition ofPartition) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    if (!record.topic().equals(TopicNames.DEFAULT.readings())) {
      checks.get(ofPartition.writerOf(partition, record.offset())).take(record);
      checks.get(checks.size() - 1).redrivable(record);
      return;
    }
    for (int life = 0; life < checks.size(); life++) {
      if (ofPartition.hasRead(life, partition, record.offset())) {
        checks.get(life).take(record);
      }
    }
  }

  private static boolean isOrdered(ConsumerRecord<byte[], byte[]> record, NaiveOrders orders) {
    return NaiveOrders.isMark(record)
        && (orders.resetAt(record).isPresent() || orders.lossAt(record).isPresent());
  }

  /** What a redrive says it sent again. */
  private static String deadLetter(ConsumerRecord<byte[], byte[]> record) {
    StringBuilder name = new StringBuilder("dead letter");
    for (String header :
        List.of(
            DeadLetterHeaders.REDRIVE_TOPIC,
            DeadLetterHeaders.REDRIVE_PARTITION,
            DeadLetterHeaders.REDRIVE_OFFSET)) {
      Header value = record.headers().lastHeader(header);
      name.append(' ')
          .append(value == null ? "" : new String(value.value(), StandardCharsets.UTF_8));
    }
    return name.toString();
  }

  /** Exact, and nothing more comes for longer than a silent sensor's windows wait. */
  private static boolean areDone(Map<Integer, Checked> checked, PartitionReader reader) {
    return checked.values().stream().allMatch(one -> one.findings().areNone())
        && !Waiting.until(
            QUIET,
            () ->
                checked.entrySet().stream()
                    .anyMatch(one -> hasNewOutput(one.getValue(), reader.ends(one.getKey()))))
        && alarms(checked, reader).isExact();
  }

  /** All that had to turn by the readings of all partitions, and all that are there now. */
  private static AlarmCheck alarms(Map<Integer, Checked> checked, PartitionReader reader) {
    AlarmCheck alarms = new AlarmCheck();
    checked.values().forEach(one -> one.lives().forEach(alarms::expect));
    reader.readAll(Topic.EVENTS, alarms::take);
    return alarms;
  }

  /** Checks those again where something new came; whether there were any. */
  private boolean checkMoved(Map<Integer, Checked> checked, PartitionReader reader) {
    boolean moved = false;
    for (Map.Entry<Integer, Checked> one : checked.entrySet()) {
      if (hasNewOutput(one.getValue(), reader.ends(one.getKey()))) {
        moved = true;
        one.setValue(check(reader, one.getKey()));
      }
    }
    return moved;
  }

  /** Ticks come for as long as a partition waits for time to pass. */
  private static boolean hasNewOutput(Checked before, Map<TopicPartition, Long> now) {
    Map<TopicPartition, Long> outputs = new HashMap<>(now);
    outputs.keySet().removeIf(each -> each.topic().equals(TopicNames.DEFAULT.readings()));
    return !before.ends().entrySet().containsAll(outputs.entrySet());
  }

  private RunVerdict verdict(Map<Integer, Checked> checked, AlarmCheck alarms) {
    Findings findings = new Findings();
    Balance sum = new Balance(0, 0, 0, 0, 0);
    Map<RejectReason, Long> rejected = new EnumMap<>(RejectReason.class);
    long records = 0;
    long windows = 0;
    long emissions = 0;
    CompletenessCounts completeness = CompletenessCounts.NONE;
    StatusRecordCounts status = StatusRecordCounts.NONE;
    for (Checked one : checked.values()) {
      findings.add(one.findings());
      sum = sum.plus(one.check().balance());
      one.check().rejectedByReason().forEach((k, count) -> rejected.merge(k, count, Long::sum));
      records += one.check().records();
      windows += one.check().windows();
      emissions += one.check().emissions();
      completeness = completeness.plus(one.check().completeness());
      status = status.plus(one.check().statusCounts());
    }
    return new RunVerdict(
        findings,
        sum,
        ledgers.acknowledgedReadings(),
        ledgers.acknowledgedRecords(),
        records,
        windows,
        emissions,
        completeness,
        status,
        alarms,
        rejected);
  }
}
