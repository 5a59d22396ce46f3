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
    List<TopicPartition> lost = new ArrayList<>();
    for (TopicPartition partition : of.after().of(of.readings())) {
      long committed = of.after().committed().getOrDefault(partition, 0L);
      TopicPartition changelog = new TopicPartition(of.changelog(), partition.partition());
      if (committed > 0 && of.after().end().getOrDefault(changelog, 0L) == 0) {
        lost.add(partition);
      }
    }
    if (lost.isEmpty()) {
      return List.of();
    }
    return List.of(
        broken(
            of.changelog()
                + " is empty or gone for partitions that were read: "
                + Offsets.list(lost, p -> Integer.toString(p.partition())),
            "the open windows and the sequences of gateways were in it; weir run does not start",
            "bring the topic back, or begin again from the readings with a new"
                + " weir.application.id"));
  }
}
