package io.weir.cli.doctor;

import io.weir.app.HangingTransactions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Transactions that keep readers of committed records from what comes behind them. */
final class TransactionsCheck implements Check {
  private static final int MOST_ASKED = 20;

  @Override
  public String name() {
    return "transactions";
  }

  @Override
  public List<Finding> look(Examination of) {
    Map<HangingTransactions.Finding, List<TopicPartition>> blocked = new LinkedHashMap<>();
    HangingTransactions transactions = new HangingTransactions(of.admin());
    of.before().stable().keySet().stream()
        .filter(partition -> isBlocked(of, partition))
        .limit(MOST_ASKED)
        .forEach(
            partition ->
                blocked
                    .computeIfAbsent(
                        transactions.find(partition, of.after().stable().get(partition)),
                        any -> new ArrayList<>())
                    .add(partition));
    blocked.remove(HangingTransactions.ENDED);
    return blocked.entrySet().stream()
        .map(each -> finding(of.after(), each.getKey(), each.getValue()))
        .toList();
  }

  /** Whether it stayed where it was, with a record behind it at the first look already. */
  private static boolean isBlocked(Examination of, TopicPartition partition) {
    Long stable = of.before().stable().get(partition);
    return stable.equals(of.after().stable().get(partition))
        && of.before().end().get(partition) > stable;
  }

  private Finding finding(
      Offsets now, HangingTransactions.Finding transaction, List<TopicPartition> partitions) {
    TopicPartition first = partitions.get(0);
    String where =
        Offsets.list(partitions, p -> p + " at offset " + now.stable().get(p))
            + (partitions.size() == 1 ? " is" : " are")
            + " blocked by "
            + transaction.description();
    String why = "no reader of committed records, including weir run, can read past it";
    return transaction.isUnderWay()
        ? risk(
            where,
            why,
            "look again: it ends with transaction.timeout.ms of its producer; a producer of"
                + " yours that stays open is to be stopped")
        : broken(
            where,
            why,
            "make sure as a user who may DESCRIBE every transactional id and READ the topic"
                + " (kafka-transactions.sh find-hanging), then kafka-transactions.sh abort --topic "
                + first.topic()
                + " --partition "
                + first.partition()
                + " --start-offset "
                + now.stable().get(first)
                + (partitions.size() == 1 ? "" : ", and so on for the others"));
  }
}
