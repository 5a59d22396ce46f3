package io.weir.lab.chaos;

import io.weir.lab.oracle.Findings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What came of a run.
 *
 * @param rings how often the rings of the changelog came round, where they are small
 * @param took the faults
 * @param topicGap longest time in which no window of any partition could be read
 * @param partitionGap longest time in which none of one and the same partition could
 * @param unsettled what was waited for in vain before the oracle was asked
 */
public final class ChaosReport {
  private static final String ROW = "%-52s %6s %7s %7s %7s %7s";

  private static final Duration FAILOVER_LIMIT = Duration.ofSeconds(20);

  private final ChaosSettings settings;
  private final FaultStats tally;
  private final int endedByThemselves;
  private final RunVerdict verdict;
  private final ExplainedWindows explained;
  private final Optional<EventVerdict> events;
  private final Optional<PostgresVerdict> postgres;
  private final Optional<ImportOracle.Verdict> imports;
  private final Optional<String> rings;
  private final Duration took;
  private final Duration topicGap;
  private final Duration partitionGap;
  private final List<String> unsettled;

  ChaosReport(
      ChaosSettings settings,
      FaultStats tally,
      int endedByThemselves,
      RunVerdict verdict,
      ExplainedWindows explained,
      Optional<EventVerdict> events,
      Optional<PostgresVerdict> postgres,
      Optional<ImportOracle.Verdict> imports,
      Optional<String> rings,
      Duration took,
      Duration topicGap,
      Duration partitionGap,
      List<String> unsettled) {
    this.settings = settings;
    this.tally = tally;
    this.endedByThemselves = endedByThemselves;
    this.verdict = verdict;
    this.explained = explained;
    this.events = events;
    this.postgres = postgres;
    this.imports = imports;
    this.rings = rings;
    this.took = took;
    this.topicGap = topicGap;
    this.partitionGap = partitionGap;
    this.unsettled = List.copyOf(unsettled);
  }

  /** Whether every reading is where it must be, and every other promise was kept. */
  public boolean isExact() {
    return verdict.isExact()
        && explained.isExact()
        && events.map(EventVerdict::isExact).orElse(true)
        && postgres.map(PostgresVerdict::isExact).orElse(true)
        && imports.map(ImportOracle.Verdict::isExact).orElse(true)
        && tally.broken().isEmpty()
        && unsettled.isEmpty();
  }

  /** How often a kind of fault was had. */
  public int count(FaultKind kind) {
    return tally.count(kind);
  }

  /** What is not as it must be. */
  public Findings findings() {
    return verdict.findings();
  }

  /** What the oracle found of events, where there were any. */
  public Optional<EventVerdict> events() {
    return events;
  }

  /** What the oracle found of PostgreSQL, where there was one. */
  public Optional<PostgresVerdict> postgres() {
    return postgres;
  }

  /** Readings on the readings topic, resends each time. */
  public long offered() {
    return verdict.balance().offered();
  }

  /** The closing table, a line each. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(String.format(ROW, "", "", "first", "last", "window again, s", "").stripTrailing());
    lines.add(String.format(ROW, "fault", "times", "p50", "p50", "p99", "most"));
    for (FaultKind kind : FaultKind.values()) {
      if (settings.faults().containsKey(kind)) {
        lines.add(row(kind));
      }
    }
    lines.add("");
    addRecoveries(lines);
    addTotals(lines);
    lines.addAll(tally.neighbours());
    verdict.findings().lines().forEach(lines::add);
    tally.broken().forEach(promise -> lines.add("not kept: " + promise));
    unsettled.forEach(what -> lines.add("not settled: " + what));
    lines.addAll(explained.lines());
    lines.add(verdict.balance().toString());
    events.ifPresent(each -> lines.addAll(each.lines()));
    postgres.ifPresent(each -> lines.addAll(each.lines()));
    imports.ifPresent(each -> lines.addAll(each.lines()));
    rings.ifPresent(lines::add);
    lines.add(
        String.format(
            Locale.ROOT,
            "seed %d: lost %d, doubled %d, wrong windows %d, wrong records %d: %s",
            settings.seed(),
            verdict.findings().lost(),
            verdict.findings().doubled(),
            verdict.findings().wrongWindows(),
            verdict.findings().wrongRecords(),
            isExact() ? "exact" : "NOT EXACT"));
    return lines;
  }

  private String row(FaultKind kind) {
    Durations last = tally.last(kind);
    return String.format(
        ROW,
        kind.meaning(),
        tally.count(kind),
        tally.first(kind).percentile(50),
        last.percentile(50),
        last.percentile(99),
        last.percentile(100));
  }

  private void addRecoveries(List<String> lines) {
    Durations takenOver = tally.last(FaultKind.FAILOVER);
    if (tally.count(FaultKind.FAILOVER) > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "failover with a session of %d s and %d standbys: within %d s the first window again"
                  + " %d times, the last %d times of %d",
              settings.session().toSeconds(),
              settings.standbys(),
              FAILOVER_LIMIT.toSeconds(),
              tally.first(FaultKind.FAILOVER).within(FAILOVER_LIMIT),
              takenOver.within(FAILOVER_LIMIT),
              tally.count(FaultKind.FAILOVER)));
    }
    for (FaultKind kind : FaultKind.values()) {
      Durations starts = tally.starts(kind);
      if (starts.count() > 0) {
        lines.add(
            String.format(
                Locale.ROOT,
                "start to RUNNING after %s, %,d sensors: p50 %s, most %s s, %d times",
                kind.label(),
                settings.sensors(),
                starts.percentile(50),
                starts.percentile(100),
                starts.count()));
      }
    }
    if (tally.topicGaps().count() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "rolling restart: longest output gap p50 %s, most %s s; of one partition %s, %s s",
              tally.topicGaps().percentile(50),
              tally.topicGaps().percentile(100),
              tally.partitionGaps().percentile(50),
              tally.partitionGaps().percentile(100)));
    }
  }

  private void addTotals(List<String> lines) {
    lines.add(
        String.format(
            Locale.ROOT,
            "%s s; %,d readings acknowledged in %,d records; %,d records on the topic",
            Durations.seconds(took),
            verdict.acknowledgedReadings(),
            verdict.acknowledgedRecords(),
            verdict.records()));
    lines.add(
        String.format(
            Locale.ROOT,
            "%,d windows in %,d emissions; longest output gap %s s, of one partition %s s",
            verdict.windows(),
            verdict.emissions(),
            Durations.seconds(topicGap),
            Durations.seconds(partitionGap)));
    lines.add(
        String.format(
            Locale.ROOT,
            "%,d complete windows; attestations broken by %,d readings, ignored" + " %s",
            verdict.completeness().windows(),
            verdict.completeness().broken(),
            verdict.completeness().ignored()));
    lines.add(
        String.format(
            Locale.ROOT,
            "%,d records of status, with %,d transitions of alarms",
            verdict.status().records(),
            verdict.status().alarms()));
    Findings alarms = verdict.alarms().findings();
    lines.addAll(alarms.lines());
    lines.add(
        String.format(
            Locale.ROOT,
            "%,d events of alarms: lost %d, doubled %d, wrong %d",
            verdict.alarms().found(),
            alarms.lost(),
            alarms.doubled(),
            alarms.wrongRecords()));
    lines.add("refused: " + verdict.rejected());
    lines.add("applications that ended by themselves: " + endedByThemselves);
  }
}
