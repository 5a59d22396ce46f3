package io.weir.lab;

import io.weir.Await;
import io.weir.topic.KafkaFutures;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;

/**
 * A transaction's end is decided when the producer is notified, and completed a moment later: until
 * then readers of committed records see the topic end before the transaction.
 */
public final class Commits {
  private Commits() {}

  /** Waits until all partitions have the marker of the last transaction, which was ended. */
  public static void awaitCompleted(EmbeddedKafka kafka, String transactionalId) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      awaitCompleted(admin, transactionalId);
    }
  }

  /** The same, over a connection that is there already. */
  public static void awaitCompleted(Admin admin, String transactionalId) {
    TransactionState state;
    do {
      Await.pause();
      state =
          KafkaFutures.await(
                  admin.describeTransactions(List.of(transactionalId)).description(transactionalId))
              .state();
    } while (state != TransactionState.COMPLETE_COMMIT && state != TransactionState.COMPLETE_ABORT);
  }
}
