package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Finds committed offsets without the state that belongs to them. */
final class StateCheck implements Check {
  @Override
  public String name() {
    return "state";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    for (ObservedProgram program : cluster.visible()) {
      program
          .program()
          .changelogs()
          .forEach((input, changelog) -> look(cluster, program, input, changelog, findings));
    }
    return findings;
  }

  private void look(
      Examination cluster,
      ObservedProgram program,
      String input,
      String changelog,
      List<Finding> findings) {
    boolean isGone = !cluster.topics().containsKey(changelog);
    List<TopicPartition> lost = new ArrayList<>();
    for (TopicPartition partition : program.after().of(input)) {
      // A first commit between the samples may have created the changelog too.
      long committed = program.before().committed().getOrDefault(partition, 0L);
      TopicPartition state = new TopicPartition(changelog, partition.partition());
      // A partition without a leader is unknown: the check of replicas reports it.
      boolean isEmpty = Long.valueOf(0).equals(program.after().end().get(state));
      // Each batch of readings changes the state; an event may not be folded.
      if (committed > 0 && (isGone || (isEmpty && program == cluster.run()))) {
        lost.add(partition);
      }
    }
    if (!lost.isEmpty()) {
      findings.add(
          broken(
              changelog
                  + (isGone ? " does not exist, or this user may not describe it," : " is empty")
                  + " for partitions of "
                  + input
                  + " that were read: "
                  + Offsets.list(lost, p -> Integer.toString(p.partition())),
              "the open windows were in it; "
                  + program.program().command()
                  + " does not start, or stops",
              "restore the topic, or reprocess the input under a new application id"
                  + " (docs/operate/runbook.md, Lost state)"));
    }
  }
}
