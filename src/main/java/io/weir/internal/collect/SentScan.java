package io.weir.internal.collect;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.collect.RowJudge.Verdict;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.wire.GatewayIdField;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import io.weir.signing.BatchSigner;
import io.weir.signing.BatchVerifier;
import io.weir.signing.GatewayKey;
import io.weir.signing.MasterKeys;
import io.weir.signing.SignatureCheck.Outcome;
import io.weir.topic.SensorPartition;
import io.weir.v1.EventBatch;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Finds the batches on the topics that a gateway sent after a state of its collector. One thread.
 */
final class SentScan {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final long REGISTRY_WAIT_MS = 60_000;

  /**
   * A boot id is the clock time of its start in milliseconds, shifted left by this number of bits.
   */
  private static final int BOOT_TIME_SHIFT = 20;

  /** The identity of a batch. */
  record Name(Channel channel, int partition, long bootId, long sequence)
      implements Comparable<Name> {
    /** The tables of the JDK use it where senders choose names with equal hashes. */
    private static final Comparator<Name> ORDER =
        Comparator.comparing(Name::channel)
            .thenComparingInt(Name::partition)
            .thenComparingLong(Name::bootId)
            .thenComparingLong(Name::sequence);

    @Override
    public int compareTo(Name other) {
      return ORDER.compare(this, other);
    }

    static Name of(SentBatch batch) {
      return new Name(batch.channel(), batch.partition(), batch.bootId(), batch.sequence());
    }
  }

  private final WeirConfig config;
  private final OwnRecords ownRecords;
  private final long maxFutureSkewMs;
  private final State state;
  private final Set<Name> inFlight = new HashSet<>();
  private final Set<Name> seen = new HashSet<>();
  private final Contents later = new Contents();
  private long laterRows;
  private long highestBoot;

  /**
   * @param state its batches in flight are searched, and later ones are collected
   */
  SentScan(WeirConfig config, String gatewayId, State state) {
    this.config = config;
    this.ownRecords = new OwnRecords(config, gatewayId);
    this.maxFutureSkewMs = config.windows().maxFutureSkew().toMillis();
    this.state = state;
    this.highestBoot = state.bootId();
    state.inFlight().forEach(batch -> inFlight.add(Name.of(batch)));
  }

  /** Is called often while a topic is read. */
  interface Progress {
    void step() throws SQLException, FencedException;
  }

  /** Reads the topic of a channel to its current end. */
  void read(Consumer<byte[], byte[]> consumer, Channel channel, Progress progress)
      throws UndecodableException, SQLException, FencedException {
    String topic = config.nameOf(channel.topic());
    ValueFormat.Reader format =
        ValueFormat.of(config.values())
            .reader(topic, channel.topic().message(), WaitLimit.of(REGISTRY_WAIT_MS));
    List<TopicPartition> partitions =
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (partitions.stream()
        .anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
      progress.step();
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (ownRecords.isNamed(record)) {
          see(channel, record, format);
        }
      }
    }
  }

  private void see(
      Channel channel, ConsumerRecord<byte[], byte[]> record, ValueFormat.Reader format)
      throws UndecodableException {
    byte[] value;
    try {
      value = format.admit(record.value(), record.headers());
    } catch (UndecodableException e) {
      // Without keys, another sender may have written it.
      if (ownRecords.hasKeys() && ownRecords.isProven(channel, record)) {
        throw e;
      }
      return;
    }
    try {
      Name name = name(channel, record.partition(), value);
      if (isNew(name, record.timestamp()) && ownRecords.isProven(channel, record)) {
        take(name, Contents.of(channel, value));
      }
    } catch (UndecodableException e) {
      // Another sender may have written a record with this identity.
      return;
    }
  }

  /** Whether it was sent after the state or is in flight in it, and Weir has not refused it. */
  private boolean isNew(Name name, long appendMs) {
    boolean isOfTheFuture = name.bootId() >>> BOOT_TIME_SHIFT > appendMs + maxFutureSkewMs;
    return !isOfTheFuture && (isLater(name) || inFlight.contains(name)) && !seen.contains(name);
  }

  private boolean isLater(Name name) {
    return name.bootId() > state.bootId()
        || name.bootId() == state.bootId()
            && name.sequence() > state.sequences().last(name.channel(), name.partition());
  }

  private void take(Name name, List<Verdict> items) {
    seen.add(name);
    highestBoot = Math.max(highestBoot, name.bootId());
    if (isLater(name)) {
      items.forEach(later::add);
      laterRows += items.size();
    }
  }

  private static Name name(Channel channel, int partition, byte[] value)
      throws UndecodableException {
    if (channel == Channel.READINGS) {
      ReadingBatch batch = Protobuf.read(ReadingBatch.getDefaultInstance(), value);
      return new Name(channel, partition, batch.getBootId(), batch.getSequence());
    }
    EventBatch batch = Protobuf.read(EventBatch.getDefaultInstance(), value);
    return new Name(channel, partition, batch.getBootId(), batch.getSequence());
  }

  boolean isSent(SentBatch batch) {
    return seen.contains(Name.of(batch));
  }

  /** The contents that were sent after the state. */
  Contents later() {
    return later;
  }

  long laterRows() {
    return laterRows;
  }

  /** The highest boot id on the topics and in the state. */
  long highestBoot() {
    return highestBoot;
  }

  /**
   * Identifies the records on a topic that this gateway has sent: those with its id and, if there
   * are keys, its signature, because any producer may write another gateway's id. One thread.
   */
  static final class OwnRecords {
    private final WeirConfig config;
    private final byte[] gateway;
    private final GatewayIdField gatewayField = new GatewayIdField();
    private final Optional<MasterKeys> masters;
    private final Optional<GatewayKey> key;
    private final Map<Channel, BatchVerifier> verifiers = new EnumMap<>(Channel.class);
    private final Map<Channel, BatchSigner> signers = new EnumMap<>(Channel.class);

    OwnRecords(WeirConfig config, String gatewayId) {
      this.config = config;
      this.gateway = gatewayId.getBytes(StandardCharsets.UTF_8);
      this.masters = config.signing().masters();
      this.key = config.signing().gatewayKey(gatewayId);
    }

    /** Whether a signature can show who has sent a record. */
    boolean hasKeys() {
      return masters.isPresent() || key.isPresent();
    }

    /** Whether a record has the id of this gateway. */
    boolean isNamed(ConsumerRecord<byte[], byte[]> record) {
      byte[] value = record.value();
      if (!Arrays.equals(record.key(), gateway) || value == null || !gatewayField.find(value)) {
        return false;
      }
      int begin = gatewayField.offset();
      return Arrays.equals(value, begin, begin + gatewayField.length(), gateway, 0, gateway.length);
    }

    /**
     * Whether this gateway has sent it.
     *
     * @throws CollectRefusedException if the configured keys do not show its sender
     */
    boolean isProven(Channel channel, ConsumerRecord<byte[], byte[]> record) {
      if (masters.isPresent()) {
        Outcome outcome =
            verifiers
                .computeIfAbsent(
                    channel, missing -> new BatchVerifier(name(missing), masters.get()))
                .check(record.partition(), record.value(), record.headers(), record.timestamp())
                .outcome();
        return outcome == Outcome.GATEWAY || outcome == Outcome.EXPIRED;
      }
      if (key.isPresent() && !isSigned(channel, record, key.get())) {
        throw new CollectRefusedException(
            "%s-%d offset %d has the gateway id %s and is not signed with its key: set weir.signing.keys.file, which shows whether it was sent with an earlier key or by another sender"
                .formatted(
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    new String(gateway, StandardCharsets.UTF_8)));
      }
      return true;
    }

    /** Signs again: the same key produces the same header. */
    private boolean isSigned(
        Channel channel, ConsumerRecord<byte[], byte[]> record, GatewayKey with) {
      RecordHeaders expected = new RecordHeaders();
      signers
          .computeIfAbsent(channel, missing -> BatchSigner.of(name(missing), with))
          .sign(record.partition(), record.value(), expected);
      return Arrays.stream(expected.toArray())
          .allMatch(header -> header.equals(record.headers().lastHeader(header.key())));
    }

    private String name(Channel channel) {
      return config.nameOf(channel.topic());
    }
  }
}
