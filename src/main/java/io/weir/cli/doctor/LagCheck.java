package io.weir.cli.doctor;

import io.weir.cli.hot.HotRow;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** One partition that lags where others do not, and all of them falling behind. */
final class LagCheck implements Check {
  /** Batches that may wait anywhere. */
  private static final long USUAL = 1_000;

  private static final int TIMES_THE_MEDIAN = 10;

  @Override
  public String name() {
    return "lag";
  }

  @Override
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>();
    for (Watched program : of.visible()) {
      for (String input : program.program().inputs()) {
        List<TopicPartition> partitions = program.after().of(input);
        if (!partitions.isEmpty()) {
          apart(of, program, partitions, findings);
          fallingBehind(program, partitions, findings);
        }
      }
    }
    return findings;
  }

  private void apart(
      Examination of, Watched program, List<TopicPartition> partitions, List<Finding> findings) {
    Offsets now = program.after();
    long[] lags = partitions.stream().mapToLong(now::lag).sorted().toArray();
    long median = lags[lags.length / 2];
    List<TopicPartition> apart =
        partitions.stream()
            .filter(p -> now.lag(p) > Math.max(USUAL, TIMES_THE_MEDIAN * median))
            .toList();
    if (!apart.isEmpty()) {
      findings.add(
          risk(
              program.program().command()
                  + ": a few partitions lag: "
                  + Offsets.list(
                      apart,
                      p -> program.text(p) + " by " + now.lag(p) + " records" + sensor(of, p))
                  + "; half of all lag by "
                  + median
                  + " or less",
              "one thread has a partition: neither threads nor pods help it",
              "weir hot names what weighs most; publish that sensor as several ids"
                  + " (docs/capacity.md), or look at the process that has it"));
    }
  }

  private static String sensor(Examination of, TopicPartition partition) {
    return of.pages().hot().stream()
        .filter(hot -> partition.topic().equals(of.readings()))
        .flatMap(hot -> hot.sensors().stream())
        .filter(row -> row.partition() == partition.partition())
        .findFirst()
        .map(HotRow::id)
        .map(id -> " (heaviest: " + id + ")")
        .orElse("");
  }

  /** Throughput that has reached its end: most partitions get on, and lag grows all the same. */
  private void fallingBehind(Watched of, List<TopicPartition> partitions, List<Finding> findings) {
    long growing = 0;
    long before = 0;
    long after = 0;
    for (TopicPartition partition : partitions) {
      long was = of.before().lag(partition);
      long is = of.after().lag(partition);
      boolean moved =
          !java.util.Objects.equals(
              of.before().committed().get(partition), of.after().committed().get(partition));
      growing += moved && is > was && is > USUAL ? 1 : 0;
      before += was;
      after += is;
    }
    if (growing > partitions.size() / 2) {
      findings.add(
          risk(
              of.program().command()
                  + ": lag grows although all is at work: "
                  + before
                  + " records, then "
                  + after,
              "throughput has reached its plateau: every thread is busy",
              "more threads or pods, up to 64 threads (weir plan says how many); fuller batches"
                  + " from the gateways"));
    }
  }
}
