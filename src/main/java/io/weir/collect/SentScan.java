package io.weir.collect;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.app.WeirConfig;
import io.weir.collect.RowJudge.Verdict;
import io.weir.registry.ValueFormat;
import io.weir.registry.WaitLimit;
import io.weir.topic.SensorPartition;
import io.weir.v1.EventBatch;
import io.weir.v1.ReadingBatch;
import io.weir.wire.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads from the topics what a gateway sent after a state of its collector. One thread. */
final class SentScan {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final long REGISTRY_WAIT_MS = 60_000;

  /** What names a batch. */
  record Name(Channel channel, int partition, long bootId, long sequence) {
    static Name of(SentBatch batch) {
      return new Name(batch.channel(), batch.partition(), batch.bootId(), batch.sequence());
    }
  }

  private final WeirConfig config;
  private final byte[] gateway;
  private final State state;
  private final Set<Name> inFlight = new HashSet<>();
  private final Set<Name> seen = new HashSet<>();
  private final Contents later = new Contents();
  private long laterRows;
  private long highestBoot;

  /**
   * @param state what is in flight is looked for, and what came after it is gathered
   */
  SentScan(WeirConfig config, String gatewayId, State state) {
    this.config = config;
    this.gateway = gatewayId.getBytes(StandardCharsets.UTF_8);
    this.state = state;
    this.highestBoot = state.bootId();
    state.inFlight().forEach(batch -> inFlight.add(Name.of(batch)));
  }

  /** Reads all of a channel that is on its topic now. */
  void read(Consumer<byte[], byte[]> consumer, Channel channel) throws UndecodableException {
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
    while (partitions.stream().anyMatch(of -> consumer.position(of) < ends.get(of))) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (Arrays.equals(record.key(), gateway) && record.value() != null) {
          see(channel, record, format);
        }
      }
    }
  }

  private void see(
      Channel channel, ConsumerRecord<byte[], byte[]> record, ValueFormat.Reader format)
      throws UndecodableException {
    byte[] value = format.admit(record.value(), record.headers());
    try {
      see(name(channel, record.partition(), value), value);
    } catch (InvalidProtocolBufferException e) {
      // Somebody else's, who has taken this key.
      return;
    }
  }

  private static Name name(Channel channel, int partition, byte[] value)
      throws InvalidProtocolBufferException {
    if (channel == Channel.READINGS) {
      ReadingBatch batch = ReadingBatch.parseFrom(value);
      return new Name(channel, partition, batch.getBootId(), batch.getSequence());
    }
    EventBatch batch = EventBatch.parseFrom(value);
    return new Name(channel, partition, batch.getBootId(), batch.getSequence());
  }

  private void see(Name name, byte[] value) throws InvalidProtocolBufferException {
    highestBoot = Math.max(highestBoot, name.bootId());
    boolean isLater =
        name.bootId() > state.bootId()
            || name.bootId() == state.bootId()
                && name.sequence() > state.sequences().last(name.channel(), name.partition());
    if (!isLater && !inFlight.contains(name) || !seen.add(name)) {
      return;
    }
    if (isLater) {
      for (Verdict item : Contents.of(name.channel(), value)) {
        later.add(item);
        laterRows++;
      }
    }
  }

  boolean isSent(SentBatch batch) {
    return seen.contains(Name.of(batch));
  }

  /** What was sent after the state. */
  Contents later() {
    return later;
  }

  long laterRows() {
    return laterRows;
  }

  /** The highest boot id that was found, or the state's. */
  long highestBoot() {
    return highestBoot;
  }
}
