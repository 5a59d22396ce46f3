package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartitionInfo;

/** Partitions without a leader, or with replicas that do not follow. */
final class ReplicasCheck implements Check {
  @Override
  public String name() {
    return "replicas";
  }

  @Override
  public List<Finding> look(Examination of) {
    List<String> leaderless = new ArrayList<>();
    List<String> behind = new ArrayList<>();
    of.topics()
        .forEach(
            (name, topic) -> {
              for (TopicPartitionInfo partition : topic.partitions()) {
                String where = name + "-" + partition.partition();
                if (partition.leader() == null || partition.leader().isEmpty()) {
                  leaderless.add(where);
                } else if (partition.isr().size() < partition.replicas().size()) {
                  behind.add(where);
                }
              }
            });
    List<Finding> findings = new ArrayList<>();
    if (!leaderless.isEmpty()) {
      findings.add(
          broken(
              leaderless.size()
                  + " partitions without a leader: "
                  + Offsets.list(leaderless, w -> w),
              "nothing can be written to them or read from them",
              "start the brokers that have them: kafka-topics.sh --describe --unavailable-partitions"));
    }
    if (!behind.isEmpty()) {
      findings.add(
          risk(
              behind.size() + " partitions with replicas behind: " + Offsets.list(behind, w -> w),
              "another broker lost may lose data, or stop writers",
              "look at the brokers: kafka-topics.sh --describe --under-replicated-partitions"));
    }
    return findings;
  }
}
