package io.weir.internal.app;

import io.weir.topic.KafkaFutures;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersOptions;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.DescribeTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.internals.Topic;

/**
 * Distinguishes an open transaction from one that may be half committed: its coordinator wrote
 * markers, and lost the decision with the end of its log. The coordinator then reports an ongoing
 * transaction that has ended in some partitions, above all in that of the offsets. An abort would
 * drop the data of committed offsets.
 *
 * <p>An open transaction looks the same for a moment, because a partition is added before the first
 * write to it. So only a transaction with this result in two checks, some time apart, may be half
 * committed.
 */
final class HalfEndedTransactions {
  private final Admin admin;
  private final int answerMs;

  /**
   * @param answerMs the longest wait for an answer of the brokers
   */
  HalfEndedTransactions(Admin admin, int answerMs) {
    this.admin = admin;
    this.answerMs = answerMs;
  }

  /**
   * The partitions in which a transaction that its coordinator reports as open seems to have ended;
   * empty if none, or if all of it has ended.
   *
   * @throws AuthorizationException without READ on __consumer_offsets
   * @throws KafkaException if the brokers do not answer
   */
  Optional<TopicPartition> endedIn(String id, TransactionDescription transaction) {
    Collection<TopicPartition> partitions = transaction.topicPartitions();
    Map<Boolean, List<TopicPartition>> byKind =
        partitions.stream().collect(Collectors.partitioningBy(HalfEndedTransactions::isOffsets));
    Optional<TopicPartition> ended =
        byKind.get(true).stream().filter(each -> !isOpen(each, transaction)).findFirst();
    if (ended.isEmpty()) {
      ended = byKind.get(false).stream().filter(each -> hasNewer(each, transaction)).findFirst();
    }
    return ended.filter(where -> isStillOpen(id, transaction));
  }

  private static boolean isOffsets(TopicPartition partition) {
    return partition.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME);
  }

  private boolean isOpen(TopicPartition partition, TransactionDescription transaction) {
    return producers(partition).stream()
        .anyMatch(
            each ->
                each.producerId() == transaction.producerId()
                    && each.currentTransactionStartOffset().isPresent());
  }

  /** A marker has a newer epoch than its transaction, since version 2 of the protocol. */
  private boolean hasNewer(TopicPartition partition, TransactionDescription transaction) {
    try {
      return producers(partition).stream()
          .anyMatch(
              each ->
                  each.producerId() == transaction.producerId()
                      && each.producerEpoch() > transaction.producerEpoch()
                      && each.currentTransactionStartOffset().isEmpty());
    } catch (AuthorizationException e) {
      return false; // READ on an output is optional: the partition of the offsets matters most.
    }
  }

  private List<ProducerState> producers(TopicPartition partition) {
    KafkaFuture<PartitionProducerState> state =
        admin
            .describeProducers(
                List.of(partition), new DescribeProducersOptions().timeoutMs(answerMs))
            .partitionResult(partition);
    return KafkaFutures.await(state).activeProducers();
  }

  private boolean isStillOpen(String id, TransactionDescription before) {
    try {
      TransactionDescription now =
          KafkaFutures.await(
              admin
                  .describeTransactions(
                      List.of(id), new DescribeTransactionsOptions().timeoutMs(answerMs))
                  .description(id));
      return now.state() == TransactionState.ONGOING
          && now.producerId() == before.producerId()
          && now.producerEpoch() == before.producerEpoch()
          && now.transactionStartTimeMs().equals(before.transactionStartTimeMs());
    } catch (TransactionalIdNotFoundException e) {
      return false;
    }
  }
}
