package io.weir.cli.doctor;

import io.weir.internal.app.HangingTransactions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Finds transactions that block read_committed consumers. */
final class TransactionsCheck implements Check {
  private static final int MOST_ASKED = 20;

  @Override
  public String name() {
    return "transactions";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    Map<HangingTransactions.Finding, List<TopicPartition>> blocked = new LinkedHashMap<>();
    HangingTransactions transactions = new HangingTransactions(cluster.admin());
    cluster.before().stable().keySet().stream()
        .filter(partition -> isBlocked(cluster, partition))
        .limit(MOST_ASKED)
        .forEach(
            partition ->
                blocked
                    .computeIfAbsent(
                        transactions.find(partition, cluster.after().stable().get(partition)),
                        any -> new ArrayList<>())
                    .add(partition));
    blocked.remove(HangingTransactions.ENDED);
    return blocked.entrySet().stream()
        .map(each -> finding(cluster.after(), each.getKey(), each.getValue()))
        .toList();
  }

  /**
   * Whether the last stable offset did not advance, and records followed it at the first sample.
   */
  private static boolean isBlocked(Examination cluster, TopicPartition partition) {
    Long stable = cluster.before().stable().get(partition);
    return stable.equals(cluster.after().stable().get(partition))
        && cluster.before().end().get(partition) > stable;
  }

  private Finding finding(
      Offsets now, HangingTransactions.Finding transaction, List<TopicPartition> partitions) {
    TopicPartition first = partitions.get(0);
    String where =
        Offsets.list(partitions, p -> p + " at offset " + now.stable().get(p))
            + (partitions.size() == 1 ? " is" : " are")
            + " blocked by "
            + transaction.description();
    String why = "no read_committed consumer, including weir run, can read past it";
    return transaction.isUnderWay()
        ? risk(
            where,
            why,
            "check again: it ends at transaction.timeout.ms of its producer; stop your producer"
                + " if it does not end")
        : broken(
            where,
            why,
            "verify as a user who may DESCRIBE every transactional id and READ the topic"
                + " (kafka-transactions.sh find-hanging), then kafka-transactions.sh abort --topic "
                + first.topic()
                + " --partition "
                + first.partition()
                + " --start-offset "
                + now.stable().get(first)
                + (partitions.size() == 1 ? "" : ", and so on for the others"));
  }
}
