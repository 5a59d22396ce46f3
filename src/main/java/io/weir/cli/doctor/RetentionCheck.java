package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Finds records that retention deleted, or will soon delete, before they were read. */
final class RetentionCheck implements Check {
  /** Minimum part of the retained records that should be read; below it, retention is near. */
  private static final double LEAST_READ = 0.2;

  @Override
  public String name() {
    return "retention";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    for (ObservedProgram program : cluster.visible()) {
      program.program().inputs().forEach(input -> look(program, input, findings));
    }
    return findings;
  }

  private void look(ObservedProgram observed, String topic, List<Finding> findings) {
    List<TopicPartition> overrun = new ArrayList<>();
    List<TopicPartition> near = new ArrayList<>();
    Offsets now = observed.after();
    for (TopicPartition partition : now.of(topic)) {
      Long committed = now.committed().get(partition);
      long first = now.first().get(partition);
      long kept = now.end().get(partition) - first;
      if (committed != null && committed < first) {
        overrun.add(partition);
      } else if (committed != null && first > 0 && committed - first < LEAST_READ * kept) {
        near.add(partition);
      }
    }
    String remedy =
        "raise weir.topic.*.retention and .retention.bytes of that topic (weir plan calculates it"
            + " for readings), then find the cause of the lag";
    if (!overrun.isEmpty()) {
      findings.add(
          broken(
              "records of "
                  + topic
                  + " were deleted before "
                  + observed.program().command()
                  + " read them: "
                  + Offsets.list(
                      overrun,
                      p ->
                          "partition "
                              + p.partition()
                              + " lacks "
                              + (now.first().get(p) - now.committed().get(p))),
              "no result will contain these records",
              remedy));
    }
    if (!near.isEmpty()) {
      findings.add(
          risk(
              "retention has nearly reached records of "
                  + topic
                  + " that "
                  + observed.program().command()
                  + " has not read yet, in partitions "
                  + Offsets.list(near, p -> Integer.toString(p.partition())),
              "deleted records are lost",
              remedy));
    }
  }
}
