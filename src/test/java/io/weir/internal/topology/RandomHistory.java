package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.redrive.LogReader;
import io.weir.internal.redrive.PublishedWindows;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.store.KeptWindows;
import io.weir.internal.window.CloseReason;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.wire.ResetMark;
import io.weir.lab.oracle.Emissions;
import io.weir.lab.oracle.IdleMoment;
import io.weir.lab.oracle.NaivePartition;
import io.weir.lab.oracle.NaiveRules;
import io.weir.lab.oracle.NaiveWeir;
import io.weir.lab.oracle.NaiveWindows;
import io.weir.oracle.RandomBatches;
import io.weir.oracle.SummaryAssert;
import io.weir.reading.RejectReason;
import io.weir.topic.LatestForm;
import io.weir.topic.Topic;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** One history: what is sent, and what is due at each record by the naive model. */
final class RandomHistory implements Emissions {
  private static final Origin LETTER = new Origin(WeirDriver.DEAD_LETTERS, 0, 7);
  private static final TopicPartition WINDOWS = new TopicPartition(WeirDriver.WINDOWS, 0);
  private static final long FIRST_SIZE_MS = 10;
  private static final long[] SIZES_MS = {5, 10, 20};

  private final RandomBatches batches;
  private final Random random;

  private final boolean attesting;
  private final boolean permitting;
  private boolean permitted;

  /** Whether records are deleted unread, in this history. */
  private final boolean cutting;

  private boolean cut;

  /** Those that there were. */
  private final List<Gap> gaps = new ArrayList<>();

  /** As letters have it, where the state does not hold all that there ever was. */
  /** The one that runs, once it has written something, and those before it. */
  private List<String> life = List.of();

  private final Set<String> earlierLives = new HashSet<>();

  private boolean applied;
  private long foreign;

  /** Whether a start may have other settings than the one before, in this history. */
  private final boolean changing;

  private WindowSpec spec;
  private final NaiveRules rules;
  private final NaivePartition naive;
  private final List<String> due = new ArrayList<>();
  private final Map<NaiveWindows.Key, Integer> revisions = new HashMap<>();
  private final Map<NaiveWindows.Key, WindowSummary> latest = new HashMap<>();

  /** Of all lives; as if others had written some too. */
  private final Published published;

  private final Map<Long, SpansDue> rollups = new TreeMap<>();
  private final SpansDue hops = new SpansDue();
  private final LatestForm latestForm;
  private final LatestTopics latestTopics = new LatestTopics();
  private final WeirDriver weir;
  private final Orders orders = new Orders();
  private final RandomStatus statusDue = new RandomStatus();

  /** Null where gateways may be forgotten for others: then nobody knows what they sent. */
  private final RandomRedrive redrive;

  private long appendMs = 1_000_000;

  /** Of records by other leaders. */
  private long latestMs;

  private long offered;
  private long aggregated;
  private long late;
  private long withheld;

  /** Readings that may be sent again. */
  private final List<Reading> withheldRows = new ArrayList<>();

  private long rejected;
  private long duplicates;
  private long overflowed;

  /** The topic of windows; a reset may have changed their size. */
  private static final class Published {
    private final List<ConsumerRecord<byte[], byte[]>> log = new ArrayList<>();

    /** Readings of the newest record of each window. */
    private final Map<Id, Long> newest = new HashMap<>();

    private record Id(NaiveWindows.Key key, long sizeMs) {}

    void add(WindowSummary window) {
      log.add(
          new ConsumerRecord<>(
              WINDOWS.topic(), WINDOWS.partition(), log.size(), null, window.toByteArray()));
      NaiveWindows.Key key = new NaiveWindows.Key(window.getSensorId(), window.getWindowStartMs());
      Id id = new Id(key, window.getWindowEndMs() - window.getWindowStartMs());
      newest.put(id, window.getCount() + window.getBadCount());
    }

    long newest(NaiveWindows.Key key, WindowSpec spec) {
      return newest.getOrDefault(new Id(key, spec.sizeMs()), 0L);
    }
  }

  RandomHistory(long seed) {
    this(seed, FIRST_SIZE_MS, new Published());
  }

  /**
   * @param before what earlier lives wrote, before the applications were reset
   */
  private RandomHistory(long seed, long sizeMs, Published before) {
    random = new Random(seed);
    published = before;
    spec = RandomSettings.spec(random, sizeMs);
    rules = RandomSettings.rules(random);
    spec.rollups().sizesMs().forEach(each -> rollups.put(each, new SpansDue()));
    naive = new NaivePartition(spec, rules, 0, IdleMoment.BY_RECORDS, this, rollups::get, hops);
    batches = new RandomBatches(random, 0);
    attesting = random.nextBoolean();
    permitting = random.nextInt(3) == 0;
    cutting = random.nextInt(3) == 0 || !before.log.isEmpty();
    changing = random.nextInt(3) == 0;
    if (attesting) {
      batches.attest();
    }
    StatusPlan status = RandomStatus.plan(random, spec);
    naive.withStatus(statusDue.oracle(status));
    latestForm = LatestForm.values()[(int) Long.remainderUnsigned(seed, 3)];
    weir =
        new WeirDriver(
            Variant.of(Variant.of(RandomSettings.settings(spec, rules), status), latestForm),
            orders);
    weir.onTick(appendMs -> naive.take(ReadingBatch.getDefaultInstance(), appendMs));
    redrive = rules.maxGateways() < 3 ? null : new RandomRedrive(rules.maxFutureSkewMs());
    if (redrive != null) {
      weir.onRecord(redrive::record);
    }
  }

  /** Keeps all records as they would be on the topics, for a look at them afterwards. */
  Recording record() {
    Recording recording = new Recording(orders);
    weir.record(recording);
    return recording;
  }

  /** The settings at the end. */
  WindowSpec spec() {
    return spec;
  }

  /** The rules of this history. */
  NaiveRules rules() {
    return rules;
  }

  void run() {
    runLife();
    if (cutting && random.nextBoolean()) {
      long sizeMs = SIZES_MS[random.nextInt(SIZES_MS.length)];
      new RandomHistory(random.nextLong(), sizeMs, published).run();
    }
  }

  private void runLife() {
    weir.onRecord((recordMs, value) -> applied = true);
    try (weir) {
      int steps = 5 + random.nextInt(40);
      for (int i = 0; i < steps; i++) {
        step();
      }
      appendMs = Math.max(appendMs, latestMs) + 400_000;
      tick();
      silence(200);
      if (cut) {
        acceptLoss("weir", weir.gap(), false);
      }
      checkBalance();
      checkLatest();
      SortedMap<NaiveWindows.Key, NaiveWindows.Window> expected =
          new TreeMap<>(naive.windows().windows());
      for (NaiveWindows.Key left : naive.left()) {
        NaiveWindows.Window window = expected.remove(left);
        assertThat(published.newest(left, spec)).isGreaterThanOrEqualTo(readings(window));
      }
      latest.keySet().removeAll(naive.left());
      SummaryAssert.assertEqual(latest, expected);
      if (cut) {
        return;
      }
      rollups.forEach(
          (sizeMs, size) -> SummaryAssert.assertEqual(size.latest, naive.rollups().get(sizeMs)));
      SummaryAssert.assertEqual(hops.latest, naive.hops());
      assertThat(weir.counts().leftOut).isEmpty();
    }
  }

  /** Windows that closed as complete. */
  long complete() {
    return naive.complete();
  }

  /** Attestations that were broken. */
  long broken() {
    return naive.broken();
  }

  /** Readings that were withheld. */
  long withheld() {
    return withheld;
  }

  /** Hopping windows that were emitted. */
  long hops() {
    return hops.latest.size();
  }

  /** Readings of sensors that their gateway may not publish. */
  long foreign() {
    return foreign;
  }

  /** Batches that were refused and sent again. */
  long redriven() {
    return redrive == null ? 0 : redrive.sent();
  }

  /** Those of them that were known to be counted. */
  long redrivenRepeats() {
    return redrive == null ? 0 : redrive.repeats();
  }

  private void step() {
    switch (random.nextInt(16)) {
      case 0 -> restart();
      case 1 -> silence(random.nextInt(100));
      case 2 -> appendMs += random.nextInt(300);
      case 3 -> appendMs += random.nextInt(4_000) - 2_000;
      case 4 -> reset();
      case 5 -> permit();
      case 6 -> cut();
      case 7 -> otherLeader();
      default -> {
        appendMs += random.nextInt(8);
        weir.clock(random.nextInt(60));
        take(batches.next(appendMs));
      }
    }
  }

  /** The next start may have other settings. */
  private void restart() {
    if (changing && random.nextBoolean()) {
      spec = RandomSettings.changed(spec, random);
      naive.change(spec);
    }
    weir.restart(spec);
  }

  /** Some records by a leader whose clock is behind or ahead; gateways' clocks are as before. */
  private void otherLeader() {
    long[] wrongByMs = {-400_000, 3_700_000, 86_400_000};
    long beforeMs = appendMs;
    long leaderMs = appendMs + wrongByMs[random.nextInt(wrongByMs.length)];
    for (int i = random.nextInt(4); i >= 0; i--) {
      leaderMs += random.nextInt(60_000);
      boolean alike = random.nextInt(8) == 0;
      if (alike) {
        batches.start();
      }
      ReadingBatch batch = batches.next(alike ? leaderMs : beforeMs);
      appendMs = leaderMs;
      latestMs = Math.max(latestMs, leaderMs);
      take(batch);
    }
    appendMs = beforeMs;
  }

  /** No sensor sends for a while; ticks come. */
  private void silence(long millis) {
    weir.silence(millis);
    appendMs += random.nextBoolean() ? millis : 0;
    checkEmissions();
    assertThat(weir.late()).isEmpty();
    assertThat(weir.deadLetters()).isEmpty();
  }

  /** The file of gateways changes, at once or with a restart. */
  private void permit() {
    if (!permitting) {
      return;
    }
    RandomPermissions now = new RandomPermissions(random);
    naive.permit(now);
    if (permitted && random.nextBoolean()) {
      weir.permit(now.file());
    } else {
      weir.restart(now.file());
    }
    permitted = true;
  }

  /** Records are deleted unread; or all is read that such a cut concerns. */
  private void cut() {
    if (!cutting) {
      return;
    }
    int kind = random.nextInt(cut ? 8 : 2);
    if (kind > 4) {
      // Mostly the newest one; others, and those of others, are accepted for nothing.
      boolean other = random.nextInt(6) == 0;
      String application = random.nextInt(6) == 0 ? "other" : "weir";
      acceptLoss(application, other ? gaps.get(random.nextInt(gaps.size())) : weir.gap());
    } else if (kind > 1) {
      appendMs += 3_600_000 + random.nextInt(400_000);
    } else {
      if (cut && random.nextBoolean()) {
        passTheGap();
      }
      boolean lost = random.nextInt(6) == 0;
      cut = true;
      if (lost) {
        weir.lose(1 + random.nextInt(9));
      } else {
        weir.cut(1 + random.nextInt(9));
      }
      weir.tick(appendMs);
      naive.cut(weir.gap().toString(), appendMs);
      if (lost) {
        earlierLives.addAll(life);
        life = List.of();
      }
      gaps.add(weir.gap());
      naive.take(ReadingBatch.getDefaultInstance(), appendMs);
      checkEmissions();
    }
  }

  /** Sensors go on behind what is withheld, and their windows there are evicted. */
  private void passTheGap() {
    appendMs += 3_600_000 + random.nextInt(400_000);
    for (int i = random.nextInt(6); i >= 0; i--) {
      appendMs += random.nextInt(400);
      take(batches.next(appendMs));
    }
  }

  private void acceptLoss(String application, Gap gap) {
    acceptLoss(application, gap, random.nextInt(8) == 0);
  }

  private void acceptLoss(String application, Gap gap, boolean ofAnotherLife) {
    if (random.nextInt(3) == 0) {
      publishOthers();
    }
    KeptWindows kept = weir.keptWindows();
    PublishedWindows.read(
        new LogReader(published.log),
        ValueFormat.BARE,
        WINDOWS,
        spec.sizeMs(),
        List.of(),
        kept::published);
    Gap ordered = ofAnotherLife ? new Gap(new Life(-1), gap.from(), gap.to()) : gap;
    weir.acceptLoss(appendMs, application, ordered, kept.left());
    if (application.equals("weir") && !ofAnotherLife) {
      naive.acceptLoss(
          gap.toString(),
          (key, window, byThisLife) -> published.newest(key, spec) >= readings(window),
          appendMs);
    } else {
      naive.notABatch(appendMs);
    }
    checkEmissions();
  }

  /** Another life writes records of some windows, with as many readings, fewer or more. */
  private void publishOthers() {
    naive
        .windows()
        .windows()
        .forEach(
            (key, window) -> {
              if (random.nextInt(3) == 0) {
                long readings = Math.max(1, readings(window) + random.nextInt(3) - 1);
                published.add(
                    WindowSummary.newBuilder()
                        .setSensorId(key.sensorId())
                        .setWindowStartMs(key.startMs())
                        .setWindowEndMs(key.startMs() + spec.sizeMs())
                        .setCount(readings)
                        .build());
              }
            });
  }

  private static long readings(NaiveWindows.Window window) {
    return window.count() + window.badCount();
  }

  private void tick() {
    weir.tick(appendMs);
    naive.take(ReadingBatch.getDefaultInstance(), appendMs);
    checkEmissions();
  }

  /**
   * By a new order, by the mark or a copy of the mark of any that there was, or by a forged one.
   * Now and then operators order several at once: their marks come when they come.
   */
  private void reset() {
    int kind = random.nextInt(4);
    for (int more = random.nextInt(4); more > 1; more--) {
      order(batches.gateway());
    }
    if (kind == 0) {
      weir.reset(appendMs, new ResetMark(random.nextInt(3), random.nextLong(), 0));
      naive.notABatch(appendMs);
      assertThat(weir.deadLetters())
          .extracting(DeadLetter::reason)
          .containsExactly(RejectReason.UNKNOWN_RESET);
    } else {
      int order = kind == 1 && orders.size() > 0 ? random.nextInt(orders.size()) : -1;
      order = order < 0 ? order(batches.gateway()) : order;
      if (redrive != null) {
        redrive.reset(orders.gateway(order), appendMs);
      }
      weir.reset(appendMs, orders.mark(order));
      naive.reset(orders.gateway(order), order, appendMs);
      assertThat(weir.deadLetters()).isEmpty();
    }
    checkEmissions();
  }

  private int order(String gatewayId) {
    if (redrive != null) {
      redrive.reset(gatewayId, appendMs);
    }
    return orders.reset(gatewayId);
  }

  private void take(ReadingBatch next) {
    Optional<ReadingBatch> refused =
        redrive != null && random.nextInt(12) == 0 ? redrive.next(random) : Optional.empty();
    boolean accepted = refused.isEmpty() && !withheldRows.isEmpty() && random.nextInt(3) == 0;
    ReadingBatch batch = accepted ? withheldAgain() : refused.orElse(next);
    boolean redriven =
        accepted || refused.isPresent() || (attesting || permitting) && random.nextInt(20) == 0;
    Headers headers =
        redriven ? DeadLetterHeaders.ofRedrive(LETTER, accepted) : new RecordHeaders();
    if (random.nextInt(4) == 0) {
      headers.add("sender", new byte[] {'x'});
      headers.add(DeadLetterHeaders.REASON, new byte[] {'f', 'o', 'r', 'g', 'e', 'd'});
    }
    weir.send(
        appendMs,
        batch.getGatewayId().getBytes(StandardCharsets.UTF_8),
        batch.toByteArray(),
        headers);
    offered += NaiveWeir.rows(batch).size();
    NaiveWeir.Fate fate = naive.take(batch, appendMs, redriven, accepted);
    checkEmissions();
    List<DeadLetter> deadLetters = weir.deadLetters();
    List<String> lateRows = new ArrayList<>();
    deadLetters.forEach(this::checkLife);
    for (DeadLetter letter : weir.late()) {
      checkLife(letter);
      String reason = letter.header(DeadLetterHeaders.REASON);
      assertThat(LetterHeaders.in(letter))
          .isEqualTo(
              LetterHeaders.ofLate(batch, weir.lastOffset(), headers, reason != null, ofGaps()));
      NaiveWeir.rows(letter.batch())
          .forEach(row -> lateRows.add(reason + " " + NaiveWeir.plain(row)));
    }
    if (fate.refused() != null) {
      assertThat(deadLetters).hasSize(1);
      assertThat(deadLetters.get(0).reason()).isEqualTo(fate.refused());
      assertThat(deadLetters.get(0).batch()).isEqualTo(batch);
      assertThat(LetterHeaders.in(deadLetters.get(0)))
          .isEqualTo(LetterHeaders.ofBatch(batch, weir.lastOffset(), headers, fate.refused()));
      rejected += NaiveWeir.rows(batch).size();
    } else if (fate.repeated()) {
      assertThat(deadLetters).isEmpty();
      duplicates += NaiveWeir.rows(batch).size();
    } else {
      for (DeadLetter letter : deadLetters) {
        assertThat(LetterHeaders.in(letter))
            .isEqualTo(
                LetterHeaders.ofReadings(batch, weir.lastOffset(), headers, letter.reason()));
      }
      checkRejected(fate, deadLetters);
      checkLate(fate, lateRows);
    }
    if (redrive != null) {
      DeadLetter letter = fate.refused() == null ? null : deadLetters.get(0);
      redrive.took(batch, fate, letter, refused.isPresent());
    }
  }

  private List<String> ofGaps() {
    return cut ? List.of("weir.gap=" + weir.gap()) : List.of();
  }

  /** One life writes all from the loss of a state to the next. */
  private void checkLife(DeadLetter letter) {
    List<String> written = List.of(letter.header(DeadLetterHeaders.LIFE));
    life = life.isEmpty() ? written : life;
    assertThat(written).isEqualTo(life);
    assertThat(earlierLives).doesNotContainAnyElementsOf(written);
  }

  /** As a redrive sends them: without boot id and sequence. */
  private ReadingBatch withheldAgain() {
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    for (int i = random.nextInt(6); i >= 0; i--) {
      batch.addReadings(withheldRows.get(random.nextInt(withheldRows.size())));
    }
    return batch.build();
  }

  private void checkRejected(NaiveWeir.Fate fate, List<DeadLetter> deadLetters) {
    List<String> expected = new ArrayList<>();
    for (NaiveWeir.ReadingFate reading : fate.readings()) {
      if (reading.rejected() != null && reading.rejected() != RejectReason.WITHHELD) {
        foreign += reading.rejected() == RejectReason.NOT_ITS_SENSOR ? 1 : 0;
        expected.add(reading.rejected() + " " + NaiveWeir.plain(reading.reading()));
      }
    }
    List<String> got = new ArrayList<>();
    for (DeadLetter deadLetter : deadLetters) {
      for (Reading row : NaiveWeir.rows(deadLetter.batch())) {
        got.add(deadLetter.reason() + " " + NaiveWeir.plain(row));
      }
    }
    assertThat(got).containsExactlyInAnyOrderElementsOf(expected);
    rejected += got.size();
  }

  private void checkLate(NaiveWeir.Fate fate, List<String> lateRows) {
    List<String> expected = new ArrayList<>();
    for (NaiveWeir.ReadingFate reading : fate.readings()) {
      if (reading.rejected() == RejectReason.WITHHELD) {
        withheld++;
        withheldRows.add(reading.reading());
        expected.add("WITHHELD " + NaiveWeir.plain(reading.reading()));
      } else if (reading.rejected() == null && reading.late()) {
        late++;
        expected.add("null " + NaiveWeir.plain(reading.reading()));
      } else if (reading.rejected() == null) {
        aggregated++;
      }
    }
    assertThat(lateRows).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Override
  public long position() {
    return 0;
  }

  @Override
  public void due(
      NaiveWindows.Key key, CloseReason reason, NaiveWindows.Window content, long since) {
    if (SpansDue.overflows(content)) {
      overflowed++;
    }
    int revision = revisions.merge(key, 0, (before, zero) -> before + 1);
    due.add(
        SpansDue.brief(key, reason.name(), revision, content.count(), content.badCount())
            + content.min()
            + content.max());
  }

  @Override
  public void beginsAgain(NaiveWindows.Key key) {
    revisions.remove(key);
  }

  @Override
  public boolean optional(NaiveWindows.Key key, NaiveWindows.Window content, long since) {
    return false;
  }

  /** Everything that was emitted since the last look, and nothing else, was due. */
  private void checkEmissions() {
    List<String> got = new ArrayList<>();
    for (WindowSummary window : weir.windows()) {
      NaiveWindows.Key key = new NaiveWindows.Key(window.getSensorId(), window.getWindowStartMs());
      assertThat(window.getWindowEndMs()).isEqualTo(window.getWindowStartMs() + spec.sizeMs());
      assertThat(window.getIsFinal())
          .isEqualTo(window.getCloseReasonValue() == CloseReason.COMPLETE.number());
      latest.put(key, window);
      published.add(window);
      String reason = window.getCloseReason().name().substring("CLOSE_REASON_".length());
      got.add(
          SpansDue.brief(key, reason, window.getRevision(), window.getCount(), window.getBadCount())
              + window.getMin()
              + window.getMax());
    }
    assertThat(got).containsExactlyInAnyOrderElementsOf(due);
    due.clear();
    statusDue.check(weir);
    weir.rollups().forEach(this::takeRollup);
    rollups.values().forEach(SpansDue::check);
    for (WindowSummary hop : weir.hops()) {
      assertThat(hop.getWindowEndMs() - hop.getWindowStartMs())
          .isEqualTo(spec.hopping().lengthMs());
      hops.take(hop);
    }
    hops.check();
    latestTopics.read(weir);
  }

  private void checkLatest() {
    latestTopics.check(Topic.LATEST, latestForm, List.copyOf(latest.values()));
    List<WindowSummary> ofRollups = new ArrayList<>();
    rollups.values().forEach(size -> ofRollups.addAll(size.latest.values()));
    latestTopics.check(Topic.LATEST_ROLLUPS, latestForm, ofRollups);
    latestTopics.check(Topic.LATEST_HOPPING, latestForm, List.copyOf(hops.latest.values()));
  }

  private void takeRollup(WindowSummary rollup) {
    rollups.get(rollup.getWindowEndMs() - rollup.getWindowStartMs()).take(rollup);
  }

  private void checkBalance() {
    assertThat(aggregated + late + withheld + rejected + duplicates).isEqualTo(offered);
    assertThat(weir.counts().readings).isEqualTo(offered);
    assertThat(weir.counts().aggregated).isEqualTo(aggregated);
    assertThat(weir.counts().late).isEqualTo(late);
    assertThat(weir.counts().withheld).isEqualTo(withheld);
    assertThat(weir.counts().rejected).isEqualTo(rejected);
    assertThat(weir.counts().duplicate).isEqualTo(duplicates);
    assertThat(weir.counts().attestationsBroken).isEqualTo(naive.broken());
    assertThat(weir.counts().attestationsIgnored).isEqualTo(naive.ignored());
    long ofRollups = rollups.values().stream().mapToLong(size -> size.overflowed).sum();
    assertThat(weir.counts().samplesOverflowed).isEqualTo(overflowed + ofRollups + hops.overflowed);
  }
}
