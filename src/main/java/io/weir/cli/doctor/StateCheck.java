package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Offsets that were committed, and the state that belongs to them is not there. */
final class StateCheck implements Check {
  @Override
  public String name() {
    return "state";
  }

  @Override
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>();
    for (Watched program : of.visible()) {
      program
          .program()
          .changelogs()
          .forEach((input, changelog) -> look(of, program, input, changelog, findings));
    }
    return findings;
  }

  private void look(
      Examination of, Watched program, String input, String changelog, List<Finding> findings) {
    boolean isGone = !of.topics().containsKey(changelog);
    List<TopicPartition> lost = new ArrayList<>();
    for (TopicPartition partition : program.after().of(input)) {
      // What is committed for the first time between the looks may have come with its changelog.
      long committed = program.before().committed().getOrDefault(partition, 0L);
      TopicPartition state = new TopicPartition(changelog, partition.partition());
      // Of a partition without a leader nothing is known: the check of replicas names it.
      boolean isEmpty = Long.valueOf(0).equals(program.after().end().get(state));
      // Only each batch of readings leaves a trace in the state; not each event is folded.
      if (committed > 0 && (isGone || (isEmpty && program == of.run()))) {
        lost.add(partition);
      }
    }
    if (!lost.isEmpty()) {
      findings.add(
          broken(
              changelog
                  + (isGone ? " is not there, or may not be seen," : " is empty")
                  + " for partitions of "
                  + input
                  + " that were read: "
                  + Offsets.list(lost, p -> Integer.toString(p.partition())),
              "what was open there was in it; "
                  + program.program().command()
                  + " does not start, or stops",
              "bring the topic back, or begin again from the input under a new application id"
                  + " (docs/operate/runbook.md, Lost state)"));
    }
  }
}
