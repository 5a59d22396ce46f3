package io.weir.internal.app;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.SizeGuard;
import io.weir.internal.fetch.BoundedConsumer;
import io.weir.internal.fetch.BoundedFetches;
import io.weir.internal.fetch.PollBudget;
import io.weir.internal.store.ThreadStores;
import io.weir.internal.topology.CommitPace;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Kafka clients of Streams, with a special input consumer and producer.
 *
 * <p>The consumer fails at a record without append time. Streams 4.3.1 passes every record to a
 * timestamp extractor as create time (RecordDeserializer): only the consumer knows the type. It
 * limits decompressed records to the available memory: see {@link BoundedFetches} and {@link
 * PollBudget}.
 *
 * <p>It reports deleted records at its position. Streams 4.3.1 then continues at the beginning
 * (StreamThread.pollRequests), and logs it at INFO.
 *
 * <p>When a dead thread is replaced, Streams 4.3.1 keeps its member in the group
 * (KafkaStreams.replaceStreamThread) and gives the new member another group.instance.id: the
 * partitions would wait for the session timeout. Here the successor of a static member reuses the
 * id and keeps the partitions; a dynamic member leaves.
 *
 * <p>The producer fails after an aborted transaction. Streams 4.3.1 aborts the transaction of all
 * tasks of a thread when it closes one of them dirty (RecordCollectorImpl.closeDirty), and
 * continues with the others if they could not commit before, as during a rebalance: their output is
 * lost, their state is not. The exception at the next transaction makes the thread close all its
 * tasks and restart them from their last commit. The producer notifies the stores of its thread of
 * the result of each transaction, and {@link CommitPace} of each commit.
 *
 * <p>Its close takes at most {@value #CLOSE_SECONDS} s. Kafka's producer waits while no broker is
 * reachable, and blocks its thread and the end of the process.
 *
 * <p>Open transactions of former members are aborted after the assignment of their partitions:
 * {@link AbandonedTransactions}.
 *
 * <p>The producer commits the position of the task's state with each offset, and the consumer reads
 * it when the task starts: {@link CommitMarks}.
 *
 * <p>The consumer does not read {@link HaltedPartitions}.
 *
 * <p>The producer refuses to commit without offsets. Kafka fences a replaced member only by its
 * offsets: a thread that resumes after its partitions were reassigned could commit its output
 * without offsets (TaskExecutor commits a transaction without offsets, and
 * KafkaProducer.sendOffsetsToTransaction does nothing then).
 */
final class StreamsClients implements KafkaClientSupplier {
  private static final Logger LOG = LoggerFactory.getLogger(StreamsClients.class);

  /** Maximum bytes of records of a poll: the memory that a thread needs. */
  private static final long POLLED_BYTES = 32 << 20;

  private static final String CONSUMER = "-consumer";

  /** Unsent records at the close belong to a transaction that is aborted. */
  private static final int CLOSE_SECONDS = 10;

  /** A predecessor that is not closed after this time hangs. */
  private static final int HAND_OVER_SECONDS = 120;

  private final BooleanSupplier threadIsReplaced;
  private final ThreadStores stores;
  private final CommitPace commits;
  private final Map<String, ReadingsConsumer> byThread = new ConcurrentHashMap<>();
  private final int maxBatchBytes;
  private final int maxRecordBytes;
  private final Runnable polled;
  private final OffsetJumps jumps;
  private final CommitMarks marks;
  private final HaltedPartitions halts;
  private final AbandonedTransactions abandoned;

  /**
   * @param threadIsReplaced whether the calling thread has died and is replaced
   * @param stores stores of each thread
   * @param commits notified of each commit of a thread
   * @param maxBatchBytes largest batch of records that is decompressed
   * @param maxRecordBytes largest record that is decompressed
   * @param polled runs on a thread after each poll, before it processes the records
   * @param jumps receives positions after deleted records
   * @param marks adds the position of the state to each offset
   * @param halts partitions that are not read
   * @param abandoned receives assigned partitions and active producers
   */
  StreamsClients(
      BooleanSupplier threadIsReplaced,
      ThreadStores stores,
      CommitPace commits,
      int maxBatchBytes,
      int maxRecordBytes,
      Runnable polled,
      OffsetJumps jumps,
      CommitMarks marks,
      HaltedPartitions halts,
      AbandonedTransactions abandoned) {
    this.jumps = jumps;
    this.marks = marks;
    this.halts = halts;
    this.abandoned = abandoned;
    this.threadIsReplaced = threadIsReplaced;
    this.stores = stores;
    this.commits = commits;
    this.polled = polled;
    this.maxBatchBytes = maxBatchBytes;
    this.maxRecordBytes = maxRecordBytes;
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new ThreadProducer(config, stores, commits, marks, abandoned);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    Map<String, Object> settings = new HashMap<>(config);
    ReadingsConsumer predecessor = predecessor();
    if (predecessor != null) {
      settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, predecessor.name());
    }
    PollBudget budget = new PollBudget(POLLED_BYTES);
    ReadingsConsumer consumer =
        new ReadingsConsumer(
            settings,
            budget,
            threadIsReplaced,
            polled,
            predecessor,
            jumps,
            marks,
            halts,
            abandoned);
    BoundedFetches.limit(consumer, maxBatchBytes, maxRecordBytes, budget);
    byThread.put(threadOf(config), consumer);
    return consumer;
  }

  /** The static member whose dead thread creates its successor now; null if dynamic. */
  private ReadingsConsumer predecessor() {
    if (!threadIsReplaced.getAsBoolean()) {
      return null;
    }
    ReadingsConsumer dying = byThread.remove(Thread.currentThread().getName());
    return dying != null && dying.name() != null ? dying : null;
  }

  /** The stream thread that a consumer is for: StreamsConfig names clients after it. */
  private static String threadOf(Map<String, Object> config) {
    String clientId = String.valueOf(config.get(ConsumerConfig.CLIENT_ID_CONFIG));
    return clientId.endsWith(CONSUMER)
        ? clientId.substring(0, clientId.length() - CONSUMER.length())
        : clientId;
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return BoundedConsumer.ofOwn(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return BoundedConsumer.ofOwn(config);
  }

  private static final class ThreadProducer extends KafkaProducer<byte[], byte[]> {
    private final ThreadStores stores;
    private final CommitPace commits;
    private final CommitMarks marks;
    private final AbandonedTransactions abandoned;
    private final String transactionalId;
    private final LetterSizes letters;
    private boolean aborted;
    private boolean offsetsSent;
    private boolean closed;

    ThreadProducer(
        Map<String, Object> config,
        ThreadStores stores,
        CommitPace commits,
        CommitMarks marks,
        AbandonedTransactions abandoned) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
      this.stores = stores;
      this.commits = commits;
      this.marks = marks;
      this.abandoned = abandoned;
      letters = LetterSizes.of(config);
      transactionalId = (String) config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
      abandoned.opened(transactionalId);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
      return super.send(letters.fitting(record), callback);
    }

    @Override
    public void beginTransaction() {
      if (aborted) {
        throw new ProducerFencedException(
            "a transaction of this thread was aborted: its tasks restart from their last commit");
      }
      offsetsSent = false;
      super.beginTransaction();
    }

    /** Streams flushes for each task when it begins to commit. */
    @Override
    public void flush() {
      commits.begun();
      super.flush();
    }

    @Override
    public void sendOffsetsToTransaction(
        Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
      super.sendOffsetsToTransaction(marks.mark(offsets), group);
      offsetsSent |= !offsets.isEmpty();
    }

    @Override
    public void commitTransaction() {
      if (!offsetsSent) {
        LOG.error("a transaction without offsets is not committed: its tasks are restored");
        throw new ProducerFencedException(
            "refusing to commit a transaction without offsets: it would bypass group fencing");
      }
      super.commitTransaction();
      stores.committed();
      commits.committed();
    }

    @Override
    public void close() {
      try {
        close(Duration.ofSeconds(CLOSE_SECONDS));
      } finally {
        if (!closed) {
          closed = true;
          abandoned.closed(transactionalId);
        }
      }
    }

    @Override
    public void abortTransaction() {
      aborted = true;
      stores.aborted();
      commits.aborted();
      super.abortTransaction();
    }
  }

  private static final class ReadingsConsumer extends KafkaConsumer<byte[], byte[]> {
    private final PollBudget budget;
    private final BooleanSupplier threadIsReplaced;
    private final String name;
    private final Runnable polled;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final OffsetJumps jumps;
    private final CommitMarks marks;
    private final HaltedPartitions halts;
    private final AbandonedTransactions abandoned;
    private ReadingsConsumer predecessor;

    ReadingsConsumer(
        Map<String, Object> config,
        PollBudget budget,
        BooleanSupplier threadIsReplaced,
        Runnable polled,
        ReadingsConsumer predecessor,
        OffsetJumps jumps,
        CommitMarks marks,
        HaltedPartitions halts,
        AbandonedTransactions abandoned) {
      super(config, budget.keys(), budget.values());
      this.budget = budget;
      this.threadIsReplaced = threadIsReplaced;
      this.polled = polled;
      this.name = (String) config.get(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
      this.predecessor = predecessor;
      this.jumps = jumps;
      this.marks = marks;
      this.halts = halts;
      this.abandoned = abandoned;
    }

    /** The group.instance.id; null for a dynamic member. */
    String name() {
      return name;
    }

    /** Waits with joining until the previous member with this id has closed its tasks. */
    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
      if (predecessor != null) {
        predecessor.awaitClosed();
        predecessor = null;
      }
      super.subscribe(topics, watched(listener));
    }

    private ConsumerRebalanceListener watched(ConsumerRebalanceListener listener) {
      return new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
          abandoned.assigned(partitions);
          partitions.forEach(jumps::forget);
          marks.assigned(partitions);
          listener.onPartitionsAssigned(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
          abandoned.revoked(partitions);
          marks.revoked(partitions);
          listener.onPartitionsRevoked(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
          abandoned.revoked(partitions);
          marks.revoked(partitions);
          listener.onPartitionsLost(partitions);
        }
      };
    }

    private void awaitClosed() {
      try {
        if (!closed.await(HAND_OVER_SECONDS, TimeUnit.SECONDS)) {
          LOG.warn(
              "Consumer with group.instance.id {} did not close in time; reusing its id", name);
        }
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }

    @Override
    public void close(CloseOptions options) {
      try {
        super.close(
            threadIsReplaced.getAsBoolean()
                ? options.withGroupMembershipOperation(
                    name == null
                        ? GroupMembershipOperation.LEAVE_GROUP
                        : GroupMembershipOperation.REMAIN_IN_GROUP)
                : options);
      } finally {
        closed.countDown();
      }
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      if (halts.any()) {
        // Streams resumes assigned partitions; halted ones must stay paused.
        pause(halts.among(assignment()));
      }
      marks.seek(this);
      budget.begin();
      ConsumerRecords<byte[], byte[]> records = pollOrReport(timeout);
      polled.run();
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (record.timestampType() != TimestampType.LOG_APPEND_TIME) {
          throw new NotAppendTimeException(record);
        }
      }
      return records;
    }

    /** Streams calls this for each task before it starts. */
    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
      return marks.read(super.committed(partitions));
    }

    private ConsumerRecords<byte[], byte[]> pollOrReport(Duration timeout) {
      try {
        return super.poll(timeout);
      } catch (OffsetOutOfRangeException e) {
        e.offsetOutOfRangePartitions()
            .forEach(
                (partition, offset) -> {
                  jumps.jumped(partition, offset);
                  marks.jumped(Set.of(partition));
                  LOG.error(
                      "{}: the next offset, {}, does not exist: records were deleted before"
                          + " they were read, by retention or by hand, or the partition lost its"
                          + " end; reading continues at the first existing record",
                      partition,
                      offset);
                });
        throw e;
      } catch (NoOffsetForPartitionException e) {
        marks.jumped(thatHaveLostRecords(e.partitions()));
        throw e;
      }
    }

    private Set<TopicPartition> thatHaveLostRecords(Set<TopicPartition> partitions) {
      try {
        Map<TopicPartition, Long> beginnings = new HashMap<>(beginningOffsets(partitions));
        beginnings.values().removeIf(offset -> offset == 0);
        return beginnings.keySet();
      } catch (TimeoutException e) {
        return partitions;
      }
    }
  }

  /**
   * Limits the size of dead letters and late readings before they are sent. A record that is too
   * large for the producer aborts the transaction, and the retry has the same record: a sender
   * could stop the application. For other records it only checks the headers.
   */
  static final class LetterSizes {
    private final int maxBytes;
    private final SizeGuard guard;

    private LetterSizes(int maxBytes) {
      this.maxBytes = maxBytes;
      this.guard = new SizeGuard(maxBytes);
    }

    /** For a producer with these settings. */
    static LetterSizes of(Map<String, Object> config) {
      Object set = config.get(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
      return new LetterSizes(
          set == null
              ? (Integer)
                  ProducerConfig.configDef()
                      .defaultValues()
                      .get(ProducerConfig.MAX_REQUEST_SIZE_CONFIG)
              : Integer.parseInt(set.toString()));
    }

    /** The same record, or a dead letter that is truncated to the producer's limit. */
    ProducerRecord<byte[], byte[]> fitting(ProducerRecord<byte[], byte[]> record) {
      if (record.headers().lastHeader(DeadLetterHeaders.TOPIC) == null || fits(record)) {
        return record;
      }
      Headers headers = new RecordHeaders(record.headers());
      SizeGuard.Fitting fitting = guard.fit(record.key(), record.value(), headers);
      return new ProducerRecord<>(
          record.topic(),
          record.partition(),
          record.timestamp(),
          fitting.key(),
          fitting.value(),
          headers);
    }

    private boolean fits(ProducerRecord<byte[], byte[]> record) {
      return AbstractRecords.estimateSizeInBytesUpperBound(
              RecordBatch.CURRENT_MAGIC_VALUE,
              CompressionType.NONE,
              record.key(),
              record.value(),
              record.headers().toArray())
          <= maxBytes;
    }
  }
}
