package io.weir.sink;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The partitions that the consumer group gave to this process. One that is new is paused until it
 * is taken over in the database, which says where it goes on. For the consumer's thread.
 */
final class Assignment implements ConsumerRebalanceListener {
  private final Consumer<byte[], byte[]> consumer;
  private final Batch batch;
  private final Unread unread;
  private final WriterThread writing;
  private final Map<TopicPartition, PartitionOwnership> owned = new HashMap<>();
  private final Set<TopicPartition> toOpen = new HashSet<>();
  private boolean joined;

  /**
   * @param batch what is read and not written: what is of a partition that goes is dropped, for its
   *     next owner reads it again
   * @param unread what is in no batch yet, likewise
   * @param writing what is written to its end before a partition goes, so that its next owner goes
   *     on behind it
   */
  Assignment(Consumer<byte[], byte[]> consumer, Batch batch, Unread unread, WriterThread writing) {
    this.consumer = consumer;
    this.batch = batch;
    this.unread = unread;
    this.writing = writing;
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    joined = true;
    reopen(partitions);
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    writing.await();
    forget(partitions);
    toOpen.removeAll(partitions);
  }

  /** All partitions that were taken over are taken over again. */
  void reopenAll() {
    reopen(List.copyOf(owned.keySet()));
  }

  /** Takes partitions over again before anything more is read of them. */
  void reopen(Collection<TopicPartition> partitions) {
    forget(partitions);
    toOpen.addAll(partitions);
    consumer.pause(partitions);
    // Anywhere: without a position the consumer would look for one, and refuse to go on.
    partitions.forEach(partition -> consumer.seek(partition, 0));
  }

  private void forget(Collection<TopicPartition> partitions) {
    partitions.forEach(owned::remove);
    batch.drop(partitions);
    unread.drop(partitions);
  }

  /** A partition was taken over: it is read from where it goes on. */
  void opened(PartitionOwnership ownership) {
    TopicPartition partition = ownership.partition();
    owned.put(partition, ownership);
    toOpen.remove(partition);
    consumer.seek(partition, ownership.nextOffset());
    consumer.resume(List.of(partition));
  }

  /** Reads nothing more for a while. */
  void pause() {
    consumer.pause(owned.keySet());
  }

  void resume() {
    consumer.resume(owned.keySet());
  }

  /** Whether the group has shared the partitions out, be it none of them to this process. */
  boolean hasJoined() {
    return joined;
  }

  Set<TopicPartition> toOpen() {
    return toOpen;
  }

  Map<TopicPartition, PartitionOwnership> owned() {
    return owned;
  }

  /** Those of a batch's partitions. */
  List<PartitionOwnership> ownedOf(Batch of) {
    return of.nextOffsets().keySet().stream().map(owned::get).toList();
  }

  /**
   * Whether the topics of these are still those that were taken over, and not deleted and recreated
   * since.
   *
   * @param ids the present ids of topics by name
   */
  static boolean areSameTopics(Collection<PartitionOwnership> owned, Map<String, Uuid> ids) {
    return owned.stream()
        .allMatch(ownership -> ownership.topicId().equals(ids.get(ownership.partition().topic())));
  }
}
