package io.weir.sink;

import io.weir.app.LogLimit;
import io.weir.postgres.RejectRetention;
import io.weir.postgres.Database;
import io.weir.postgres.SqlFailures;
import io.weir.sink.RejectedException.Reason;
import io.weir.time.MonotonicClock;
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
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, collects and writes, again and again: while one batch is written, the next is read. If it
 * could not be written, what was read after it is dropped, and all is read again from where the
 * database says. While the database cannot be reached nothing is read, but the consumer stays in
 * its group. One thread runs it; {@link #abort} may be called by any.
 */
final class SinkLoop {
  private static final Logger LOG = LoggerFactory.getLogger(Sink.class);

  private static final long MAX_POLL_MS = 100;

  /** What is due may wait that much longer after the batch before it was written. */
  private static final long WRITING_POLL_MS = 10;

  private static final String STATEMENT_ENDED = "57014";

  private static final long MIN_BACKOFF_MS = 250;
  private static final long MAX_BACKOFF_MS = 10_000;

  /** How often partitions in which nothing happens move on, over what aborted transactions left. */
  private static final long IDLE_MOVE_MS = 30_000;

  private final Consumer<byte[], byte[]> consumer;
  private final SinkTopics topics;
  private final Takeover takeover;
  private final Upkeep upkeep;
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
  private final Map<TopicPartition, Long> written = new HashMap<>();
  private volatile Connection connection;

  /** Set by the thread that writes, before its result is there. */
  private long transactionNanos;

  private BatchWriter writer;
  private boolean everConnected;

  /** Kafka is not asked for more, as what it gave is not in a batch yet. */
  private boolean holdsBack;

  /** The last batch was not written. */
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
      SinkPlan plan,
      SinkStatus status,
      SinkCounters counters) {
    this.consumer = consumer;
    this.answers = new BrokerAnswers(consumer, MonotonicClock::millis);
    this.topics = topics;
    this.database = database;
    this.limit = new BatchLimit(plan.batchRecords());
    this.flushIntervalMs = plan.flushInterval().toMillis();
    this.takeover = new Takeover(consumer, topics::ids, plan.skipLost(), counters);
    this.upkeep = new Upkeep(topics.mappings(), plan.retention());
    this.rejectRetention = new RejectRetention("weir_sink_rejects", plan.rejectsRetention());
    this.status = status;
    this.counters = counters;
    this.assignment = new Assignment(consumer, batch, unread, writing);
  }

  /** Joins the group. */
  void begin() {
    consumer.subscribe(topics.names(), assignment);
  }

  /**
   * Reads once, and starts to write what is due.
   *
   * @throws SinkRefusedException if it cannot go on
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
        goesOn();
      }
    } catch (FencedPartitionsException e) {
      LOG.info("{}", e.getMessage());
      counters.fenced(e.partitions().size());
      failed("partitions to be taken over", nowMs);
    } catch (SQLException e) {
      disconnect();
      if (SqlFailures.of(e) != SqlFailures.TRANSIENT) {
        throw new SinkRefusedException(database.advice(e));
      }
      failed("PostgreSQL at " + database.name() + ": " + SqlFailures.line(e), nowMs);
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
      unread.add(consumer.poll(Duration.ofMillis(holdsBack ? 0 : pollMs())));
    } catch (OffsetOutOfRangeException e) {
      assignment.reopen(e.partitions());
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
    rejectRetention.run(connection, nowMs);
    boolean due = isFull() || nowMs - firstReadMs >= flushIntervalMs;
    if (due && !batch.isEmpty()) {
      write();
    }
  }

  private boolean isFull() {
    return limit.isFull(batch.records(), batch.bytes(), lag + unread.size());
  }

  private void opened(PartitionOwnership ownership) {
    assignment.opened(ownership);
    written.put(ownership.partition(), ownership.nextOffset());
  }

  private void connect() throws SQLException {
    connection = database.open();
    SinkSchema.FILES.require(connection, database);
    writer = new BatchWriter(connection);
    upkeep.forget();
    status.connected(true);
    if (everConnected) {
      counters.reconnected();
      // A server that was away may have lost what it had said is committed: it says again how far.
      assignment.reopenAll();
    }
    everConnected = true;
  }

  /** The next server may lack what was written last: all goes on from where its tables are. */
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
      long position = consumer.position(partition);
      if (position > written.getOrDefault(partition, Long.MAX_VALUE)) {
        batch.moveTo(partition, position);
      }
    }
    firstReadMs = MonotonicClock.millis() - flushIntervalMs;
  }

  /**
   * The ids of the topics are requested after the records were read, and compared before they are
   * merged: an id that is the same was so when they were read. The answer comes while the rows are
   * sent.
   */
  private void write() {
    List<PartitionOwnership> owned = assignment.ownedOf(batch);
    KafkaFuture<Map<String, Uuid>> ids =
        topics.requestIds(
            owned.stream()
                .map(ownership -> ownership.partition().topic())
                .collect(Collectors.toSet()));
    Batch next = batch.take();
    writing.start(
        next,
        () -> {
          writer.apart(upkeep.prepare(connection, next));
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
      Optional<List<Reject>> rejects = writing.take();
      if (rejects.isPresent()) {
        done = true;
        writeFailed = false;
        progressMs = MonotonicClock.millis();
        successMs = progressMs;
        limit.written(ended.records(), transactionNanos);
        backoffMs = MIN_BACKOFF_MS;
        goesOn();
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

  /** Waits for what is being written; what was read after it is left to the next start. */
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
    for (Map.Entry<Topic, Long> of : ended.recordsByTopic().entrySet()) {
      counters.written(of.getKey(), of.getValue());
    }
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

  /** Shows the group's lag to operators; the sink never reads these offsets. */
  private void commitForLag(Batch ended) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    ended
        .nextOffsets()
        .forEach(
            (partition, offset) -> {
              if (assignment.owned().containsKey(partition)) {
                offsets.put(partition, new OffsetAndMetadata(offset));
              }
            });
    consumer.commitAsync(offsets, (committed, failure) -> {});
  }

  private void failed(String what, long nowMs) {
    assignment.pause();
    status.waits().waiting(what);
    nextTryMs = nowMs + backoffMs;
    backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
  }

  /**
   * Kafka and the database answer; after a batch that was not written it waits for the next one.
   */
  private void goesOn() {
    if (status.waits().waitsFor().isEmpty()) {
      return;
    }
    assignment.resume();
    // Until it was read again, nobody knows that nothing waits.
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

  /** Ends whatever the database is asked at this moment. */
  void abort() {
    Database.abort(connection);
  }

  /** Ends its second thread. */
  void close() {
    writing.close();
  }
}
