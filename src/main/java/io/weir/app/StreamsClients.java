package io.weir.app;

import io.weir.fetch.BoundedConsumer;
import io.weir.fetch.BoundedFetches;
import io.weir.fetch.PollBudget;
import io.weir.store.ThreadStores;
import io.weir.topology.EarlyCommits;
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
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's ordinary clients for Streams, but for the consumer of the readings and the producer.
 *
 * <p>The consumer stops at a record that does not carry its append time. Streams 4.3.1 shows a
 * timestamp extractor a create time for every record (RecordDeserializer), whatever the broker
 * said: only the consumer knows. It takes no more at once than memory can hold, however small it
 * was compressed: see {@link BoundedFetches} and {@link PollBudget}.
 *
 * <p>It says so where the record that comes next is not there any more. Streams 4.3.1 reads on from
 * the beginning then (StreamThread.pollRequests), and says it at the level INFO.
 *
 * <p>Where a thread has died and is replaced, Streams 4.3.1 lets its member stay in the group
 * (KafkaStreams.replaceStreamThread), and gives that of the new thread another name: the partitions
 * would wait for the dead one until its session times out. Here a member with a name hands it to
 * its successor, which is in the group as soon as Kafka answers and keeps the partitions; one
 * without leaves.
 *
 * <p>The producer ends with a transaction that is aborted. Streams 4.3.1 aborts the transaction of
 * all tasks of a thread when it gives up one of them (RecordCollectorImpl.closeDirty), and lets the
 * others go on where they cannot be committed before, as during a rebalance: what they wrote is
 * gone, what they keep is not. Fenced at the next transaction, the thread gives up all its tasks,
 * and takes them up from their last commit. It notifies the stores of its thread how each
 * transaction ended, and {@link EarlyCommits} that one was committed.
 *
 * <p>It is closed within {@value #CLOSE_SECONDS} s. Kafka's own waits for as long as no broker can
 * be reached, and with it its thread and the end of the process.
 *
 * <p>What members that are gone have left open is ended as soon as their partitions are assigned
 * here: {@link AbandonedTransactions}.
 *
 * <p>It commits with each offset how far the task's state has come, and the consumer tells that
 * when the task begins: {@link CommitMarks}.
 *
 * <p>The consumer does not read {@link HaltedPartitions}.
 *
 * <p>It commits nothing without offsets. Kafka refuses offsets of a member that was replaced, and
 * nothing else: a thread that wakes up after others took over would make its output visible by a
 * commit without them (TaskExecutor commits a transaction without offsets, and
 * KafkaProducer.sendOffsetsToTransaction does nothing then).
 */
final class StreamsClients implements KafkaClientSupplier {
  private static final Logger LOG = LoggerFactory.getLogger(StreamsClients.class);

  /** Of records that a poll hands over: as much as a thread has to hold at once. */
  private static final long POLLED_BYTES = 32 << 20;

  private static final String CONSUMER = "-consumer";

  /** What a producer has not sent when it is closed belongs to a transaction that is aborted. */
  private static final int CLOSE_SECONDS = 10;

  /** A predecessor that is not closed by then hangs. */
  private static final int HAND_OVER_SECONDS = 120;

  private final BooleanSupplier threadIsReplaced;
  private final ThreadStores stores;
  private final EarlyCommits commits;
  private final Map<String, ReadingsConsumer> byThread = new ConcurrentHashMap<>();
  private final int maxBatchBytes;
  private final int maxRecordBytes;
  private final Runnable polled;
  private final OffsetJumps jumps;
  private final CommitMarks marks;
  private final HaltedPartitions halts;
  private final AbandonedTransactions abandoned;

  /**
   * @param threadIsReplaced whether the calling thread has died and another takes its place
   * @param stores of each thread
   * @param commits receives when a thread has committed
   * @param maxBatchBytes largest batch of records that is decompressed
   * @param maxRecordBytes largest record that is decompressed
   * @param polled is run by a thread that has got records, before it looks at them
   * @param jumps receives where reading goes on behind what was deleted
   * @param marks says with each offset how far the state has come
   * @param halts partitions that are not read
   * @param abandoned receives which partitions are assigned, and which producers are at work
   */
  StreamsClients(
      BooleanSupplier threadIsReplaced,
      ThreadStores stores,
      EarlyCommits commits,
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

  /** The member whose thread has died and makes its successor now; null where that has no name. */
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
    private final EarlyCommits commits;
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
        EarlyCommits commits,
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
            "a transaction of this thread was aborted: its tasks go back to their last commit");
      }
      offsetsSent = false;
      super.beginTransaction();
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
        LOG.error("a transaction without offsets is not committed: its tasks are read back");
        throw new ProducerFencedException(
            "a commit without offsets would not be refused to a member that was replaced");
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

    /** Of the member in the group; null where it has none. */
    String name() {
      return name;
    }

    /** Joins the group no sooner than the member whose name this is has done with its tasks. */
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
          LOG.warn("member {} is not closed; another thread takes its name all the same", name);
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
        // Streams resumes what it assigns; a halted partition is not to be read.
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

    /** Asked by Streams for each task, before it begins. */
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
                  jumps.jumped(partition);
                  LOG.error(
                      "{}: offset {}, which comes next, is not there: records were deleted before"
                          + " they were read, by retention or by hand, or the partition lost its"
                          + " end; reading goes on from the first record that is there",
                      partition,
                      offset);
                });
        throw e;
      }
    }
  }
}
