package io.weir.internal.sink;

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
 * The partitions that are assigned to this process. A new one is paused until it is acquired in the
 * database, which has its next offset. For the consumer's thread.
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
   * @param batch records that are not written: those of revoked partitions are dropped, because the
   *     next owner reads them again
   * @param unread records that are in no batch yet, likewise
   * @param writing the current write, which ends before a partition is revoked, so that its next
   *     owner continues after it
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

  /** Acquires all acquired partitions again. */
  void reopenAll() {
    reopen(List.copyOf(owned.keySet()));
  }

  /** Acquires partitions again before the next read. */
  void reopen(Collection<TopicPartition> partitions) {
    forget(partitions);
    toOpen.addAll(partitions);
    consumer.pause(partitions);
    // Any position: without one the consumer would look for a committed offset, and fail.
    partitions.forEach(partition -> consumer.seek(partition, 0));
  }

  private void forget(Collection<TopicPartition> partitions) {
    partitions.forEach(owned::remove);
    batch.drop(partitions);
    unread.drop(partitions);
  }

  /** A partition was acquired: reads it from its next offset. */
  void opened(PartitionOwnership ownership) {
    TopicPartition partition = ownership.partition();
    owned.put(partition, ownership);
    toOpen.remove(partition);
    consumer.seek(partition, ownership.position());
    consumer.resume(List.of(partition));
  }

  /** Pauses reading. */
  void pause() {
    consumer.pause(owned.keySet());
  }

  void resume() {
    consumer.resume(owned.keySet());
  }

  /** Whether the group has completed an assignment, possibly an empty one. */
  boolean hasJoined() {
    return joined;
  }

  Set<TopicPartition> toOpen() {
    return toOpen;
  }

  Map<TopicPartition, PartitionOwnership> owned() {
    return owned;
  }

  /** The ownerships of a batch's partitions. */
  List<PartitionOwnership> ownedOf(Batch batch) {
    return batch.nextOffsets().keySet().stream().map(owned::get).toList();
  }

  /**
   * Whether the topics are unchanged since the acquisition, and not deleted and recreated.
   *
   * @param ids the present ids of topics by name
   */
  static boolean areSameTopics(Collection<PartitionOwnership> owned, Map<String, Uuid> ids) {
    return owned.stream()
        .allMatch(ownership -> ownership.topicId().equals(ids.get(ownership.partition().topic())));
  }
}
