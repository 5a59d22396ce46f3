package io.weir.cli.doctor;

import io.weir.internal.app.Dependency;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/** Finds partitions without a member, and members without progress. */
final class GroupCheck implements Check {
  @Override
  public String name() {
    return "group";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    boolean restoring =
        cluster.metrics().values().stream()
            .anyMatch(page -> page.sum("weir_restore_remaining") > 0);
    cluster.visible().forEach(program -> look(cluster, program, restoring, findings));
    cluster.programs().stream()
        .filter(program -> program.sight() == ObservedProgram.Sight.SILENT)
        .forEach(program -> findings.add(silent(program.program().group())));
    return findings;
  }

  private void look(
      Examination examination,
      ObservedProgram observed,
      boolean restoring,
      List<Finding> findings) {
    String command = observed.program().command();
    if (observed.group().isEmpty() || observed.group().get().members().isEmpty()) {
      long lag = observed.partitions().stream().mapToLong(observed.after()::lag).sum();
      if (lag > 0) {
        findings.add(nobody(observed, lag));
      }
      return;
    }
    if (observed.isStable()) {
      stalled(examination, observed, restoring, findings);
    } else if (isRebalancing(observed.group().get().groupState())) {
      findings.add(
          risk(
              "the group " + observed.program().group() + " rebalances",
              "partitions that are reassigned make no progress meanwhile: usual for some seconds"
                  + " after a process starts or stops",
              "check again in a minute; if it continues, a member joins and leaves repeatedly: see"
                  + " weir_partitions and the log of each process"));
    }
  }

  private Finding nobody(ObservedProgram observed, long lag) {
    String what =
        "no member is in the group "
            + observed.program().group()
            + ", and "
            + lag
            + " records wait";
    String command = observed.program().command();
    if (observed.membersBefore().isEmpty()) {
      return broken(
          what,
          "they are not processed, and retention will delete them",
          "start "
              + command
              + "; the last line of its log (kubectl logs --previous) has the reason why it ended");
    }
    return broken(
        what
            + "; at the first sample there were "
            + Offsets.list(observed.membersBefore(), who -> who),
        "they ended, froze or lost their connection, and the group removed them: nothing is processed",
        "check whether they run and answer; kill -9 a frozen one; then start " + command);
  }

  private Finding silent(String group) {
    return broken(
        "the coordinator of the group " + group + " does not answer",
        "its members can neither join nor commit, and make no progress",
        "start the missing brokers: kafka-topics.sh --describe --unavailable-partitions"
            + " names the partitions of __consumer_offsets");
  }

  private static boolean isRebalancing(GroupState state) {
    return state == GroupState.PREPARING_REBALANCE || state == GroupState.COMPLETING_REBALANCE;
  }

  /** For partitions that kept their member between the samples. */
  private void stalled(
      Examination examination,
      ObservedProgram observed,
      boolean restoring,
      List<Finding> findings) {
    String command = observed.program().command();
    List<TopicPartition> unowned = new ArrayList<>();
    List<TopicPartition> still = new ArrayList<>();
    for (TopicPartition partition : observed.stalled()) {
      (observed.isOwned(partition) ? still : unowned).add(partition);
    }
    if (!unowned.isEmpty()) {
      findings.add(
          broken(
              command
                  + ": records wait in partitions that no member has: "
                  + Offsets.list(unowned, observed::text),
              "they are not processed",
              "every member has joined, but none has these partitions: another program is in the"
                  + " group "
                  + observed.program().group()
                  + ", or uses the same weir.application.id: set a different one there"));
    }
    if (!still.isEmpty()) {
      findings.add(stall(examination, observed, restoring, still));
    }
  }

  private Finding stall(
      Examination examination,
      ObservedProgram observed,
      boolean restoring,
      List<TopicPartition> still) {
    Map<String, List<TopicPartition>> byOwner = new TreeMap<>();
    still.forEach(p -> byOwner.computeIfAbsent(observed.owner(p), any -> new ArrayList<>()).add(p));
    String what =
        observed.program().command()
            + ": partitions stall although records wait: "
            + Offsets.list(
                byOwner.entrySet(),
                each -> Offsets.list(each.getValue(), observed::text) + " (" + each.getKey() + ")");
    if (examination.isShortOfReplicas()) {
      return risk(
          what,
          "a broker is missing or has not caught up (replicas): commits wait while leaders move",
          "start the brokers first, then check again: members that still stall are" + " frozen");
    }
    String awaited =
        examination.metrics().values().stream()
            .flatMap(page -> ProcessCheck.awaited(page).stream())
            .distinct()
            .map(Dependency::text)
            .collect(Collectors.joining(", "));
    if (!awaited.isEmpty()) {
      return risk(
          what,
          "their member waits for " + awaited + " (processes)",
          "restore " + awaited + ": the partitions continue by themselves");
    }
    return restoring
        ? risk(
            what,
            "a process restores state from its changelog: its partitions wait for it",
            "check again while weir_restore_remaining falls; standbys avoid the wait")
        : broken(
            what,
            "their member is frozen, restores state, or cannot write",
            "see its /readyz and its log; weir evict INSTANCE, or a restart, reassigns them to"
                + " others");
  }
}
