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
    List<TopicPartition> overrun = new ArrayList<>();
    List<TopicPartition> near = new ArrayList<>();
    Offsets now = of.after();
    for (TopicPartition partition : now.of(of.readings())) {
      Long committed = now.committed().get(partition);
      long first = now.first().get(partition);
      long kept = now.end().get(partition) - first;
      if (committed != null && committed < first) {
        overrun.add(partition);
      } else if (committed != null && first > 0 && committed - first < LEAST_READ * kept) {
        near.add(partition);
      }
    }
    List<Finding> findings = new ArrayList<>();
    String remedy =
        "raise weir.topic.readings.retention and .retention.bytes (weir plan says how far), then"
            + " find out why it lags";
    if (!overrun.isEmpty()) {
      findings.add(
          broken(
              "records of "
                  + of.readings()
                  + " were deleted before they were read: "
                  + Offsets.list(
                      overrun,
                      p ->
                          "partition "
                              + p.partition()
                              + " lacks "
                              + (now.first().get(p) - now.committed().get(p))),
              "their readings are in no window and never will be",
              remedy));
    }
    if (!near.isEmpty()) {
      findings.add(
          risk(
              "retention has nearly reached what is not read yet, in partitions "
                  + Offsets.list(near, p -> Integer.toString(p.partition())),
              "what it deletes is lost",
              remedy));
    }
    return findings;
  }
}
