package io.weir.lab.chaos;

import io.weir.internal.app.HangingTransactions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The operator who follows the alert WeirOutputBlocked: aborts transactions that are open in a
 * partition although their coordinator has aborted them, or does not know that they are open there.
 * A broker that is killed while it ends a transaction can leave such. One thread.
 */
final class ForgottenTransactions {
  private final Admin admin;
  private Map<TopicPartition, List<ProducerState>> before = Map.of();

  ForgottenTransactions(Admin admin) {
    this.admin = admin;
  }

  /**
   * Aborts those that were open at the last call too.
   *
   * @return producers, each with how many of its partitions were open
   */
  private Map<String, Integer> abort() throws ExecutionException, InterruptedException {
    Map<Long, TransactionDescription> byProducer = new HashMap<>();
    List<String> ids =
        admin.listTransactions().all().get().stream()
            .map(TransactionListing::transactionalId)
            .toList();
    for (TransactionDescription each : admin.describeTransactions(ids).all().get().values()) {
      byProducer.put(each.producerId(), each);
    }
    Map<TopicPartition, List<ProducerState>> open = open();
    Map<String, Integer> aborted = new TreeMap<>();
    for (Map.Entry<TopicPartition, List<ProducerState>> each : open.entrySet()) {
      List<ProducerState> known = before.getOrDefault(each.getKey(), List.of());
      for (ProducerState producer : each.getValue()) {
        TransactionDescription transaction = byProducer.get(producer.producerId());
        if (known.contains(producer)
            && transaction != null
            && isForgotten(transaction, each.getKey(), producer)) {
          admin.abortTransaction(specification(each.getKey(), producer)).all().get();
          aborted.merge("producer " + producer.producerId(), 1, Integer::sum);
        }
      }
    }
    before = open;
    return aborted;
  }

  /** The same, and says what it did. */
  void abort(Consumer<String> progress) {
    try {
      abort()
          .forEach(
              (producer, count) ->
                  progress.accept(
                      "       aborted as an operator: a transaction of %s, open in %d partitions"
                          .formatted(producer, count)));
    } catch (ExecutionException | KafkaException e) {
      progress.accept("       open transactions are not known: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isForgotten(
      TransactionDescription transaction, TopicPartition partition, ProducerState open) {
    if (!HangingTransactions.isOfEpoch(transaction, open)) {
      return true;
    }
    return switch (transaction.state()) {
      case ONGOING -> !transaction.topicPartitions().contains(partition);
      case COMPLETE_ABORT, EMPTY -> true;
      default -> false;
    };
  }

  private static AbortTransactionSpec specification(TopicPartition where, ProducerState producer) {
    return new AbortTransactionSpec(
        where,
        producer.producerId(),
        (short) producer.producerEpoch(),
        Math.max(0, producer.coordinatorEpoch().orElse(0)));
  }

  private Map<TopicPartition, List<ProducerState>> open()
      throws ExecutionException, InterruptedException {
    Set<String> names = admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get();
    Collection<TopicDescription> topics =
        admin.describeTopics(names).allTopicNames().get().values();
    List<TopicPartition> partitions = new ArrayList<>();
    for (TopicDescription topic : topics) {
      topic
          .partitions()
          .forEach(each -> partitions.add(new TopicPartition(topic.name(), each.partition())));
    }
    DescribeProducersResult producers = admin.describeProducers(partitions);
    Map<TopicPartition, List<ProducerState>> open = new HashMap<>();
    for (TopicPartition partition : partitions) {
      open.put(
          partition,
          producers.partitionResult(partition).get().activeProducers().stream()
              .filter(each -> each.currentTransactionStartOffset().isPresent())
              .toList());
    }
    return open;
  }
}
