package io.weir.lab.bench;

import io.weir.internal.collect.Collector;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.EmbeddedPostgres;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code weir collect}: how fast it empties a backlog, and how long it takes from a COMMIT to a
 * reading that can be read. Kafka, PostgreSQL, its client and the collector share this machine, and
 * PostgreSQL writes to its disk before it says that something is committed.
 */
public final class CollectBench {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final String READINGS = "readings";
  private static final int PER_SECOND = 100;
  private static final int[] LIMITS = {1_000, 10_000};

  private final int rows;
  private final int rounds;
  private final int seconds;

  /**
   * @param rows of the backlog, at least 20,000
   * @param rounds how often each is measured
   * @param seconds how long rows are inserted at a steady rate
   */
  public CollectBench(int rows, int rounds, int seconds) {
    this.rows = rows;
    this.rounds = rounds;
    this.seconds = seconds;
  }

  /**
   * Measures; returns the lines of the result.
   *
   * @param log where it says what it does
   */
  public List<String> run(PrintWriter log) {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(0, Map.of("max_wal_size", "4GB"))) {
      List<String> lines = new ArrayList<>();
      double[][] paces = new double[LIMITS.length][rounds];
      double[] p50 = new double[rounds];
      double[] p99 = new double[rounds];
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < LIMITS.length; i++) {
          paces[i][round] = pace(kafka, postgres, LIMITS[i], round);
          say(log, round, "batch.limit %,d: %,.0f rows/s", LIMITS[i], paces[i][round]);
        }
        Figures latency = latency(kafka, postgres, round);
        p50[round] = latency.get(Figure.P50_MS).orElseThrow();
        p99[round] = latency.get(Figure.P99_MS).orElseThrow();
        say(log, round, "COMMIT to readable: p50 %.1f ms, p99 %.1f ms", p50[round], p99[round]);
      }
      for (int i = 0; i < LIMITS.length; i++) {
        String name = String.format(Locale.ROOT, "backlog, batch.limit %,d", LIMITS[i]);
        lines.add(line(name, "%,.0f rows/s", paces[i]) + " target 50,000 or more");
      }
      lines.add(line("COMMIT to readable at 100 rows/s, p50", "%.1f ms", p50));
      lines.add(
          line("COMMIT to readable at 100 rows/s, p99", "%.1f ms", p99) + " target 50 or less");
      return lines;
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL: " + e.getMessage(), e);
    }
  }

  static void say(PrintWriter log, int round, String format, Object... values) {
    log.printf(Locale.ROOT, "round %d: " + format + "%n", prepend(round + 1, values));
    log.flush();
  }

  private static Object[] prepend(Object first, Object[] others) {
    List<Object> all = new ArrayList<>(List.of(others));
    all.add(0, first);
    return all.toArray();
  }

  /** The median of values, and their range. */
  static String line(String name, String format, double[] values) {
    Spread spread = Spread.of(values);
    return String.format(
        Locale.ROOT,
        "%-40s %16s  (" + format + " - " + format + ")",
        name,
        String.format(Locale.ROOT, format, spread.median()),
        spread.least(),
        spread.most());
  }

  private double pace(EmbeddedKafka kafka, EmbeddedPostgres postgres, int limit, int round)
      throws SQLException {
    String name = "backlog_" + limit + "_" + round;
    Map<String, String> options = Map.of("collect.batch.limit", Integer.toString(limit));
    BenchOutbox outbox = new BenchOutbox(kafka, postgres, name, options);
    outbox.fill(rows);
    try (Collector collector = outbox.collect()) {
      // From the first batch on: starting is no part of the pace.
      await(collector, 1);
      long before = collector.counters().rows(READINGS);
      long startNanos = System.nanoTime();
      await(collector, rows);
      return (rows - before) * 1e9 / (System.nanoTime() - startNanos);
    }
  }

  private static void await(Collector collector, long rows) {
    while (collector.counters().rows(READINGS) < rows) {
      BenchOutbox.requireRunning(collector);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private Figures latency(EmbeddedKafka kafka, EmbeddedPostgres postgres, int round)
      throws SQLException {
    Map<String, String> options = Map.of("collect.batch.timeout", "20ms");
    BenchOutbox outbox = new BenchOutbox(kafka, postgres, "steady_" + round, options);
    return new CommitToReadable(outbox, kafka.bootstrapServers(), seconds * PER_SECOND, PER_SECOND)
        .measure();
  }
}
