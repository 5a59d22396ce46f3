package io.weir.internal.collect;

import io.weir.internal.collect.Budget.Bucket;
import io.weir.internal.collect.CollectorTable.Kept;
import io.weir.internal.collect.CollectorTable.Look;
import io.weir.internal.time.MonotonicClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The lease of the active process, with the state that it continues from. The epoch decides whether
 * it may write. One thread.
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

  /** A new boot id in the format of publishers: later ones are larger. */
  static long bootId(long wallClockMs) {
    return wallClockMs << RANDOM_BITS | ThreadLocalRandom.current().nextInt(1 << RANDOM_BITS);
  }

  /**
   * Acquires the lease, or keeps it on a new connection.
   *
   * @return false if another process has it
   * @throws CollectRefusedException if the row belongs to another gateway or another database
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
          "weir_collector belongs to gateway %1$s, but weir.gateway.id is %2$s: an outbox has one gateway id; set weir.gateway.id to %1$s, or use a separate schema for this gateway"
              .formatted(look.name(), gatewayId));
    }
    if (!look.identity().equals(here)) {
      throw new CollectRefusedException(
          "the database was restored, copied or promoted: weir_collector is of %s, and this server is %s; make sure that the old collector is stopped, then run weir collect --rebase"
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
      boolean acquired = table.acquire(connection, look.epoch());
      connection.commit();
      if (!acquired) {
        return false;
      }
      epoch = look.epoch() + 1;
    }
    Optional<Kept> loaded = table.load(connection, epoch);
    connection.commit();
    if (loaded.isEmpty()) {
      return false;
    }
    Kept kept = loaded.get();
    if (state != null && kept.state().isBefore(state)) {
      table.requireRebase(connection, epoch);
      connection.commit();
      throw new CollectRefusedException(
          "weir_collector is older than what this process committed: the database went back, as with a snapshot of its disk, and rows that are sent now would be dropped as duplicates; run weir collect --rebase");
    }
    held = true;
    state = kept.state();
    cleaned = kept.cleaned();
    budget = kept.budget();
    renewedMs = askedMs;
    return true;
  }

  boolean isHeld() {
    return held;
  }

  /** The last committed state. */
  State state() {
    return state;
  }

  /** The positions up to which acknowledged rows were deleted, at the acquisition of the lease. */
  List<Cursor> cleaned() {
    return cleaned;
  }

  /**
   * The budget of the previous owner, at the acquisition of the lease; empty if none was stored.
   */
  Optional<Bucket> budget() {
    return budget;
  }

  /** Writes the positions up to which acknowledged rows were deleted, and commits. */
  void cleaned(Connection connection, List<Cursor> upTo) throws SQLException, FencedException {
    table.cleaned(connection, epoch, upTo);
    connection.commit();
  }

  /**
   * Writes a new state as the last statement of a transaction, and commits.
   *
   * @param bucket the remaining budget; empty without a rate limit
   */
  void commit(Connection connection, State next, Optional<Bucket> bucket)
      throws SQLException, FencedException {
    long askedMs = MonotonicClock.millis();
    table.move(connection, epoch, next, bucket);
    connection.commit();
    renewedMs = askedMs;
    state = next;
  }

  /** Renews the lease if due. */
  void renewIfDue(Connection connection) throws SQLException, FencedException {
    if (renewInMs() == 0) {
      long askedMs = MonotonicClock.millis();
      table.renew(connection, epoch);
      connection.commit();
      renewedMs = askedMs;
    }
  }

  /** Milliseconds until the lease must be renewed. */
  long renewInMs() {
    return Math.max(0, renewedMs + leaseMs / PARTS - MonotonicClock.millis());
  }

  /** Interval at which a standby tries to acquire it, in milliseconds. */
  long retryEveryMs() {
    return Math.max(1, leaseMs / (2 * PARTS));
  }

  /** Releases it, so that others need not wait for its end. */
  void release(Connection connection) throws SQLException, FencedException {
    held = false;
    table.release(connection, epoch);
    connection.commit();
  }

  /** Another process may have it: it must be acquired again. */
  void invalidate() {
    held = false;
  }
}
