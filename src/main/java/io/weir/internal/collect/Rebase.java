package io.weir.internal.collect;

import io.weir.internal.app.Acl;
import io.weir.internal.app.ConfigException;
import io.weir.internal.app.StartFailures;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.collect.CollectorTable.Kept;
import io.weir.internal.collect.RowJudge.EventRow;
import io.weir.internal.collect.RowJudge.Verdict;
import io.weir.internal.fetch.BoundedConsumer;
import io.weir.internal.postgres.Database;
import io.weir.internal.postgres.SqlFailures;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.wire.BatchEncoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.topic.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares a database that is older than the sent batches, after a restore, a promotion or a copy,
 * for the collector. Rows that were sent since are found on the topics and marked as sent in the
 * outbox; batches in flight that are not on the topics are kept; the boot id is new. Any thread,
 * once.
 */
public final class Rebase {
  /** It is renewed during the scan; the last transaction locks the row. */
  private static final Duration LEASE = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
  private static final Duration STATEMENT = Duration.ofHours(1);

  private final WeirConfig config;
  private final String gatewayId;
  private final CollectorTable table;
  private final RowJudge judge;

  /**
   * The result.
   *
   * @param inFlight number of batches in flight
   * @param unsent number of these that are not on the topics, and will be sent
   * @param later rows on the topics that were sent after the state of the database
   * @param taken number of these that are in the outbox again, and will not be sent
   */
  public record Report(int inFlight, int unsent, long later, long taken, long bootId) {}

  private Rebase(WeirConfig config) {
    this.config = config;
    this.gatewayId = Collector.gatewayId(config);
    this.table = new CollectorTable(gatewayId, LEASE);
    this.judge =
        new RowJudge(
            config.limits().maxIdBytes(),
            config.limits().maxRecordBytes(),
            config.topics().topics().contains(Topic.EVENTS));
  }

  /**
   * Runs it.
   *
   * @throws io.weir.internal.app.StartRefusedException if it fails; then only the lease has changed
   */
  public static Report run(WeirConfig config) {
    Database database =
        new Database(
            CollectSchema.address(config.collect()),
            new Database.Limits(STATEMENT, STATEMENT.plusMinutes(1), STATEMENT));
    return StartFailures.explain(
        config.kafka().forAdminWithShortWaits(),
        Acl.ofRebase(config.topics()),
        () -> {
          try (Connection connection = Session.open(database)) {
            return new Rebase(config).run(connection);
          } catch (FencedException e) {
            throw new CollectRefusedException(e.getMessage() + "; stop it and try again");
          } catch (SQLException e) {
            throw new CollectRefusedException(
                SqlFailures.of(e) == SqlFailures.FATAL
                    ? database.advice(e)
                    : database.name() + ": " + SqlFailures.line(e) + "; try again");
          }
        });
  }

  private Report run(Connection connection) throws SQLException, FencedException {
    CollectorTable.Look look =
        table
            .look(connection)
            .filter(found -> found.name().equals(gatewayId))
            .orElseThrow(
                () ->
                    new ConfigException(
                        "weir_collector has no row of gateway "
                            + gatewayId
                            + " (weir.gateway.id): there is nothing to rebase"));
    long epoch = look.epoch() + 1;
    table.seize(connection, look.epoch());
    State state = table.load(connection, epoch).map(Kept::state).orElseThrow(FencedException::new);
    connection.commit();
    try {
      return run(connection, epoch, look.identity(), state);
    } catch (SQLException | RuntimeException e) {
      release(connection, epoch);
      throw e;
    }
  }

  /** Collectors need not wait for the end of the lease. */
  private void release(Connection connection, long epoch) {
    try {
      connection.rollback();
      table.release(connection, epoch);
      connection.commit();
    } catch (SQLException | FencedException e) {
      LOG.debug("could not release the lease", e);
    }
  }

  private Report run(Connection connection, long epoch, ServerIdentity before, State state)
      throws SQLException, FencedException {
    Renewal renewal = new Renewal(connection, epoch);
    SentScan scan = scan(state, renewal);
    ServerIdentity here = ServerIdentity.of(connection);
    RebaseTable outbox =
        new RebaseTable(
            new Outbox(config.limits().maxIdBytes()),
            judge,
            RebaseTable.isDump(connection, before, here, state.cursors()));
    outbox.markSent(connection, state.cursors(), renewal);
    outbox.lock(connection, renewal);
    table.renew(connection, epoch);
    long bootId = Math.max(Lease.bootId(System.currentTimeMillis()), scan.highestBoot() + 1);
    Packing repacked = packing(bootId);
    List<SentBatch> unsent = unsent(state, scan, repacked);
    long taken = outbox.renumber(connection, state.cursors(), scan.later());
    List<SentBatch> inFlight = new ArrayList<>(unsent);
    inFlight.addAll(repacked.batches());
    List<Cursor> cursors = Collections.nCopies(State.PRIORITIES, RebaseTable.MARKED);
    State next = new State(bootId, cursors, repacked.sequences(), inFlight);
    table.rebase(connection, epoch, here, next);
    connection.commit();
    return new Report(state.inFlight().size(), inFlight.size(), scan.laterRows(), taken, bootId);
  }

  private Packing packing(long bootId) {
    return new Packing(
        gatewayId, bootId, Sequences.NONE, judge, config.limits(), new BatchEncoder());
  }

  /** Renews the lease while the topics are read. */
  private final class Renewal implements SentScan.Progress {
    private final Connection connection;
    private final long epoch;
    private long nextMs = MonotonicClock.millis();

    Renewal(Connection connection, long epoch) {
      this.connection = connection;
      this.epoch = epoch;
    }

    @Override
    public void step() throws SQLException, FencedException {
      if (MonotonicClock.millis() >= nextMs) {
        table.renew(connection, epoch);
        connection.commit();
        nextMs = MonotonicClock.millis() + LEASE.toMillis() / 3;
      }
    }
  }

  private SentScan scan(State state, SentScan.Progress progress)
      throws SQLException, FencedException {
    Map<String, Object> settings = config.kafka().forConsumer();
    settings.put("enable.auto.commit", false);
    settings.put("allow.auto.create.topics", false);
    settings.put("auto.offset.reset", "earliest");
    SentScan scan = new SentScan(config, gatewayId, state);
    try (KafkaConsumer<byte[], byte[]> consumer =
        BoundedConsumer.open(settings, config.maxDecompressedRecordBytes())) {
      for (Channel channel : Channel.values()) {
        if (config.topics().topics().contains(channel.topic())) {
          scan.read(consumer, channel, progress);
        }
      }
      return scan;
    } catch (UndecodableException e) {
      throw new CollectRefusedException(
          "a batch of this gateway cannot be read: " + e.getMessage());
    }
  }

  /**
   * Batches in flight that are not on the topics. If a later boot has sent batches since, Weir
   * would refuse them: their items that it did not send are packed again.
   */
  private static List<SentBatch> unsent(State state, SentScan scan, Packing repacked) {
    Stream<SentBatch> missing = state.inFlight().stream().filter(batch -> !scan.isSent(batch));
    if (scan.highestBoot() == state.bootId()) {
      return missing.toList();
    }
    missing
        .flatMap(batch -> items(batch).stream())
        .filter(item -> !scan.later().remove(item))
        .forEach(repacked::add);
    return List.of();
  }

  private static List<Verdict> items(SentBatch batch) {
    try {
      return Contents.of(batch.channel(), batch.value());
    } catch (UndecodableException e) {
      throw new CollectRefusedException("weir_collector.in_flight is damaged: " + e.getMessage());
    }
  }

  static boolean isSendable(Verdict verdict) {
    return verdict instanceof EventRow || verdict instanceof RowJudge.ReadingRow;
  }
}
