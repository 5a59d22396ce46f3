package io.weir.cli.doctor;

import io.weir.app.HangingTransactions;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Transactions that keep readers of committed records from what comes behind them. */
final class TransactionsCheck implements Check {
  private static final int MOST_ASKED = 5;

  @Override
  public String name() {
    return "transactions";
  }

  @Override
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>();
    HangingTransactions transactions = new HangingTransactions(of.admin());
    for (TopicPartition partition : of.before().stable().keySet()) {
      long stable = of.after().stable().getOrDefault(partition, 0L);
      boolean still = of.before().stable().get(partition) == stable;
      // Behind it there was something at the first look already.
      if (!still || of.before().end().get(partition) <= stable) {
        continue;
      }
      if (findings.size() == MOST_ASKED) {
        break;
      }
      HangingTransactions.Finding found = transactions.find(partition, stable);
      if (found.equals(HangingTransactions.ENDED)) {
        continue;
      }
      String where = partition + " is blocked at offset " + stable + " by " + found.description();
      String why = "no reader of committed records, including weir run, can read past it";
      findings.add(
          found.isUnderWay()
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
                      + partition.topic()
                      + " --partition "
                      + partition.partition()
                      + " --start-offset "
                      + stable));
    }
    return findings;
  }
}
