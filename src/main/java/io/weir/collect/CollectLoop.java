package io.weir.collect;

import io.weir.app.CollectSettings;
import io.weir.postgres.Database;
import io.weir.postgres.SqlFailures;
import io.weir.registry.RegistryException;
import io.weir.time.MonotonicClock;
import io.weir.wire.BatchEncoder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
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
 * Takes the seat, sends what is in flight, reads, commits and sends, again and again. One thread
 * runs it; {@link #stop} and {@link #abort} may be called by any.
 */
final class CollectLoop {
  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
  private static final long MIN_BACKOFF_MS = 250;
  private static final long MAX_BACKOFF_MS = 10_000;
  private static final long LOOK_FOR_STOP_MS = 200;

  /** Rows that were numbered anew are of transaction 0: before all cursors. */
  private static final List<Cursor> BEGINNING =
      Collections.nCopies(State.PRIORITIES, new Cursor(0, Long.MIN_VALUE));

  private final CollectPlan plan;
  private final CollectSettings settings;
  private final Database database;
  private final Sender sender;
  private final Seat seat;
  private final Outbox outbox;
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
  private boolean unacknowledged;
  private boolean tidy;
  private List<Cursor> deletedUpTo = BEGINNING;
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
    this.seat = new Seat(plan.gatewayId(), plan.lease());
    this.outbox = new Outbox(plan.limits().maxIdBytes());
    this.judge =
        new RowJudge(plan.limits().maxIdBytes(), plan.limits().maxRecordBytes(), plan.events());
    this.pace = new Pace(settings, plan.limits().maxBatchReadings());
    this.watch = new Watch(outbox, status);
    this.status = status;
    this.counters = counters;
  }

  /**
   * Goes on until it is stopped.
   *
   * @throws CollectRefusedException if it cannot go on
   */
  void run() throws InterruptedException {
    while (!isStopping()) {
      turn();
    }
    leave();
  }

  private void turn() throws InterruptedException {
    try {
      work();
      backoffMs = MIN_BACKOFF_MS;
      status.working();
    } catch (FencedException e) {
      LOG.info("{}", e.getMessage());
      counters.lostSeat();
      lose();
    } catch (SQLException e) {
      if (isStopping()) {
        return;
      }
      disconnect();
      if (SqlFailures.of(e) == SqlFailures.FATAL) {
        throw new CollectRefusedException(database.advice(e));
      }
      failed("PostgreSQL at " + database.name() + ": " + SqlFailures.line(e));
    } catch (AuthorizationException | AuthenticationException e) {
      throw e;
    } catch (RecordTooLargeException e) {
      throw new CollectRefusedException(
          "Kafka refuses a batch as too large: "
              + e.getMessage()
              + "; max.message.bytes of the topic is to be 1 MiB or more, as weir topics has it");
    } catch (RegistryException e) {
      failed("the schema registry: " + e.getMessage());
    } catch (KafkaException e) {
      sender.drop();
      failed("Kafka: " + e.getMessage());
    }
  }

  private void work() throws SQLException, FencedException, InterruptedException {
    if (connection == null) {
      connect();
    }
    if (!seat.isHeld() && !sit()) {
      listen(seat.lookEveryMs());
      return;
    }
    if (unacknowledged) {
      deliver();
    }
    seat.renewIfDue(connection);
    look();
  }

  private void connect() throws SQLException {
    connection = Session.open(database);
    status.connected(true);
    if (everConnected) {
      counters.reconnected();
    }
    everConnected = true;
  }

  private boolean sit() throws SQLException {
    if (!seat.take(connection)) {
      return false;
    }
    List<SentBatch> inFlight = seat.state().inFlight();
    counters.resent(inFlight.size());
    unacknowledged = !inFlight.isEmpty();
    tidy = !unacknowledged;
    deletedUpTo = BEGINNING;
    pace.begin(MonotonicClock.millis());
    status.active(true);
    LOG.info(
        "collecting as gateway {}, boot {}, with {} batches to send again",
        plan.gatewayId(),
        seat.state().bootId(),
        inFlight.size());
    return true;
  }

  /** Reads what waits, and sends it if it is time. */
  private void look() throws SQLException, FencedException, InterruptedException {
    int limit = pace.limit(System.nanoTime());
    Optional<Selection> found = Optional.empty();
    if (limit > 0) {
      Selection selection =
          Selection.read(connection, outbox, seat.state().cursors(), limit, shares);
      boolean heldBack = !selection.more() && watch.isHeldBack(connection);
      connection.commit();
      pace.saw(selection, heldBack, MonotonicClock.millis());
      found = Optional.of(selection).filter(any -> pace.isDue());
    }
    watch.count(connection, seat.state().cursors());
    status.limit(pace.rows());
    if (found.isPresent()) {
      depart(found.get());
    } else {
      tidyUp();
      rest();
    }
  }

  private void depart(Selection selection)
      throws SQLException, FencedException, InterruptedException {
    State before = seat.state();
    Packing packing =
        new Packing(
            plan.gatewayId(), before.bootId(), before.sequences(), judge, plan.limits(), encoder);
    selection.rows().forEach(packing::add);
    List<SentBatch> batches = packing.batches();
    outbox.reject(connection, packing.rejects());
    delete(before);
    seat.move(
        connection, new State(before.bootId(), selection.cursors(), packing.sequences(), batches));
    counters.taken(packing);
    packing.rejects().forEach(CollectLoop::log);
    pace.left(selection, MonotonicClock.millis());
    unacknowledged = true;
    deliver();
  }

  private static void log(Rejected reject) {
    LOG.warn(
        "rejected row {} of weir_outbox: {}: {}",
        reject.row().id(),
        reject.reason(),
        reject.message());
  }

  /** Sends what is in flight, and returns when all of it is acknowledged. */
  private void deliver() throws SQLException, FencedException, InterruptedException {
    long startNanos = System.nanoTime();
    sender.send(seat.state().inFlight());
    while (!sender.await(Math.max(1, Math.min(LOOK_FOR_STOP_MS, seat.renewInMs())))) {
      seat.renewIfDue(connection);
      if (isStopping()) {
        return;
      }
    }
    long nanos = System.nanoTime() - startNanos;
    unacknowledged = false;
    tidy = true;
    counters.acknowledged(nanos);
    pace.acknowledged(TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  /** Once nothing else is to be done: what was acknowledged need not be sent after a crash. */
  private void tidyUp() throws SQLException, FencedException {
    if (tidy) {
      boolean more = delete(seat.state());
      seat.move(connection, seat.state().acknowledged());
      tidy = more;
    }
  }

  private boolean delete(State acknowledged) throws SQLException {
    if (!settings.delete()) {
      return false;
    }
    boolean more = outbox.delete(connection, deletedUpTo, acknowledged.cursors());
    if (!more) {
      deletedUpTo = acknowledged.cursors();
    }
    return more;
  }

  /** Until it is time to look again, or rows are there. */
  private void rest() throws SQLException, InterruptedException {
    long nowNanos = System.nanoTime();
    long budgetMs = pace.budgetInMs(nowNanos);
    listen(Math.min(seat.renewInMs(), tidy ? 0 : pace.lookInMs(MonotonicClock.millis(), nowNanos)));
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

  private void failed(String what) throws InterruptedException {
    status.waiting(what);
    stopping.await(backoffMs, TimeUnit.MILLISECONDS);
    backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
  }

  private void disconnect() {
    lose();
    status.connected(false);
    Connection broken = connection;
    connection = null;
    abort(broken);
  }

  private void lose() {
    seat.lose();
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
      LOG.debug("a connection that is lost", e);
    }
  }

  /** Leaves the seat to others, without waiting for what is in flight: it stands in the row. */
  private void leave() {
    try {
      if (connection != null && seat.isHeld()) {
        if (!unacknowledged) {
          tidyUp();
        }
        seat.release(connection);
      }
    } catch (SQLException | FencedException e) {
      LOG.debug("left without a word", e);
    } finally {
      sender.close();
      abort(connection);
    }
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  /** Lets it end after what it does. */
  void stop() {
    stopping.countDown();
  }

  /** Ends whatever the database is asked at this moment, and everything from then on. */
  void abort() {
    abort(connection);
  }

  private static void abort(Connection connection) {
    try {
      if (connection != null) {
        connection.abort(Runnable::run);
      }
    } catch (SQLException e) {
      LOG.debug("a connection that was given up", e);
    }
  }
}
