package io.weir.internal.sink;

import io.weir.internal.app.SinkSettings;
import io.weir.internal.fetch.BrokerAnswers;
import io.weir.internal.postgres.Database;
import io.weir.internal.postgres.RejectRetention;
import io.weir.internal.postgres.SqlFailures;
import io.weir.internal.sink.RejectedException.Reason;
import io.weir.internal.time.LogLimit;
import io.weir.internal.time.MonotonicClock;
import io.weir.topic.KafkaFutures;
import io.weir.topic.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of reading, batching and writing: the next batch is read while one is written. After a
 * failed write, records that were read later are dropped and read again from the offset in the
 * database. While the database is unreachable nothing is read, but the consumer stays in its group.
 * One thread runs it; any thread may call {@link #abort}.
 */
final class SinkLoop {
  private static final Logger LOG = LoggerFactory.getLogger(Sink.class);

  private static final long MAX_POLL_MS = 100;

  /** Poll timeout during a write, after which a due batch waits. */
  private static final long WRITING_POLL_MS = 10;

  private static final String STATEMENT_ENDED = "57014";

  private static final long MIN_BACKOFF_MS = 250;
  private static final long MAX_BACKOFF_MS = 10_000;

  /** Interval at which idle partitions advance over aborted transactions. */
  private static final long IDLE_MOVE_MS = 30_000;

  private final Consumer<byte[], byte[]> consumer;
  private final SinkTopics topics;
  private final Takeover takeover;
  private final Upkeep upkeep;
  private final WaitingRecords waiting;
  private final RejectRetention rejectRetention;
  private final LogLimit rejectLog =
      new LogLimit(LOG, "weir_sink_rejects_total", MonotonicClock::millis);
  private final Database database;
  private final BatchLimit limit;
  private final long flushIntervalMs;
  private final SinkStatus status;
  private final SinkCounters counters;
  private final Batch batch = new Batch();
  private final Unread unread = new Unread();
  private final WriterThread writing = new WriterThread();
  private final Assignment assignment;
  private final Map<TopicPartition, OffsetAndMetadata> written = new HashMap<>();

  /** The positions after the last poll, of partitions that were read since they were acquired. */
  private final Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();

  private volatile Connection connection;

  /** Set by the writing thread before its result. */
  private long transactionNanos;

  private BatchWriter writer;
  private boolean everConnected;

  /** The consumer is not polled while polled records are in no batch yet. */
  private boolean holdsBack;

  /** The last write failed. */
  private boolean writeFailed;

  private final BrokerAnswers answers;
  private long progressMs = MonotonicClock.millis();
  private long successMs = progressMs;
  private long firstReadMs;
  private long lag;
  private long idleMoveMs = MonotonicClock.millis();
  private long backoffMs = MIN_BACKOFF_MS;
  private long nextTryMs = MonotonicClock.millis();

  SinkLoop(
      Consumer<byte[], byte[]> consumer,
      SinkTopics topics,
      Database database,
      SinkSettings settings,
      boolean skipLost,
      SinkStatus status,
      SinkCounters counters) {
    this.consumer = consumer;
    this.answers = new BrokerAnswers(consumer, MonotonicClock::millis);
    this.topics = topics;
    this.database = database;
    this.limit = new BatchLimit(settings.batchRows());
    this.flushIntervalMs = settings.flushInterval().toMillis();
    this.takeover = new Takeover(consumer, topics::ids, skipLost, counters);
    this.upkeep = new Upkeep(topics.mappings(), settings.retention(), new Validation(database));
    this.waiting = new WaitingRecords(topics.byName(), upkeep);
    this.rejectRetention =
        new RejectRetention("weir_sink_rejects", "rejected_at", settings.rejectsRetention());
    this.status = status;
    this.counters = counters;
    this.assignment = new Assignment(consumer, batch, unread, writing);
  }

  /** Joins the group. */
  void begin() {
    consumer.subscribe(topics.names(), assignment);
  }

  /**
   * Polls once, and starts to write a due batch.
   *
   * @throws SinkRefusedException if it cannot continue
   */
  void turn() {
    if (writing.isWriting() && isFull()) {
      writing.await(MAX_POLL_MS);
    } else {
      read();
    }
    long nowMs = MonotonicClock.millis();
    if (writing.isWriting()) {
      reportLag();
      return;
    }
    if (nowMs - nextTryMs < 0) {
      return;
    }
    try {
      work(nowMs);
      if (writing.batch() == null) {
        resumed();
      }
    } catch (FencedPartitionsException e) {
      LOG.info("{}", e.getMessage());
      counters.fenced(e.partitions().size());
      failed("the acquisition of partitions", nowMs);
    } catch (SQLException e) {
      disconnect();
      if (SqlFailures.of(e) != SqlFailures.TRANSIENT) {
        throw new SinkRefusedException(database.advice(e));
      }
      failed(database.waitsFor(e), nowMs);
    } catch (RetriableException e) {
      failed("Kafka: " + e.getMessage(), nowMs);
    }
    reportLag();
  }

  private void read() {
    if (!unread.isEmpty()) {
      holdsBack = true;
      assignment.pause();
    }
    try {
      ConsumerRecords<byte[], byte[]> polled =
          consumer.poll(Duration.ofMillis(holdsBack ? 0 : pollMs()));
      unread.add(polled);
      positions.putAll(polled.nextOffsets());
    } catch (OffsetOutOfRangeException e) {
      // Of partitions that the same poll gave away, another process finds the same.
      Map<TopicPartition, PartitionOwnership> ours = new HashMap<>(assignment.owned());
      ours.keySet().retainAll(e.partitions());
      if (e instanceof LogTruncationException truncated) {
        takeover.lostEnds(ours.values(), truncated.divergentOffsets());
      }
      assignment.reopen(ours.keySet());
    }
    while (!isFull() && !unread.isEmpty()) {
      add(unread.next());
    }
    if (holdsBack && unread.isEmpty()) {
      holdsBack = false;
      if (status.waits().waitsFor().isEmpty()) {
        assignment.resume();
      }
    }
  }

  private void add(ConsumerRecord<byte[], byte[]> record) {
    PartitionOwnership ownership =
        assignment.owned().get(new TopicPartition(record.topic(), record.partition()));
    if (ownership != null) {
      if (batch.isEmpty()) {
        firstReadMs = MonotonicClock.millis();
      }
      batch.add(topics.mapping(record.topic()), ownership.generation(), record);
    }
  }

  private long pollMs() {
    if (batch.isEmpty()) {
      return MAX_POLL_MS;
    }
    long dueInMs = firstReadMs + flushIntervalMs - MonotonicClock.millis();
    return Math.max(writing.isWriting() ? WRITING_POLL_MS : 0, Math.min(MAX_POLL_MS, dueInMs));
  }

  private void work(long nowMs) throws SQLException, FencedPartitionsException {
    if (writing.batch() != null) {
      finishWrite();
    }
    if (connection == null) {
      connect();
    }
    Set<TopicPartition> toOpen = assignment.toOpen();
    if (!toOpen.isEmpty()) {
      takeover.open(connection, Set.copyOf(toOpen)).forEach(this::opened);
    }
    if (batch.isEmpty() && unread.isEmpty() && nowMs - idleMoveMs >= IDLE_MOVE_MS) {
      idleMoveMs = nowMs;
      topics.ids(topics.names());
      moveIdle();
    }
    upkeep.run(connection, nowMs);
    writeWaiting(nowMs);
    counters.rejectsDeleted(rejectRetention.run(connection, nowMs));
    writer.discardOld();
    boolean due = isFull() || nowMs - firstReadMs >= flushIntervalMs;
    if (due && !batch.isEmpty()) {
      write();
    }
  }

  private void writeWaiting(long nowMs) throws SQLException {
    if (waiting.isDue(nowMs)) {
      WaitingRecords.Step step = waiting.run(connection, writer, nowMs);
      status.waiting(step.waiting());
      count(step.rejects());
    }
  }

  private boolean isFull() {
    return limit.isFull(batch.records(), batch.bytes(), lag + unread.size());
  }

  private void opened(PartitionOwnership ownership) {
    assignment.opened(ownership);
    written.put(ownership.partition(), ownership.position());
    positions.remove(ownership.partition());
  }

  private void connect() throws SQLException {
    connection = database.open();
    SinkSchema.FILES.require(connection, database);
    writer = new BatchWriter(connection);
    upkeep.forget();
    status.connected(true);
    if (everConnected) {
      counters.reconnected();
      // A server that restarted may have lost commits: its offsets are read again.
      assignment.reopenAll();
    }
    everConnected = true;
  }

  /** The next server may lack the last commits: all partitions continue at its offsets. */
  private void disconnect() {
    status.connected(false);
    assignment.reopenAll();
    Connection broken = connection;
    connection = null;
    if (broken != null) {
      Database.abort(broken);
    }
  }

  private void moveIdle() {
    for (TopicPartition partition : assignment.owned().keySet()) {
      OffsetAndMetadata position = positions.get(partition);
      if (position != null && position.offset() > written.get(partition).offset()) {
        batch.moveTo(partition, position);
      }
    }
    firstReadMs = MonotonicClock.millis() - flushIntervalMs;
  }

  /**
   * The topic ids are requested after the records were read, and compared before they are merged:
   * an unchanged id was valid when they were read. The request runs while the rows are sent.
   */
  private void write() {
    List<PartitionOwnership> owned = assignment.ownedOf(batch);
    KafkaFuture<Map<String, Uuid>> ids =
        topics.requestIds(
            owned.stream()
                .map(ownership -> ownership.partition().topic())
                .collect(Collectors.toSet()));
    Batch next = batch.drain();
    writing.start(
        next,
        () -> {
          upkeep.prepare(connection, next);
          long startNanos = System.nanoTime();
          Optional<List<Reject>> rejects =
              writer.write(
                  next, owned, () -> Assignment.areSameTopics(owned, KafkaFutures.await(ids)));
          transactionNanos = System.nanoTime() - startNanos;
          return rejects;
        });
  }

  private void finishWrite() throws SQLException, FencedPartitionsException {
    Batch ended = writing.batch();
    boolean done = false;
    try {
      Optional<List<Reject>> rejects = writing.result();
      if (rejects.isPresent()) {
        done = true;
        writeFailed = false;
        progressMs = MonotonicClock.millis();
        successMs = progressMs;
        limit.written(ended.records(), transactionNanos);
        backoffMs = MIN_BACKOFF_MS;
        resumed();
        count(ended, rejects.get());
        counters.transaction(transactionNanos);
        written.putAll(ended.nextOffsets());
        commitForLag(ended);
      }
    } catch (SQLException e) {
      if (STATEMENT_ENDED.equals(e.getSQLState())) {
        limit.tookTooLong(ended.records());
      }
      throw e;
    } finally {
      if (!done) {
        writeFailed = true;
        assignment.reopenAll();
      }
    }
  }

  /** Waits for the current write; the next start reads later records again. */
  void finish() {
    writing.await();
    if (writing.batch() != null) {
      try {
        finishWrite();
      } catch (SQLException | FencedPartitionsException | RetriableException e) {
        LOG.debug("the last batch was not written", e);
      }
    }
  }

  private void count(Batch ended, List<Reject> rejects) {
    for (Map.Entry<Topic, Long> entry : ended.recordsByTopic().entrySet()) {
      counters.written(entry.getKey(), entry.getValue());
    }
    count(rejects);
  }

  private void count(List<Reject> rejects) {
    for (Reject reject : rejects) {
      Reason reason = reject.reason();
      counters.rejected(reason);
      rejectLog.warn(
          "rejected {}-{} offset {}: {}: {}",
          reject.record().topic(),
          reject.record().partition(),
          reject.record().offset(),
          reason,
          reject.message());
    }
  }

  /** Commits offsets to show the group's lag; the sink never reads them. */
  private void commitForLag(Batch ended) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(ended.nextOffsets());
    offsets.keySet().retainAll(assignment.owned().keySet());
    consumer.commitAsync(offsets, (committed, failure) -> {});
  }

  private void failed(String what, long nowMs) {
    assignment.pause();
    status.waits().waiting(what);
    nextTryMs = nowMs + backoffMs;
    backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
  }

  /** Kafka and the database answer; after a failed write it waits for the next success. */
  private void resumed() {
    if (status.waits().waitsFor().isEmpty()) {
      return;
    }
    assignment.resume();
    // Until it is read again, the lag is unknown.
    boolean idle =
        batch.isEmpty()
            && unread.isEmpty()
            && lag == 0
            && MonotonicClock.millis() - nextTryMs > MAX_BACKOFF_MS;
    if (assignment.hasJoined() && (!writeFailed || idle)) {
      status.waits().working();
    }
  }

  private void reportLag() {
    lag = 0;
    for (TopicPartition partition : assignment.owned().keySet()) {
      lag += consumer.currentLag(partition).orElse(0);
    }
    long records = batch.records() + unread.size();
    long oldestMs = batch.oldestAppendMs();
    if (writing.batch() != null) {
      records += writing.batch().records();
      oldestMs = Math.min(oldestMs, writing.batch().oldestAppendMs());
    }
    long answeredMs = answers.newestMs();
    if (lag + records == 0 && assignment.toOpen().isEmpty()) {
      progressMs = MonotonicClock.millis();
      successMs = Math.max(successMs, answeredMs);
    }
    status.progress(progressMs);
    status.success(successMs);
    status.behind(assignment.owned().size(), lag + records, oldestMs);
  }

  /** Cancels the current request to the database. */
  void abort() {
    Database.abort(connection);
  }

  /** Ends the writing thread. */
  void close() {
    upkeep.close();
    writing.close();
  }
}
