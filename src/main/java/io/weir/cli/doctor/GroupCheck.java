package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    of.visible().forEach(program -> look(program, findings));
    return findings;
  }

  private void look(Watched of, List<Finding> findings) {
    String command = of.program().command();
    if (of.group().isEmpty() || of.group().get().members().isEmpty()) {
      long lag = of.partitions().stream().mapToLong(of.after()::lag).sum();
      if (lag > 0) {
        findings.add(
            broken(
                "nobody is in the group " + of.program().group() + ", and " + lag + " records wait",
                "nothing of them is processed, and retention goes on",
                "start "
                    + command
                    + "; its last line, or kubectl logs --previous, says why it ended"));
      }
      return;
    }
    GroupState state = of.group().get().groupState();
    if (state == GroupState.PREPARING_REBALANCE || state == GroupState.COMPLETING_REBALANCE) {
      findings.add(
          risk(
              "the group " + of.program().group() + " rebalances",
              "its partitions make no progress meanwhile",
              "check again in a minute; if it continues, a member joins and leaves: weir_partitions"));
    }
    standing(of, findings);
  }

  private void standing(Watched of, List<Finding> findings) {
    String command = of.program().command();
    Set<TopicPartition> owned =
        of.group().get().members().stream()
            .flatMap(member -> member.assignment().topicPartitions().stream())
            .collect(Collectors.toSet());
    List<TopicPartition> unowned = new ArrayList<>();
    List<TopicPartition> still = new ArrayList<>();
    for (TopicPartition partition : of.partitions()) {
      Long before = of.before().committed().get(partition);
      Long after = of.after().committed().get(partition);
      if (of.before().lag(partition) > 0 && Objects.equals(before, after)) {
        (owned.contains(partition) ? still : unowned).add(partition);
      }
    }
    if (!unowned.isEmpty()) {
      findings.add(
          broken(
              command
                  + ": records wait in partitions that no member has: "
                  + Offsets.list(unowned, of::text),
              "they are not processed",
              "a pod is gone: its partitions come to others after consumer.session.timeout.ms, at"
                  + " once with weir evict INSTANCE"));
    }
    if (!still.isEmpty()) {
      findings.add(
          broken(
              command
                  + ": partitions stand still although records wait: "
                  + Offsets.list(still, p -> of.text(p) + " (" + of.owner(p) + ")"),
              "the member that has them is frozen, or cannot write",
              "look at its /readyz and its log; weir evict INSTANCE, or a restart, gives them to"
                  + " others"));
    }
  }
}
