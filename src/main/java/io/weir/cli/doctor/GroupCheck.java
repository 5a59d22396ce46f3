package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/** Partitions that nobody has, and members that have some and do not get on. */
final class GroupCheck implements Check {
  @Override
  public String name() {
    return "group";
  }

  @Override
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>();
    boolean waits = lag(of) > 0;
    if (of.group().isEmpty() || of.group().get().members().isEmpty()) {
      if (waits) {
        findings.add(
            broken(
                "nobody is in the group "
                    + of.config().applicationId()
                    + ", and "
                    + lag(of)
                    + " batches wait",
                "nothing is aggregated, and retention goes on",
                "start weir run; its last line, or kubectl logs --previous, says why it ended"));
      }
      return findings;
    }
    GroupState state = of.group().get().groupState();
    if (state == GroupState.PREPARING_REBALANCE || state == GroupState.COMPLETING_REBALANCE) {
      findings.add(
          risk(
              "the group " + of.config().applicationId() + " rebalances",
              "its partitions stand still meanwhile",
              "look again in a minute; if it goes on, a member joins and leaves: weir_partitions"));
    }
    Set<TopicPartition> owned =
        of.group().get().members().stream()
            .flatMap(member -> member.assignment().topicPartitions().stream())
            .collect(Collectors.toSet());
    standing(of, owned, findings);
    return findings;
  }

  private void standing(Examination of, Set<TopicPartition> owned, List<Finding> findings) {
    List<TopicPartition> unowned = new ArrayList<>();
    List<TopicPartition> still = new ArrayList<>();
    for (TopicPartition partition : of.before().of(of.readings())) {
      Long before = of.before().committed().get(partition);
      Long after = of.after().committed().get(partition);
      if (of.before().lag(partition) > 0 && java.util.Objects.equals(before, after)) {
        (owned.contains(partition) ? still : unowned).add(partition);
      }
    }
    if (!unowned.isEmpty()) {
      findings.add(
          broken(
              "batches wait in partitions that no member has: "
                  + Offsets.list(unowned, p -> Integer.toString(p.partition())),
              "they are not aggregated",
              "a pod is gone: its partitions come to others after consumer.session.timeout.ms, at"
                  + " once with weir evict INSTANCE"));
    }
    if (!still.isEmpty()) {
      findings.add(
          broken(
              "partitions stand still although batches wait: "
                  + Offsets.list(still, p -> p.partition() + " (" + of.owner(p) + ")"),
              "the member that has them is frozen, or cannot write",
              "look at its /readyz and its log; weir evict INSTANCE, or a restart, gives them to"
                  + " others"));
    }
  }

  private static long lag(Examination of) {
    long lag = 0;
    for (TopicPartition partition : of.after().of(of.readings())) {
      lag += of.after().lag(partition);
    }
    return lag;
  }
}
