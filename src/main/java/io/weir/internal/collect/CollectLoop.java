package io.weir.internal.collect;

import io.weir.internal.app.CollectSettings;
import io.weir.internal.collect.Outbox.Counted;
import io.weir.internal.postgres.Database;
import io.weir.internal.postgres.RejectRetention;
import io.weir.internal.postgres.SqlFailures;
import io.weir.internal.registry.RegistryException;
import io.weir.internal.time.LogLimit;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.wire.BatchEncoder;
import io.weir.internal.wire.UndecodableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a collector: acquires the lease, sends the batches in flight, then reads, commits and
 * sends. One thread runs it; any thread may call {@link #stop} and {@link #abort}.
 */
final class CollectLoop {
  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
  private static final long MIN_BACKOFF_MS = 250;
  private static final long MAX_BACKOFF_MS = 10_000;
  private static final long LOOK_FOR_STOP_MS = 200;
  private static final int LAST_CLEANINGS = 10;
  private static final long CLEAN_EVERY_MS = 1_000;
  private static final long PASS_EVERY_MS = 1_000;

  private final CollectPlan plan;
  private final CollectSettings settings;
  private final Database database;
  private final Sender sender;
  private final Lease lease;
  private final Outbox outbox;
  private final RowReader reader;
  private final Cleaner cleaner;
  private final RejectRetention rejectRetention;
  private final LogLimit rejectLog =
      new LogLimit(LOG, "weir_collect_rejects_total", MonotonicClock::millis);
  private final RowJudge judge;
  private final Pace pace;
  private final Watch watch;
  private final CollectStatus status;
  private final CollectCounters counters;
  private final BatchEncoder encoder = new BatchEncoder();
  private final Shares shares = new Shares();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile Connection connection;
  private boolean everConnected;
  private long rowsInFlight;
  private boolean unacknowledged;
  private int rowsToClean;
  private long cleanedMs;
  private long nextPassMs = MonotonicClock.millis();

  /** Rows that are known to wait; null if unknown. */
  private WaitingRows waiting;

  private long backoffMs = MIN_BACKOFF_MS;

  CollectLoop(
      CollectPlan plan,
      Database database,
      Sender sender,
      CollectStatus status,
      CollectCounters counters) {
    this.plan = plan;
    this.settings = plan.settings();
    this.database = database;
    this.sender = sender;
    this.lease = new Lease(plan.gatewayId(), plan.lease());
    this.outbox = new Outbox(plan.limits().maxIdBytes());
    this.reader = new RowReader(outbox);
    this.cleaner = new Cleaner(outbox, lease);
    this.rejectRetention =
        new RejectRetention("weir_outbox_rejects", "rejected_at", settings.rejectsRetention());
    this.judge =
        new RowJudge(plan.limits().maxIdBytes(), plan.limits().maxRecordBytes(), plan.events());
    this.pace = new Pace(settings, plan.limits().maxBatchReadings());
    this.watch = new Watch(outbox, status);
    this.status = status;
    this.counters = counters;
  }

  /**
   * Runs until it is stopped.
   *
   * @throws CollectRefusedException if it cannot continue
   */
  void run() throws InterruptedException {
    while (!isStopping()) {
      turn();
    }
    shutDown();
  }

  private void turn() throws InterruptedException {
    try {
      work();
      backoffMs = MIN_BACKOFF_MS;
      status.waits().working();
    } catch (FencedException e) {
      LOG.info("{}", e.getMessage());
      counters.lostLease();
      standBy();
      status.standsBy();
    } catch (SQLException e) {
      if (isStopping() || isolates(e)) {
        return;
      }
      disconnect();
      if (SqlFailures.of(e) == SqlFailures.FATAL) {
        throw new CollectRefusedException(database.advice(e));
      }
      failed(database.waitsFor(e));
    } catch (AuthorizationException | AuthenticationException e) {
      throw e;
    } catch (RecordTooLargeException e) {
      throw new CollectRefusedException(
          "Kafka refuses a batch as too large: "
              + e.getMessage()
              + "; set max.message.bytes of the topic to 1 MiB or more, as weir topics does");
    } catch (RegistryException e) {
      failed("the schema registry: " + e.getMessage());
    } catch (KafkaException e) {
      sender.drop();
      failed("Kafka: " + e.getMessage());
    }
  }

  /** Whether the read of a row failed, which the reader isolates. */
  private boolean isolates(SQLException failure) {
    try {
      if (!lease.isHeld() || !reader.learns(connection, failure)) {
        return false;
      }
      LOG.warn(
          "reading weir_outbox failed, isolating unreadable rows: {}", SqlFailures.line(failure));
      return true;
    } catch (SQLException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  private void work() throws SQLException, FencedException, InterruptedException {
    if (connection == null) {
      connect();
    }
    if (!lease.isHeld() && !acquire()) {
      status.standsBy();
      status.progressed();
      listen(lease.retryEveryMs());
      return;
    }
    dropNotifications(); // The rows are read below.
    if (unacknowledged) {
      watch.count(connection, lease.state().cursors()); // Kafka may be away for long.
      deliver();
    }
    if (unacknowledged) {
      return; // It is stopping; the next owner sends the batches in flight.
    }
    lease.renewIfDue(connection);
    look();
    if (!unacknowledged) {
      status.progressed();
    }
  }

  private void connect() throws SQLException {
    connection = Session.open(database);
    status.connected(true);
    if (everConnected) {
      counters.reconnected();
    }
    everConnected = true;
  }

  private boolean acquire() throws SQLException {
    if (!lease.acquire(connection)) {
      return false;
    }
    List<SentBatch> inFlight = lease.state().inFlight();
    counters.resent(inFlight.size());
    unacknowledged = !inFlight.isEmpty();
    rowsInFlight = rows(inFlight);
    waiting = null;
    cleaner.begin(lease.cleaned(), MonotonicClock.millis());
    pace.begin(MonotonicClock.millis(), lease.budget(), System.nanoTime());
    status.active(true);
    LOG.info(
        "collecting as gateway {}, boot {}, with {} batches to send again",
        plan.gatewayId(),
        lease.state().bootId(),
        inFlight.size());
    return true;
  }

  /** Reads waiting rows, and sends them if a batch is due. */
  private void look() throws SQLException, FencedException, InterruptedException {
    int limit = pace.limit(MonotonicClock.millis(), System.nanoTime());
    Optional<Selection> found = limit > 0 && isWorthReading(limit) ? read(limit) : Optional.empty();
    watch.count(connection, lease.state().cursors());
    status.limit(pace.rows());
    if (found.isPresent()) {
      commitAndSend(found.get());
    } else {
      // The next batch drops the batches in flight, without an extra commit.
      boolean soon = pace.isSoonDue(MonotonicClock.millis(), System.nanoTime());
      boolean passes = MonotonicClock.millis() >= nextPassMs && passOverExpired();
      if (!soon) {
        dropInFlight();
        clean();
      }
      rest(passes || isCleaningDue() && !soon);
    }
  }

  /** Counts new rows after a read of too few rows, without reading those again. */
  private boolean isWorthReading(int limit) throws SQLException {
    if (waiting == null) {
      return true;
    }
    waiting = waiting.count(connection, outbox, limit);
    boolean full = waiting.isFull(limit);
    boolean heldBack = !full && watch.isHeldBack(connection);
    connection.commit();
    return pace.counted(waiting.rows(), full, heldBack, MonotonicClock.millis());
  }

  /** The next batch; empty if it is not due. */
  private Optional<Selection> read(int limit) throws SQLException, FencedException {
    if (reader.isIsolating()) {
      passOverExpired(); // Then the row that fails is the first.
    }
    Selection selection =
        Selection.read(connection, reader, lease.state().cursors(), limit, shares);
    boolean heldBack = !selection.more() && watch.isHeldBack(connection);
    connection.commit();
    pace.saw(selection, heldBack, MonotonicClock.millis());
    if (pace.isDue()) {
      return Optional.of(selection);
    }
    waiting = selection.more() ? null : WaitingRows.of(selection);
    if (!selection.expired().isEmpty()) {
      nextPassMs = MonotonicClock.millis();
    }
    return Optional.empty();
  }

  /**
   * Moves the cursors over expired rows at the front, because other rows may wait for long.
   *
   * @return whether there may be more
   */
  private boolean passOverExpired() throws SQLException, FencedException {
    State now = lease.state();
    List<Cursor> cursors = new ArrayList<>();
    int rows = 0;
    boolean more = false;
    for (int priority = 0; priority < State.PRIORITIES; priority++) {
      Counted expired = outbox.expired(connection, priority, now.cursors().get(priority));
      cursors.add(expired.last());
      rows += expired.rows();
      more |= expired.rows() == Outbox.MOST_EXPIRED;
    }
    if (rows == 0) {
      connection.commit();
    } else {
      lease.commit(
          connection,
          new State(now.bootId(), cursors, now.sequences(), List.of()),
          pace.budgetAfter(0, System.nanoTime()));
      counters.expired(rows);
      rowsToClean += rows;
    }
    nextPassMs = MonotonicClock.millis() + (more ? 0 : PASS_EVERY_MS);
    return more;
  }

  private void commitAndSend(Selection selection)
      throws SQLException, FencedException, InterruptedException {
    State before = lease.state();
    Packing packing =
        new Packing(
            plan.gatewayId(), before.bootId(), before.sequences(), judge, plan.limits(), encoder);
    selection.rows().forEach(packing::add);
    List<SentBatch> batches = packing.batches();
    outbox.reject(connection, packing.rejects());
    int rows = selection.rows().size();
    lease.commit(
        connection,
        new State(before.bootId(), selection.cursors(), packing.sequences(), batches),
        pace.budgetAfter(rows, System.nanoTime()));
    counters.expired(selection.expired().size());
    waiting = selection.more() ? null : new WaitingRows(0, 0, selection.cursors());
    rowsToClean += rows + selection.expired().size();
    counters.packed(packing);
    rowsInFlight = rows - packing.rejects().size();
    status.taken(rows);
    packing.rejects().forEach(this::log);
    pace.sent(selection, MonotonicClock.millis());
    unacknowledged = true;
    deliver();
    boolean worthCleaning =
        rowsToClean >= Cleaner.MOST_ROWS || MonotonicClock.millis() - cleanedMs >= CLEAN_EVERY_MS;
    if (!unacknowledged && worthCleaning) {
      clean();
    }
  }

  private void log(Rejected reject) {
    rejectLog.warn(
        "rejected row {} of weir_outbox: {}: {}",
        reject.row().id(),
        reject.reason(),
        reject.message());
  }

  private static long rows(List<SentBatch> batches) {
    long rows = 0;
    for (SentBatch batch : batches) {
      try {
        rows += Contents.of(batch.channel(), batch.value()).size();
      } catch (UndecodableException e) {
        rows++; // Nothing but a count depends on it.
      }
    }
    return rows;
  }

  /** Sends what is in flight, and returns when all of it is acknowledged, or it is to stop. */
  private void deliver() throws SQLException, FencedException, InterruptedException {
    long startNanos = System.nanoTime();
    status.inFlight(rowsInFlight);
    sender.send(lease.state().inFlight());
    while (!sender.await(Math.max(1, Math.min(LOOK_FOR_STOP_MS, lease.renewInMs())))) {
      lease.renewIfDue(connection);
      dropNotifications();
      watch.count(connection, lease.state().cursors());
      if (isStopping()) {
        return;
      }
    }
    long nanos = System.nanoTime() - startNanos;
    unacknowledged = false;
    status.inFlight(0);
    counters.acknowledged(nanos);
    pace.acknowledged(TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  /** Drops acknowledged batches when idle, so that they are not sent again after a crash. */
  private void dropInFlight() throws SQLException, FencedException {
    if (!lease.state().inFlight().isEmpty()) {
      lease.commit(
          connection, lease.state().acknowledged(), pace.budgetAfter(0, System.nanoTime()));
    }
  }

  private boolean isCleaningDue() {
    return settings.delete() && cleaner.isDue(lease.state().cursors(), MonotonicClock.millis());
  }

  private void clean() throws SQLException, FencedException {
    cleanedMs = MonotonicClock.millis();
    rowsToClean = 0;
    for (int i = 0; i < State.PRIORITIES && isCleaningDue(); i++) {
      cleaner.clean(connection, lease.state().cursors(), cleanedMs);
    }
    counters.rejectsDeleted(rejectRetention.run(connection, cleanedMs));
  }

  /**
   * Waits until the next read is due, or a notification arrives.
   *
   * @param atOnce whether to continue without a wait
   */
  private void rest(boolean atOnce) throws SQLException, InterruptedException {
    long nowNanos = System.nanoTime();
    long nowMs = MonotonicClock.millis();
    long budgetMs = pace.budgetInMs(nowMs, nowNanos);
    listen(Math.min(lease.renewInMs(), atOnce ? 0 : pace.lookInMs(nowMs, nowNanos)));
    if (budgetMs > 0) {
      counters.waitedForBudget(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nowNanos));
    }
  }

  private void listen(long ms) throws SQLException {
    PGConnection listening = connection.unwrap(PGConnection.class);
    long endMs = MonotonicClock.millis() + Math.max(1, ms);
    for (long leftMs = ms; leftMs > 0 && !isStopping(); leftMs = endMs - MonotonicClock.millis()) {
      if (listening.getNotifications((int) Math.min(leftMs, LOOK_FOR_STOP_MS)).length > 0) {
        return;
      }
    }
  }

  /** The driver keeps them in memory until they are taken. */
  private void dropNotifications() throws SQLException {
    connection.unwrap(PGConnection.class).getNotifications();
  }

  private void failed(String what) throws InterruptedException {
    status.waits().waiting(what);
    stopping.await(backoffMs, TimeUnit.MILLISECONDS);
    backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
  }

  private void disconnect() {
    standBy();
    status.connected(false);
    Connection broken = connection;
    connection = null;
    Database.abort(broken);
  }

  private void standBy() {
    lease.invalidate();
    sender.drop();
    status.active(false);
    rollback();
  }

  private void rollback() {
    try {
      if (connection != null) {
        connection.rollback();
      }
    } catch (SQLException e) {
      LOG.debug("could not roll back: the connection is lost", e);
    }
  }

  /** Releases the lease without waiting for the batches in flight, which are in the row. */
  private void shutDown() {
    try {
      if (connection != null && lease.isHeld()) {
        if (!unacknowledged) {
          dropInFlight();
          for (int i = 0; i < LAST_CLEANINGS && isCleaningDue(); i++) {
            clean();
          }
        }
        lease.release(connection);
      }
    } catch (SQLException | FencedException e) {
      LOG.debug("could not release the lease", e);
    } finally {
      sender.close();
      Database.abort(connection);
    }
  }

  /** Rows read so far, including repeated reads. */
  long rowsRead() {
    return reader.rowsRead();
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  /** Stops after the current step. */
  void stop() {
    stopping.countDown();
  }

  /** Cancels the current request to the database, and all later ones. */
  void abort() {
    Database.abort(connection);
  }

  /**
   * Rows that wait until a batch is due: new ones are only counted, so that no row is read twice.
   *
   * @param last position after the counted rows, of each priority
   */
  record WaitingRows(int rows, long bytes, List<Cursor> last) {
    /** The rows of a selection that is not sent yet; it must be complete. */
    static WaitingRows of(Selection selection) {
      long bytes = selection.rows().stream().mapToLong(OutboxRow::bytes).sum();
      return new WaitingRows(selection.rows().size(), bytes, selection.cursors());
    }

    /** Adds rows that were inserted since, up to the limits of a batch. */
    WaitingRows count(Connection connection, Outbox outbox, int limit) throws SQLException {
      int rowsNow = rows;
      long bytesNow = bytes;
      List<Cursor> lastNow = new ArrayList<>(last);
      for (int priority = 0; priority < last.size() && rowsNow < limit; priority++) {
        Counted counted = outbox.count(connection, priority, last.get(priority), limit - rowsNow);
        rowsNow += counted.rows();
        bytesNow += counted.bytes();
        lastNow.set(priority, counted.last());
      }
      return new WaitingRows(rowsNow, bytesNow, lastNow);
    }

    boolean isFull(int limit) {
      return rows >= limit || bytes >= Selection.MAX_BYTES;
    }
  }
}
