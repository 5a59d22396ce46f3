package io.weir.internal.collect;

import io.weir.internal.collect.Outbox.Deleted;
import io.weir.internal.postgres.SqlFailures;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes acknowledged rows, in its own short transactions, so that it delays sending by at most
 * {@value #STATEMENT_MS} ms. It continues at its last position, also after a restart, because scans
 * over deleted rows cost time until a vacuum removes them, which any long transaction prevents.
 * Rows that another transaction has locked, or that a user's constraint or trigger protects, are
 * deleted in a later sweep over all rows. One thread.
 */
final class Cleaner {
  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

  static final int MOST_ROWS = 20_000;
  static final int STATEMENT_MS = 1_000;

  /** Renumbered rows have transaction 0, which is before all cursors. */
  static final List<Cursor> BEGINNING =
      Collections.nCopies(State.PRIORITIES, new Cursor(0, Long.MIN_VALUE));

  private static final int LEAST_ROWS = 10;
  private static final int SHRINK = 4;

  /** Steps after which a sweep that is due gets one. */
  private static final int STEPS_AHEAD = 4;

  private static final long LONGEST_PAUSE_MS = 600_000;
  private static final long FIRST_PAUSE_MS = 10_000;
  private static final String TIMED_OUT = "57014";

  private final Outbox outbox;
  private final Lease lease;
  private final Pass ahead = new Pass();
  private final Pass sweep = new Pass();
  private boolean sweepDue;
  private List<Cursor> sweepEnd = BEGINNING;
  private int stepsAhead;
  private boolean skipped;
  private long sweepPauseMs = FIRST_PAUSE_MS;

  /** A scan over the rows, priority by priority. */
  private static final class Pass {
    private List<Cursor> from = BEGINNING;
    private int rows = MOST_ROWS;
    private long notBeforeMs;
    private long pauseMs = FIRST_PAUSE_MS;

    /** The first priority with rows before its end; -1 if there is none, or during a pause. */
    private int next(List<Cursor> upTo, long nowMs) {
      for (int priority = 0; nowMs >= notBeforeMs && priority < upTo.size(); priority++) {
        if (from.get(priority).compareTo(upTo.get(priority)) < 0) {
          return priority;
        }
      }
      return -1;
    }

    private void movedTo(List<Cursor> to) {
      from = to;
      rows = Math.min(MOST_ROWS, 2 * rows);
      pauseMs = FIRST_PAUSE_MS;
    }

    /** Reduces the rows of a step; false if they are at the minimum. */
    private boolean shrinks() {
      boolean larger = rows > LEAST_ROWS;
      rows = Math.max(LEAST_ROWS, rows / SHRINK);
      return larger;
    }

    private void timedOut(long nowMs) {
      if (!shrinks()) {
        notBeforeMs = nowMs + pauseMs;
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
      }
    }
  }

  Cleaner(Outbox outbox, Lease lease) {
    this.outbox = outbox;
    this.lease = lease;
  }

  /**
   * Continues at the position of the previous owner; a sweep for rows that it skipped follows soon.
   */
  void begin(List<Cursor> cleaned, long nowMs) {
    ahead.from = cleaned;
    ahead.notBeforeMs = nowMs;
    sweepIn(FIRST_PAUSE_MS, nowMs);
  }

  /** Whether there are rows to delete now. */
  boolean isDue(List<Cursor> acknowledged, long nowMs) {
    return ahead.next(acknowledged, nowMs) >= 0 || isSweepDue(nowMs);
  }

  /** Its end is fixed when it begins: new rows keep coming. */
  private boolean isSweepDue(long nowMs) {
    if (sweep.from.equals(BEGINNING)) {
      sweepEnd = ahead.from;
    }
    return sweepDue && sweep.next(sweepEnd, nowMs) >= 0;
  }

  /**
   * Deletes some rows, and commits.
   *
   * @throws FencedException if another process took over
   */
  void clean(Connection connection, List<Cursor> acknowledged, long nowMs)
      throws SQLException, FencedException {
    int priority = ahead.next(acknowledged, nowMs);
    boolean sweepsFirst = isSweepDue(nowMs) && stepsAhead >= STEPS_AHEAD;
    if (priority >= 0 && !sweepsFirst) {
      stepsAhead++;
      step(connection, ahead, priority, acknowledged.get(priority), nowMs);
    } else if (sweepDue) {
      stepsAhead = 0;
      sweep(connection, nowMs);
    }
    if (skipped && !sweepDue) {
      sweepIn(sweepPauseMs, nowMs);
    }
  }

  private void sweep(Connection connection, long nowMs) throws SQLException, FencedException {
    int priority = sweep.next(sweepEnd, nowMs);
    if (priority >= 0) {
      step(connection, sweep, priority, sweepEnd.get(priority), nowMs);
    }
    if (sweep.notBeforeMs <= nowMs && sweep.next(sweepEnd, nowMs) < 0) {
      sweepDue = false;
      sweepPauseMs = skipped ? Math.min(LONGEST_PAUSE_MS, 2 * sweepPauseMs) : FIRST_PAUSE_MS;
    }
  }

  private void sweepIn(long ms, long nowMs) {
    sweepDue = true;
    skipped = false;
    sweep.from = BEGINNING;
    sweep.notBeforeMs = Math.max(sweep.notBeforeMs, nowMs + ms);
  }

  /** A user's constraint or trigger prevents the deletion of some of the next rows. */
  private void skip(Connection connection, Pass pass, int priority, Cursor upTo, SQLException why)
      throws SQLException, FencedException {
    Cursor from = pass.from.get(priority);
    Cursor last = outbox.count(connection, priority, from, LEAST_ROWS).last();
    List<Cursor> to = new ArrayList<>(pass.from);
    to.set(priority, last.compareTo(upTo) < 0 && last.compareTo(from) > 0 ? last : upTo);
    lease.cleaned(connection, pass == ahead ? to : ahead.from);
    pass.movedTo(to);
    skipped = true;
    LOG.warn("cannot delete sent rows of weir_outbox, retrying later: {}", SqlFailures.line(why));
  }

  private void step(Connection connection, Pass pass, int priority, Cursor upTo, long nowMs)
      throws SQLException, FencedException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local statement_timeout = " + STATEMENT_MS);
      Deleted deleted =
          outbox.delete(connection, priority, pass.from.get(priority), upTo, pass.rows);
      List<Cursor> to = new ArrayList<>(pass.from);
      to.set(priority, deleted.due() < pass.rows ? upTo : deleted.last());
      lease.cleaned(connection, pass == ahead ? to : ahead.from);
      pass.movedTo(to);
      skipped |= deleted.gone() < deleted.due();
    } catch (SQLException e) {
      connection.rollback();
      if (TIMED_OUT.equals(e.getSQLState())) {
        pass.timedOut(nowMs);
      } else if (SqlFailures.of(e) != SqlFailures.DATA) {
        throw e;
      } else if (!pass.shrinks()) {
        skip(connection, pass, priority, upTo, e);
      }
    }
  }
}
