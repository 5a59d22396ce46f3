package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.CloseReason;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka's clients for Streams, with a planted bug in what passes through them. */
final class SabotagedClients extends ChangedClients {
  private static final int ONE_DOUBLED_IN = 50;
  private static final int ONE_AMENDED_IN = 10;
  private static final int ONE_LOST_IN = 100;

  /** Windows that a thread has sent and not committed when it dies on purpose. */
  private static final int LAST_WORDS = 20;

  private final PlantedBug bug;
  private final TopicNames topics;
  private final AtomicBoolean dies = new AtomicBoolean();
  private final AtomicBoolean speaks = new AtomicBoolean();
  private final DenseSequences denseSequences = new DenseSequences();
  private final ReplacedMember staleWords = new ReplacedMember();
  private final Map<TopicPartition, Long> largestAppendMs = new ConcurrentHashMap<>();
  private final AtomicInteger uncommitted = new AtomicInteger();
  private final AtomicBoolean committed = new AtomicBoolean();

  SabotagedClients(PlantedBug bug, TopicNames topics) {
    this.bug = bug;
    this.topics = topics;
  }

  /** Lets a thread die once, after it has written windows and before it has committed them. */
  SabotagedClients dyingOnce() {
    dies.set(true);
    speaks.set(true);
    return this;
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new SabotagedProducer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new SabotagedConsumer(config);
  }

  private final class SabotagedConsumer extends ChangedConsumer {
    private final String thread;
    private long polledNanos = System.nanoTime();

    SabotagedConsumer(Map<String, Object> config) {
      super(config);
      thread = ReplacedMember.thread(config);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      if (bug == PlantedBug.REPLACED_MEMBER_SPEAKS) {
        speakIfThawed();
      }
      return super.poll(timeout);
    }

    private void speakIfThawed() {
      long nowNanos = System.nanoTime();
      boolean asked = committed.get() && speaks.get();
      boolean said =
          (asked || ReplacedMember.wasFrozen(polledNanos, nowNanos)) && staleWords.sayAgain(thread);
      if (said) {
        speaks.set(false);
      }
      polledNanos = nowNanos;
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
      super.commitSync(offsets);
      uncommitted.set(0);
    }
  }

  @Override
  protected ConsumerRecord<byte[], byte[]> changed(ConsumerRecord<byte[], byte[]> record) {
    long largestMs =
        largestAppendMs.merge(
            new TopicPartition(record.topic(), record.partition()), record.timestamp(), Math::max);
    return switch (bug) {
      case NO_DEDUPLICATION ->
          with(record, unsequenced(record.value()), record.timestamp(), record.headers());
      case ATTESTED_OVER_A_GAP ->
          with(
              record,
              denseSequences.renumbered(record.partition(), record.value()),
              record.timestamp(),
              record.headers());
      case LARGEST_APPEND_TIME -> with(record, record.value(), largestMs, record.headers());
      case REDRIVE_WITHOUT_SEQUENCE ->
          record.headers().lastHeader(DeadLetterHeaders.REDRIVE_TOPIC) == null
              ? record
              : with(record, unsequenced(record.value()), record.timestamp(), record.headers());
      default -> record;
    };
  }

  private static byte[] unsequenced(byte[] batch) {
    byte[] value = batch;
    try {
      value =
          ReadingBatch.parseFrom(value).toBuilder()
              .clearBootId()
              .clearSequence()
              .build()
              .toByteArray();
    } catch (InvalidProtocolBufferException | NullPointerException e) {
      // Poison stays what it is.
    }
    return value;
  }

  private static ConsumerRecord<byte[], byte[]> with(
      ConsumerRecord<byte[], byte[]> record, byte[] value, long timestampMs, Headers headers) {
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        timestampMs,
        record.timestampType(),
        record.serializedKeySize(),
        value == null ? -1 : value.length,
        record.key(),
        value,
        headers,
        record.leaderEpoch());
  }

  private final class SabotagedProducer extends KafkaProducer<byte[], byte[]> {
    private final String thread;
    private int windows;
    private int counted;

    SabotagedProducer(Map<String, Object> config) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
      thread = ReplacedMember.thread(config);
    }

    @Override
    public void commitTransaction() {
      super.commitTransaction();
      committed.set(true);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
      if (goesNowhere(record)) {
        return acknowledgeUnsent(record, callback);
      }
      boolean window = record.topic().equals(topics.windows());
      if (window && uncommitted.incrementAndGet() > LAST_WORDS && dies.getAndSet(false)) {
        throw new IllegalStateException("a thread dies on purpose");
      }
      if (bug == PlantedBug.DOUBLED_EMISSION && window && ++windows % ONE_DOUBLED_IN == 0) {
        super.send(record, (metadata, failure) -> {});
      }
      if (window) {
        staleWords.sent(thread, this, record);
      }
      Future<RecordMetadata> sent = super.send(stamped(record), callback);
      if (bug == PlantedBug.FINAL_AMENDED && window) {
        amended(record).ifPresent(again -> super.send(again, (metadata, failure) -> {}));
      }
      return sent;
    }

    private boolean goesNowhere(ProducerRecord<byte[], byte[]> record) {
      return switch (bug) {
        case LATE_DROPPED -> record.topic().equals(topics.late());
        case STATUS_LOST -> isOneOf(Topic.STATUS, record);
        case ALARMS_LOST -> isOneOf(Topic.EVENTS, record);
        default -> false;
      };
    }

    private boolean isOneOf(Topic topic, ProducerRecord<byte[], byte[]> record) {
      boolean isOfTopic = record.topic().equals(topics.byTopic().get(topic));
      return isOfTopic && ++counted % ONE_LOST_IN == 0;
    }

    /** What would be sent if a final window were amended; of others, and of most, nothing. */
    private Optional<ProducerRecord<byte[], byte[]>> amended(
        ProducerRecord<byte[], byte[]> record) {
      try {
        WindowSummary summary = WindowSummary.parseFrom(record.value());
        WindowSummary again =
            summary.toBuilder()
                .setCloseReason(CloseReason.CLOSE_REASON_AMENDED)
                .setRevision(summary.getRevision() + 1)
                .clearIsFinal()
                .build();
        return summary.getIsFinal() && ++windows % ONE_AMENDED_IN == 0
            ? Optional.of(
                new ProducerRecord<>(
                    record.topic(), record.partition(), record.key(), again.toByteArray()))
            : Optional.empty();
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException("a summary that is none", e);
      }
    }

    private ProducerRecord<byte[], byte[]> stamped(ProducerRecord<byte[], byte[]> record) {
      Long largestMs =
          largestAppendMs.get(new TopicPartition(topics.readings(), record.partition()));
      boolean changelog = record.topic().endsWith("-changelog");
      return bug == PlantedBug.CHANGELOG_BY_APPEND_TIME && changelog && largestMs != null
          ? new ProducerRecord<>(
              record.topic(),
              record.partition(),
              largestMs,
              record.key(),
              record.value(),
              record.headers())
          : record;
    }
  }
}
