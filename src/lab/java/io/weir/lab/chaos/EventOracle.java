package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.lab.oracle.EventCheck;
import io.weir.lab.oracle.GroupSummaryCheck;
import io.weir.lab.oracle.NaiveEventRules;
import io.weir.lab.oracle.PartsCheck;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Holds what is on the outputs of {@code weir events} against a naive pass over its inputs, up to
 * the offsets that it committed: those and the outputs are one transaction. So the verdict is that
 * of the moment at which it was stopped, and nothing has to be waited for. A few partitions at a
 * time are in memory. One thread.
 */
final class EventOracle {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int PARTITIONS_AT_A_TIME = 16;

  private final ChaosCluster cluster;
  private final NaiveEventRules rules;
  private final TopicNames topics = TopicNames.ALL;

  EventOracle(ChaosCluster cluster, NaiveEventRules rules) {
    this.cluster = cluster;
    this.rules = rules;
  }

  /**
   * Reads everything. While the applications run, what is found may be under way.
   *
   * @param unsettled what was waited for in vain
   */
  EventVerdict judge(List<String> unsettled) {
    return read(unsettled).build();
  }

  /** The same, where others have something to add. */
  EventVerdict.Builder read(List<String> unsettled) {
    Map<TopicPartition, Long> readTo = committed(EventsApplication.EVENTS_APPLICATION_ID);
    EventVerdict.Builder verdict = new EventVerdict.Builder();
    PartsCheck parts = new PartsCheck(rules);
    long nowMs = System.currentTimeMillis();
    try (KafkaConsumer<byte[], byte[]> consumer = CommittedTopic.consumer(cluster.direct())) {
      for (int from = 0; from < SensorPartition.COUNT; from += PARTITIONS_AT_A_TIME) {
        int to = Math.min(from + PARTITIONS_AT_A_TIME, SensorPartition.COUNT);
        judge(consumer, IntStream.range(from, to).boxed().toList(), readTo, parts, verdict, nowMs);
      }
    }
    new RelayOracle(cluster, rules.gateways())
        .judge(committed(RelayProgram.POSTS), committed(RelayProgram.ACCOUNTS), verdict);
    new HandlerOracle(cluster, rules.gateways())
        .judge(committed(HandlerProgram.APPLICATION_ID), verdict);
    return verdict.add(parts).unsettled(unsettled);
  }

  private void judge(
      KafkaConsumer<byte[], byte[]> consumer,
      List<Integer> partitions,
      Map<TopicPartition, Long> readTo,
      PartsCheck parts,
      EventVerdict.Builder verdict,
      long nowMs) {
    Map<Integer, EventCheck> events = new HashMap<>();
    Map<Integer, GroupSummaryCheck> groups = new HashMap<>();
    for (int partition : partitions) {
      Map<String, Long> to = new HashMap<>();
      readTo.forEach(
          (input, offset) -> {
            if (input.partition() == partition) {
              to.put(input.topic(), offset);
            }
          });
      long partsTo = to.getOrDefault(topics.of(Topic.GROUP_PARTS), 0L);
      events.put(partition, new EventCheck(topics, rules, partition, to));
      groups.put(partition, new GroupSummaryCheck(topics, rules, partition, partsTo, parts));
    }
    List<Topic> ofEvents = List.of(Topic.SCHEDULED, Topic.EVENTS, Topic.FOLDED, Topic.DEAD_LETTERS);
    for (Topic topic : ofEvents) {
      read(consumer, topic, partitions, record -> events.get(record.partition()).take(record));
    }
    read(consumer, Topic.WINDOWS, partitions, record -> summary(record, readTo, parts, verdict));
    for (Topic topic : List.of(Topic.GROUP_PARTS, Topic.GROUPS)) {
      read(consumer, topic, partitions, record -> groups.get(record.partition()).take(record));
    }
    events.values().forEach(check -> verdict.add(check, nowMs));
    groups.values().forEach(verdict::add);
  }

  private static void summary(
      ConsumerRecord<byte[], byte[]> record,
      Map<TopicPartition, Long> readTo,
      PartsCheck parts,
      EventVerdict.Builder verdict) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    if (record.offset() >= readTo.getOrDefault(partition, 0L)) {
      verdict.unread();
      return;
    }
    try {
      parts.summary(record);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a summary that is none", e);
    }
  }

  private void read(
      KafkaConsumer<byte[], byte[]> consumer,
      Topic topic,
      List<Integer> of,
      Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    List<TopicPartition> partitions =
        of.stream().map(partition -> new TopicPartition(topics.of(topic), partition)).toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
      consumer.poll(POLL).forEach(reader);
    }
  }

  private Map<TopicPartition, Long> committed(String group) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    try {
      Map<TopicPartition, OffsetAndMetadata> committed =
          cluster.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
      committed.forEach((partition, offset) -> offsets.put(partition, offset.offset()));
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return offsets;
  }
}
