package io.weir.app;

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
 * Distinguishes a transaction in progress from a hanging one: open in a partition, and not known to
 * its coordinator any more, so that nothing will ever end it there. Safe for many threads.
 */
public final class HangingTransactions {
  private static final Set<TransactionState> UNDER_WAY =
      Set.of(
          TransactionState.ONGOING,
          TransactionState.PREPARE_COMMIT,
          TransactionState.PREPARE_ABORT,
          TransactionState.PREPARE_EPOCH_FENCE);

  /** What is found where nothing is open at that offset any more. */
  public static final Finding ENDED = new Finding(true, "a transaction that has ended meanwhile");

  private final Admin admin;

  public HangingTransactions(Admin admin) {
    this.admin = admin;
  }

  /**
   * What keeps a last stable offset where it is.
   *
   * @param isUnderWay whether the coordinator knows of it and will end it
   * @param description for a person: whose it is, and what its coordinator says of it
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
      return new Finding(
          false, "a transaction; to name its producer the right to READ the topic is missing");
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
          UNDER_WAY.contains(found.state()) && found.topicPartitions().contains(partition);
      return new Finding(
          isUnderWay, whose + " (" + id + ", which its coordinator calls " + found.state() + ")");
    }
    return new Finding(false, whose + " (which no coordinator knows)");
  }
}
