package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Readings that retention deleted, or is about to delete, before they were read. */
final class RetentionCheck implements Check {
  /** Of what is kept so much has been read at the least; below it the rest is near its end. */
  private static final double LEAST_READ = 0.2;

  @Override
  public String name() {
    return "retention";
  }

  @Override
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>();
    for (Watched program : of.visible()) {
      program.program().inputs().forEach(input -> look(program, input, findings));
    }
    return findings;
  }

  private void look(Watched of, String topic, List<Finding> findings) {
    List<TopicPartition> overrun = new ArrayList<>();
    List<TopicPartition> near = new ArrayList<>();
    Offsets now = of.after();
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
        "raise weir.topic.*.retention and .retention.bytes of that topic (weir plan says how far"
            + " for readings), then find out why it lags";
    if (!overrun.isEmpty()) {
      findings.add(
          broken(
              "records of "
                  + topic
                  + " were deleted before "
                  + of.program().command()
                  + " read them: "
                  + Offsets.list(
                      overrun,
                      p ->
                          "partition "
                              + p.partition()
                              + " lacks "
                              + (now.first().get(p) - now.committed().get(p))),
              "what was in them is in no result and never will be",
              remedy));
    }
    if (!near.isEmpty()) {
      findings.add(
          risk(
              "retention of "
                  + topic
                  + " has nearly reached what "
                  + of.program().command()
                  + " has not read yet, in partitions "
                  + Offsets.list(near, p -> Integer.toString(p.partition())),
              "what it deletes is lost",
              remedy));
    }
  }
}
