package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    boolean restoring =
        of.metrics().values().stream().anyMatch(page -> page.sum("weir_restore_remaining") > 0);
    of.visible().forEach(program -> look(of, program, restoring, findings));
    of.programs().stream()
        .filter(program -> program.sight() == Watched.Sight.SILENT)
        .forEach(program -> findings.add(silent(program.program().group())));
    return findings;
  }

  private void look(
      Examination examination, Watched of, boolean restoring, List<Finding> findings) {
    String command = of.program().command();
    if (of.group().isEmpty() || of.group().get().members().isEmpty()) {
      long lag = of.partitions().stream().mapToLong(of.after()::lag).sum();
      if (lag > 0) {
        findings.add(nobody(of, lag));
      }
      return;
    }
    if (of.isStable()) {
      stalled(examination, of, restoring, findings);
    } else if (isRebalancing(of.group().get().groupState())) {
      findings.add(
          risk(
              "the group " + of.program().group() + " rebalances",
              "partitions that change hands make no progress meanwhile: usual for some seconds"
                  + " after a start or an end of a process",
              "check again in a minute; if it continues, a member joins and leaves: weir_partitions"
                  + " of each process, and its log"));
    }
  }

  private Finding nobody(Watched of, long lag) {
    String what =
        "nobody is in the group " + of.program().group() + ", and " + lag + " records wait";
    String command = of.program().command();
    if (of.membersBefore().isEmpty()) {
      return broken(
          what,
          "nothing of them is processed, and retention goes on",
          "start " + command + "; its last line, or kubectl logs --previous, says why it ended");
    }
    return broken(
        what + "; at the first look there were " + Offsets.list(of.membersBefore(), who -> who),
        "they ended, or are frozen or cut off, and the brokers gave them up: nothing is processed",
        "look whether they run and answer: kill -9 ends one that is frozen; then start " + command);
  }

  private Finding silent(String group) {
    return broken(
        "the coordinator of the group " + group + " does not answer",
        "its members can neither join nor commit: what they read waits",
        "start the brokers that are missing: kafka-topics.sh --describe --unavailable-partitions"
            + " names the partitions of __consumer_offsets");
  }

  private static boolean isRebalancing(GroupState state) {
    return state == GroupState.PREPARING_REBALANCE || state == GroupState.COMPLETING_REBALANCE;
  }

  /** Of partitions that did not change hands between the looks. */
  private void stalled(
      Examination examination, Watched of, boolean restoring, List<Finding> findings) {
    String command = of.program().command();
    List<TopicPartition> unowned = new ArrayList<>();
    List<TopicPartition> still = new ArrayList<>();
    for (TopicPartition partition : of.stalled()) {
      (of.isOwned(partition) ? still : unowned).add(partition);
    }
    if (!unowned.isEmpty()) {
      findings.add(
          broken(
              command
                  + ": records wait in partitions that no member has: "
                  + Offsets.list(unowned, of::text),
              "they are not processed",
              "every member has joined, and these were given to none: another program is in the"
                  + " group "
                  + of.program().group()
                  + ", or reads under the same weir.application.id: give it a name of its own"));
    }
    if (!still.isEmpty()) {
      findings.add(stall(examination, of, restoring, still));
    }
  }

  private Finding stall(
      Examination examination, Watched of, boolean restoring, List<TopicPartition> still) {
    Map<String, List<TopicPartition>> byOwner = new TreeMap<>();
    still.forEach(p -> byOwner.computeIfAbsent(of.owner(p), any -> new ArrayList<>()).add(p));
    String what =
        of.program().command()
            + ": partitions stall although records wait: "
            + Offsets.list(
                byOwner.entrySet(),
                each -> Offsets.list(each.getValue(), of::text) + " (" + each.getKey() + ")");
    if (examination.isShortOfReplicas()) {
      return risk(
          what,
          "a broker is missing or has not caught up (replicas): commits wait while leaders move",
          "bring the brokers back first, then check again: members that still stall then are"
              + " frozen");
    }
    return restoring
        ? risk(
            what,
            "a process reads state from its changelog: partitions wait until it has theirs",
            "look again while weir_restore_remaining falls; standbys avoid the wait")
        : broken(
            what,
            "the member that has them is frozen, still reads its state, or cannot write",
            "look at its /readyz and its log; weir evict INSTANCE, or a restart, gives them to"
                + " others");
  }
}
