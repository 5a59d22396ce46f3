package io.weir.dev;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;

/** A commit is decided when the producer is notified, and completed a moment later. */
public final class Commits {
  private Commits() {}

  /** Waits until all partitions have the marker of a transaction that was committed. */
  public static void awaitCompleted(EmbeddedKafka kafka, String transactionalId)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      TransactionState state;
      do {
        state =
            admin
                .describeTransactions(List.of(transactionalId))
                .description(transactionalId)
                .get()
                .state();
      } while (state != TransactionState.COMPLETE_COMMIT);
    }
  }
}
