package io.weir.internal.app;

import io.weir.topic.KafkaFutures;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Distinguishes a transaction in progress from a hanging one: open in a partition and unknown to
 * its coordinator, so that it never ends. Safe for many threads.
 */
public final class HangingTransactions {
  private static final Set<TransactionState> UNDER_WAY =
      Set.of(
          TransactionState.ONGOING,
          TransactionState.PREPARE_COMMIT,
          TransactionState.PREPARE_ABORT,
          TransactionState.PREPARE_EPOCH_FENCE);

  /** The result if no transaction is open at that offset any more. */
  public static final Finding ENDED = new Finding(true, "a transaction that has just ended");

  private final Admin admin;

  public HangingTransactions(Admin admin) {
    this.admin = admin;
  }

  /**
   * The transaction that blocks a last stable offset.
   *
   * @param isUnderWay whether the coordinator knows it and will end it
   * @param description text: its producer and its state at the coordinator
   */
  public record Finding(boolean isUnderWay, String description) {}

  /**
   * Asks the partition's leader and the coordinators.
   *
   * @throws KafkaException if they do not answer
   */
  public Finding find(TopicPartition partition, long lastStableOffset) {
    try {
      return KafkaFutures.await(admin.describeProducers(List.of(partition)).all())
          .get(partition)
          .activeProducers()
          .stream()
          .filter(each -> each.currentTransactionStartOffset().orElse(-1) == lastStableOffset)
          .findFirst()
          .map(producer -> ask(partition, producer))
          .orElse(ENDED);
    } catch (AuthorizationException e) {
      return new Finding(false, "a transaction; naming its producer needs READ on the topic");
    }
  }

  private Finding ask(TopicPartition partition, ProducerState producer) {
    String whose =
        "a transaction of producer "
            + producer.producerId()
            + ", epoch "
            + producer.producerEpoch();
    ListTransactionsOptions options =
        new ListTransactionsOptions().filterProducerIds(List.of(producer.producerId()));
    for (TransactionListing listing : KafkaFutures.await(admin.listTransactions(options).all())) {
      String id = listing.transactionalId();
      TransactionDescription found =
          KafkaFutures.await(admin.describeTransactions(List.of(id)).description(id));
      boolean isUnderWay =
          UNDER_WAY.contains(found.state())
              && found.topicPartitions().contains(partition)
              && isOfEpoch(found, producer);
      return new Finding(
          isUnderWay, whose + " (" + id + ", which its coordinator calls " + found.state() + ")");
    }
    return new Finding(false, whose + " (which no coordinator knows)");
  }

  /**
   * Whether a coordinator speaks of the transaction that is open in a partition, and of none that
   * its producer began later. The end of a transaction has the epoch after that of its records.
   */
  public static boolean isOfEpoch(TransactionDescription transaction, ProducerState open) {
    return transaction.producerEpoch() - open.producerEpoch() <= 1;
  }
}
