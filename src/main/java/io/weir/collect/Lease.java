package io.weir.collect;

import io.weir.collect.Budget.Bucket;
import io.weir.collect.CollectorTable.Kept;
import io.weir.collect.CollectorTable.Look;
import io.weir.time.MonotonicClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Whether this process is the one that collects, and what it goes on from. One is, by a lease; the
 * epoch decides whether it may write. One thread.
 */
final class Lease {
  private static final int RANDOM_BITS = 20;
  private static final int PARTS = 3;

  private final String gatewayId;
  private final CollectorTable table;
  private final long leaseMs;
  private long epoch;
  private boolean held;
  private State state;
  private List<Cursor> cleaned;
  private Optional<Bucket> budget = Optional.empty();
  private long renewedMs;

  Lease(String gatewayId, Duration lease) {
    this.gatewayId = gatewayId;
    this.table = new CollectorTable(gatewayId, lease);
    this.leaseMs = lease.toMillis();
  }

  /** A boot id of now, as publishers have them: later ones are larger. */
  static long bootId(long wallClockMs) {
    return wallClockMs << RANDOM_BITS | ThreadLocalRandom.current().nextInt(1 << RANDOM_BITS);
  }

  /**
   * Acquires the lease, or keeps it over a new connection.
   *
   * @return false if another process has it
   * @throws CollectRefusedException if the row is not of this gateway, or not of this database
   */
  boolean acquire(Connection connection) throws SQLException {
    held = false;
    ServerIdentity here = ServerIdentity.of(connection);
    Optional<Look> found = table.look(connection);
    if (found.isEmpty()) {
      table.begin(connection, here, State.begin(bootId(System.currentTimeMillis())));
      connection.commit();
      found = table.look(connection);
    }
    connection.commit();
    return found.isPresent() && acquire(connection, checked(found.get(), here));
  }

  private Look checked(Look look, ServerIdentity here) {
    if (!look.name().equals(gatewayId)) {
      throw new CollectRefusedException(
          "weir_collector belongs to gateway %1$s, but weir.gateway.id is %2$s: an outbox has one gateway id; set weir.gateway.id to %1$s, or give this one a schema of its own"
              .formatted(look.name(), gatewayId));
    }
    if (!look.identity().equals(here)) {
      throw new CollectRefusedException(
          "the database was restored, copied or promoted: weir_collector is of %s, and this server is %s; see that the old one is stopped, then run weir collect --rebase"
              .formatted(look.identity(), here));
    }
    return look;
  }

  private boolean acquire(Connection connection, Look look) throws SQLException {
    long askedMs = MonotonicClock.millis();
    if (epoch == 0 || look.epoch() != epoch) {
      if (!look.isFree()) {
        return false;
      }
      boolean taken = table.take(connection, look.epoch());
      connection.commit();
      if (!taken) {
        return false;
      }
      epoch = look.epoch() + 1;
    }
    Optional<Kept> loaded = table.load(connection, epoch);
    connection.commit();
    held = loaded.isPresent();
    state = loaded.map(Kept::state).orElse(null);
    cleaned = loaded.map(Kept::cleaned).orElse(null);
    budget = loaded.flatMap(Kept::budget);
    renewedMs = askedMs;
    return held;
  }

  boolean isHeld() {
    return held;
  }

  /** What was committed last. */
  State state() {
    return state;
  }

  /** Up to where acknowledged rows were deleted, when the lease was acquired. */
  List<Cursor> cleaned() {
    return cleaned;
  }

  /** The budget of whoever sent last, when the lease was acquired; empty if none was kept. */
  Optional<Bucket> budget() {
    return budget;
  }

  /** Writes how far acknowledged rows were deleted, and commits it. */
  void cleaned(Connection connection, List<Cursor> upTo) throws SQLException, FencedException {
    table.cleaned(connection, epoch, upTo);
    connection.commit();
  }

  /**
   * Writes another state, as the last statement of a transaction, and commits it.
   *
   * @param bucket what is left of the budget; empty where there is none
   */
  void commit(Connection connection, State next, Optional<Bucket> bucket)
      throws SQLException, FencedException {
    long askedMs = MonotonicClock.millis();
    table.move(connection, epoch, next, bucket);
    connection.commit();
    renewedMs = askedMs;
    state = next;
  }

  /** Renews the lease, if it is time. */
  void renewIfDue(Connection connection) throws SQLException, FencedException {
    if (renewInMs() == 0) {
      long askedMs = MonotonicClock.millis();
      table.renew(connection, epoch);
      connection.commit();
      renewedMs = askedMs;
    }
  }

  /** How long until the lease is to be renewed. */
  long renewInMs() {
    return Math.max(0, renewedMs + leaseMs / PARTS - MonotonicClock.millis());
  }

  /** How often one that stands by tries to acquire it. */
  long retryEveryMs() {
    return Math.max(1, leaseMs / (2 * PARTS));
  }

  /** Gives it up: others need not wait for its end. */
  void release(Connection connection) throws SQLException, FencedException {
    held = false;
    table.release(connection, epoch);
    connection.commit();
  }

  /** Another process may have it by now: it is to be acquired again. */
  void invalidate() {
    held = false;
  }
}
