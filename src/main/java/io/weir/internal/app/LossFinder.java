package io.weir.internal.app;

import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.Life;
import io.weir.internal.redrive.KnownOffsets;
import io.weir.internal.redrive.PublishedWindows;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.store.KeptPosition;
import io.weir.internal.store.KeptWindows;
import io.weir.internal.store.PartitionState;
import io.weir.internal.topology.EventTopology;
import io.weir.internal.topology.WeirTopology;
import io.weir.topic.KafkaFutures;
import io.weir.topic.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Finds the loss of an application in an input partition: compares its state in the changelog with
 * its committed offset and the topic. Changes nothing. One thread.
 */
public final class LossFinder {
  private static final Duration POLL = Duration.ofMillis(500);

  /** The application may commit between the look at its offset and the one at its state. */
  private static final int MOST_LOOKS = 5;

  private static final Map<Topic, String> STORES =
      Map.of(
          Topic.READINGS, WeirTopology.STORE,
          Topic.SCHEDULED, EventTopology.TIMERS_STORE,
          Topic.EVENTS, EventTopology.FOLDS_STORE,
          Topic.WINDOWS, EventTopology.GROUP_PARTS_STORE,
          Topic.ROLLUPS, EventTopology.GROUP_PARTS_STORE,
          Topic.GROUP_PARTS, EventTopology.GROUPS_STORE);

  private final Admin admin;
  private final Function<Topic, String> names;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final ValueFormat values;
  private final List<KnownOffsets> noWindows;

  /**
   * @param names of topics on the cluster
   * @param consumers creates a read_committed consumer without a group and with
   *     auto.offset.reset=none; closed after use
   * @param values the format of windows on their topic
   * @param noWindows offsets of it whose records need not be windows
   */
  public LossFinder(
      Admin admin,
      Function<Topic, String> names,
      Supplier<Consumer<byte[], byte[]>> consumers,
      ValueFormat values,
      List<KnownOffsets> noWindows) {
    this.values = values;
    this.noWindows = noWindows;
    this.admin = admin;
    this.names = names;
    this.consumers = consumers;
  }

  /**
   * A loss.
   *
   * @param topicId the current id of the topic
   * @param life of the state that ends in front of it; {@link Life#NONE} for none
   * @param stateEnd the offset after the last record that was applied to the state
   * @param nextOffset the offset at which reading would continue
   * @param records committed records between the two that still exist
   * @param what description
   * @param windows of readings: those of the state
   */
  public record Loss(
      Uuid topicId,
      Life life,
      long stateEnd,
      long nextOffset,
      long records,
      String what,
      KeptWindows windows) {
    Loss(Uuid topicId, long stateEnd, long nextOffset, long records, String what) {
      this(topicId, Life.NONE, stateEnd, nextOffset, records, what, new KeptWindows());
    }

    private Loss with(Life ofState, KeptWindows ofWindows) {
      return new Loss(topicId, ofState, stateEnd, nextOffset, records, what, ofWindows);
    }

    private boolean is(Gap gap) {
      return gap.from() == stateEnd && gap.to() == nextOffset;
    }
  }

  /**
   * Returns the loss; empty if there is none.
   *
   * @throws StartRefusedException if the application or the topic does not exist, or has read
   *     nothing of the partition, or is still in front of records that were deleted unread
   */
  public Optional<Loss> find(String applicationId, String topic, int partition) {
    TopicPartition input = new TopicPartition(topic, partition);
    Uuid topicId =
        KafkaFutures.await(admin.describeTopics(List.of(topic)).allTopicNames())
            .get(topic)
            .topicId();
    OffsetAndMetadata offset;
    KeptPosition state;
    OffsetAndMetadata after = offset(applicationId, input);
    int looks = 0;
    do {
      offset = after;
      state = state(applicationId, input);
      after = offset(applicationId, input);
    } while (!Objects.equals(offset, after) && ++looks < MOST_LOOKS);
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      KeptPosition kept = state;
      // If it commits all the time, its state is whole: only unread records can be lost.
      Optional<Loss> found =
          Objects.equals(offset, after)
              ? find(consumer, input, topicId, offset, kept)
              : deletedUnread(
                  kept,
                  kept.nextOffset(),
                  topicId,
                  consumer.beginningOffsets(Set.of(input)).get(input));
      return found.map(loss -> withWindows(loss, consumer, applicationId, input, kept));
    }
  }

  /**
   * Returns the loss of an import, which has no state besides its offset; empty if there is none.
   *
   * @throws StartRefusedException if the group has no offset of the partition
   */
  public Optional<Loss> findOfImport(String group, String topic, int partition) {
    TopicPartition input = new TopicPartition(topic, partition);
    Uuid topicId =
        KafkaFutures.await(admin.describeTopics(List.of(topic)).allTopicNames())
            .get(topic)
            .topicId();
    OffsetAndMetadata offset = offset(group, input);
    if (offset == null) {
      throw new StartRefusedException("no offset of " + input + " in the group " + group);
    }
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      long begin = consumer.beginningOffsets(Set.of(input)).get(input);
      long end = consumer.endOffsets(Set.of(input)).get(input);
      OptionalLong cutOff = cutOff(consumer, input, offset, end);
      if (cutOff.isPresent()) {
        String what = "the topic lost its end";
        return Optional.of(new Loss(topicId, offset.offset(), cutOff.getAsLong(), 0, what));
      }
      String what = "records were deleted before they were imported";
      return begin > offset.offset()
          ? Optional.of(new Loss(topicId, offset.offset(), begin, 0, what))
          : Optional.empty();
    }
  }

  /** A record of a window must not be replaced by one with fewer readings. */
  private Loss withWindows(
      Loss loss,
      Consumer<byte[], byte[]> consumer,
      String applicationId,
      TopicPartition input,
      KeptPosition state) {
    if (!names.apply(Topic.READINGS).equals(input.topic())) {
      return loss;
    }
    Optional<Gap> met = state.gap().filter(loss::is);
    // A tool that sets offsets removes the life from them.
    Life life = met.map(Gap::life).or(state::life).orElse(Life.NONE);
    KeptWindows windows = new KeptWindows();
    if (state.life().isPresent()) {
      TopicPartition changelog =
          new TopicPartition(
              StreamsInput.changelog(applicationId, WeirTopology.STORE), input.partition());
      PartitionState restored = PartitionState.ofWindows(state.windowSizeMs());
      read(changelog, restored::restore);
      restored.resume();
      windows.add(restored, met.isPresent());
    }
    if (!windows.isEmpty()) {
      TopicPartition topic = new TopicPartition(names.apply(Topic.WINDOWS), input.partition());
      PublishedWindows.read(
          consumer, values, topic, state.windowSizeMs(), noWindows, windows::published);
    }
    return loss.with(life, windows);
  }

  private static Optional<Loss> find(
      Consumer<byte[], byte[]> consumer,
      TopicPartition input,
      Uuid topicId,
      OffsetAndMetadata offset,
      KeptPosition state) {
    long begin = consumer.beginningOffsets(Set.of(input)).get(input);
    long end = consumer.endOffsets(Set.of(input)).get(input);
    long stateEnd =
        CommitMarks.committed(offset)
            .map(committed -> committed.endOf(state.nextOffset()))
            .orElse(state.nextOffset());
    if (stateEnd > 0
        && !state.topicId().equals(Uuid.ZERO_UUID)
        && !state.topicId().equals(topicId)) {
      return Optional.of(
          new Loss(topicId, stateEnd, begin, 0, "the topic was deleted and recreated"));
    }
    if (offset == null && stateEnd > end) {
      return Optional.of(new Loss(topicId, stateEnd, begin, 0, "the topic lost its end"));
    }
    if (offset == null && stateEnd == 0 && begin > 0) {
      throw new StartRefusedException(
          "the application has read nothing of " + input + ": start it first");
    }
    if (offset == null) {
      // It continues at the end of the state, or at the first existing record after it.
      return deletedUnread(state, stateEnd, topicId, begin);
    }
    OptionalLong cutOff = cutOff(consumer, input, offset, end);
    if (cutOff.isPresent() && cutOff.getAsLong() < stateEnd) {
      return Optional.of(
          new Loss(topicId, stateEnd, cutOff.getAsLong(), 0, "the topic lost its end"));
    }
    Optional<CommitMarks.Committed> ofState =
        CommitMarks.committed(offset).filter(one -> one.isOfState(stateEnd));
    if (ofState.isPresent()) {
      // For any offset: a complete state sets the position of its consumer. If only transaction
      // markers were deleted, nothing was lost.
      boolean wasRead = begin <= ofState.get().readThrough(stateEnd);
      return deletedUnread(state, stateEnd, topicId, wasRead ? stateEnd : begin);
    }
    long next = Math.max(begin, offset.offset());
    if (next < stateEnd) {
      return Optional.of(
          new Loss(topicId, stateEnd, Math.max(begin, stateEnd), 0, "offsets were set back"));
    }
    long records = records(consumer, input, Math.max(stateEnd, begin), next);
    long applied =
        CommitMarks.committed(offset)
            .map(CommitMarks.Committed::applied)
            .orElse(OptionalLong.empty())
            .orElse(records > 0 || begin > stateEnd ? offset.offset() : 0);
    if (applied > stateEnd || records > 0) {
      return Optional.of(new Loss(topicId, stateEnd, next, records, "the changelog lost its end"));
    }
    return deletedUnread(state, stateEnd, topicId, begin);
  }

  private static Optional<Loss> deletedUnread(
      KeptPosition state, long stateEnd, Uuid topicId, long begin) {
    String what = "records were deleted before they were read";
    if (begin > stateEnd && state.life().isPresent()) {
      // More may be deleted until it gets there, and the order would be of another gap.
      throw new StartRefusedException(
          what
              + ", offsets "
              + stateEnd
              + " to "
              + (begin - 1)
              + ", and the application has not read past them yet: start it, and run this command "
              + "again after at most 30 s");
    }
    return begin > stateEnd
        ? Optional.of(new Loss(topicId, stateEnd, begin, 0, what))
        : state.gap().map(gap -> new Loss(topicId, gap.from(), gap.to(), 0, what));
  }

  /**
   * The offset from which a topic that lost its end has other records than those that were read.
   */
  private static OptionalLong cutOff(
      Consumer<byte[], byte[]> consumer, TopicPartition input, OffsetAndMetadata offset, long end) {
    if (offset.offset() > end) {
      return OptionalLong.of(end);
    }
    consumer.assign(Set.of(input));
    consumer.seek(input, offset);
    try {
      consumer.poll(POLL);
      // The first poll may have only validated the leader epochs.
      consumer.poll(POLL);
    } catch (LogTruncationException e) {
      return OptionalLong.of(e.divergentOffsets().get(input).offset());
    } catch (OffsetOutOfRangeException e) {
      return OptionalLong.empty(); // Deleted.
    }
    return OptionalLong.empty();
  }

  private static long records(
      Consumer<byte[], byte[]> consumer, TopicPartition input, long from, long to) {
    if (from >= to) {
      return 0;
    }
    consumer.assign(Set.of(input));
    consumer.seek(input, from);
    long records = 0;
    while (consumer.position(input) < to) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        records += record.offset() < to ? 1 : 0;
      }
    }
    return records;
  }

  /** The stable offset: while a transaction ends, the plain one can be older than the state. */
  private OffsetAndMetadata offset(String applicationId, TopicPartition input) {
    try {
      return KafkaFutures.await(
              admin
                  .listConsumerGroupOffsets(
                      Map.of(
                          applicationId,
                          new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(input))),
                      new ListConsumerGroupOffsetsOptions().requireStable(true))
                  .partitionsToOffsetAndMetadata(applicationId))
          .get(input);
    } catch (GroupIdNotFoundException e) {
      return null;
    }
  }

  private KeptPosition state(String applicationId, TopicPartition input) {
    String prefix = applicationId + "-";
    Set<String> changelogs =
        KafkaFutures.await(admin.listTopics().names()).stream()
            .filter(name -> name.startsWith(prefix) && name.endsWith("-changelog"))
            .collect(Collectors.toSet());
    String store =
        STORES.entrySet().stream()
            .filter(one -> names.apply(one.getKey()).equals(input.topic()))
            .map(Map.Entry::getValue)
            .filter(one -> changelogs.contains(StreamsInput.changelog(applicationId, one)))
            .findFirst()
            .orElse("");
    String changelog =
        store.isEmpty() && changelogs.size() == 1
            ? changelogs.iterator().next()
            : StreamsInput.changelog(applicationId, store);
    if (changelogs.isEmpty() && offset(applicationId, input) != null) {
      return positionOf(store); // It was deleted.
    }
    if (!changelogs.contains(changelog)) {
      throw new StartRefusedException(
          "application "
              + applicationId
              + " has no changelog of "
              + input.topic()
              + " on the cluster: check the application's id and its input topic");
    }
    if (store.isEmpty()
        && STORES.values().stream()
            .anyMatch(one -> StreamsInput.changelog(applicationId, one).equals(changelog))) {
      throw new StartRefusedException(
          "application "
              + applicationId
              + " reads another topic than "
              + input.topic()
              + " by these settings: set weir.topic.readings, the other names of topics, and"
              + " weir.plant as it has them");
    }
    KeptPosition position = positionOf(store);
    read(new TopicPartition(changelog, input.partition()), position::take);
    return position;
  }

  /** For a partition that was never read. */
  static KeptPosition positionOf(String store) {
    return new KeptPosition(
        switch (store) {
          case WeirTopology.STORE -> KeptPosition.Kind.WINDOWS;
          case EventTopology.GROUP_PARTS_STORE -> KeptPosition.Kind.GROUP_PARTS;
          default -> KeptPosition.Kind.OTHER;
        });
  }

  private void read(TopicPartition changelog, BiConsumer<byte[], byte[]> entries) {
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      consumer.assign(Set.of(changelog));
      consumer.seekToBeginning(Set.of(changelog));
      long end = consumer.endOffsets(Set.of(changelog)).get(changelog);
      while (consumer.position(changelog) < end) {
        for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(POLL)) {
          entries.accept(entry.key(), entry.value());
        }
      }
    }
  }
}
