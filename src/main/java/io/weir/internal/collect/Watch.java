package io.weir.internal.collect;

import io.weir.internal.time.MonotonicClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Updates the metrics of waiting rows. One thread. */
final class Watch {
  private static final long COUNT_EVERY_MS = 10_000;
  private static final long SHORT_MS = 1_000;

  private final Outbox outbox;
  private final CollectStatus status;
  private final XactTimes times = new XactTimes();
  private boolean heldBack;
  private long heldBackSinceMs;
  private long nextCountMs = MonotonicClock.millis();

  Watch(Outbox outbox, CollectStatus status) {
    this.outbox = outbox;
    this.status = status;
  }

  /** Whether rows wait for the end of a transaction; after a while it looks the transaction up. */
  boolean isHeldBack(Connection connection) throws SQLException {
    boolean before = heldBack;
    heldBack = outbox.isHeldBack(connection);
    long nowMs = MonotonicClock.millis();
    if (heldBack && !before) {
      heldBackSinceMs = nowMs;
    }
    boolean lasts = heldBack && nowMs - heldBackSinceMs >= SHORT_MS;
    status.heldBack(lasts ? HeldBack.find(connection) : null);
    return heldBack;
  }

  /** Counts waiting rows periodically. */
  void count(Connection connection, List<Cursor> cursors) throws SQLException {
    long nowMs = MonotonicClock.millis();
    if (nowMs - nextCountMs < 0) {
      return;
    }
    nextCountMs = nowMs + COUNT_EVERY_MS;
    Backlog backlog = Backlog.count(connection, cursors);
    connection.commit();
    times.sample(backlog.nextXact(), nowMs);
    status.behind(
        backlog.rows(),
        backlog.oldestXact() == null ? 0 : times.ageMs(backlog.oldestXact(), nowMs));
  }

  /**
   * The rows after the cursors, including those that are held back.
   *
   * @param rows their number, up to {@value #MOST} of each priority
   * @param oldestXact transaction that inserted the oldest row; null if there is none
   * @param nextXact next unassigned transaction id
   */
  record Backlog(long rows, Long oldestXact, long nextXact) {
    static final int MOST = 100_000;
    private static final String QUERY =
        """
        select coalesce(sum(c.rows), 0),
               (array_agg(c.oldest order by c.oldest) filter (where c.oldest is not null))[1]::text,
               pg_snapshot_xmax(pg_current_snapshot())::text
          from unnest(?::smallint[], ?::xid8[], ?::bigint[]) as p(priority, xact, id)
         cross join lateral (
           select (select count(*) from (
                     select from weir_outbox o
                      where o.priority = p.priority and (o.xact, o.id) > (p.xact, p.id)
                      limit 100000) w) as rows,
                  (select o.xact from weir_outbox o
                    where o.priority = p.priority and (o.xact, o.id) > (p.xact, p.id)
                    order by o.xact, o.id limit 1) as oldest
         ) c""";

    static Backlog count(Connection connection, List<Cursor> cursors) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(QUERY)) {
        statement.setArray(1, connection.createArrayOf("int2", new Object[] {0, 1, 2}));
        statement.setArray(
            2,
            connection.createArrayOf(
                "text", cursors.stream().map(c -> Long.toUnsignedString(c.xact())).toArray()));
        statement.setArray(
            3, connection.createArrayOf("int8", cursors.stream().map(Cursor::id).toArray()));
        try (ResultSet result = statement.executeQuery()) {
          result.next();
          String oldest = result.getString(2);
          return new Backlog(
              result.getLong(1),
              oldest == null ? null : Long.parseUnsignedLong(oldest),
              Long.parseUnsignedLong(result.getString(3)));
        }
      }
    }
  }

  /**
   * Approximate start times of transactions: the caller records the next transaction id
   * periodically. Not safe for several threads.
   */
  static final class XactTimes {
    private static final int MOST = 1_000;

    private record Sample(long nextXact, long ms) {}

    private List<Sample> samples = new ArrayList<>();

    /**
     * @param nextXact next unassigned transaction id at that time
     */
    void sample(long nextXact, long nowMs) {
      if (samples.size() == MOST) {
        // Halves the precision of the older half each time.
        List<Sample> thinned = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
          if (i >= MOST / 2 || i % 2 == 0) {
            thinned.add(samples.get(i));
          }
        }
        samples = thinned;
      }
      samples.add(new Sample(nextXact, nowMs));
    }

    /**
     * The age of a transaction: an upper bound if the samples reach back to it, else a lower bound.
     */
    long ageMs(long xact, long nowMs) {
      for (int i = samples.size() - 1; i >= 0; i--) {
        if (Long.compareUnsigned(samples.get(i).nextXact(), xact) <= 0) {
          return nowMs - samples.get(i).ms();
        }
      }
      return samples.isEmpty() ? 0 : nowMs - samples.get(0).ms();
    }
  }
}
