package io.weir.cli.doctor;

import io.weir.cli.hot.HotRow;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Partitions that lag where others do not, all with load falling behind, or far behind. */
final class LagCheck implements Check {
  /** Batches that may wait anywhere. */
  private static final long USUAL = 1_000;

  private static final int TIMES_THE_MEDIAN = 10;

  /** As many looks apart, at the pace of now, until what waits is read. */
  private static final int LOOKS_BEHIND = 6;

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
          behind(program, partitions, findings);
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
              "weir hot names the sensors that send most; publish that sensor as several ids"
                  + " (docs/operate/size.md), or look at the process that has it"));
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

  /**
   * Throughput that has reached its end: the partitions with load get on, and lag grows all the
   * same; or it falls, but only slowly.
   */
  private void behind(Watched of, List<TopicPartition> partitions, List<Finding> findings) {
    long loaded = 0;
    long growing = 0;
    long before = 0;
    long after = 0;
    long read = 0;
    for (TopicPartition partition : partitions) {
      long was = of.before().lag(partition);
      long is = of.after().lag(partition);
      loaded += is > 0 ? 1 : 0;
      growing += of.hasMoved(partition) && is > was && is > USUAL ? 1 : 0;
      before += was;
      after += is;
      read += of.read(partition);
    }
    String command = of.program().command();
    if (growing > loaded / 2 && after > before) {
      findings.add(
          risk(
              command
                  + ": lag grows although all is at work: "
                  + before
                  + " records, then "
                  + after
                  + ", in "
                  + growing
                  + " of "
                  + partitions.size()
                  + " partitions",
              growing > partitions.size() / 2
                  ? "throughput has reached its plateau: every thread is busy"
                  : "throughput has reached its plateau: the load is on few partitions, and each has"
                      + " one thread",
              growing > partitions.size() / 2
                  ? "more threads or pods, up to 64 threads (weir plan says how many); fuller batches"
                      + " from the gateways"
                  : "more pods help only where one of them has several of these partitions; the"
                      + " heaviest sensors (weir hot) as several ids (docs/operate/size.md); fuller"
                      + " batches from the gateways"));
    } else if (read > 0 && after > LOOKS_BEHIND * read && after > USUAL * Math.max(1, loaded)) {
      findings.add(
          risk(
              command
                  + " is far behind: "
                  + after
                  + " records wait, and "
                  + read
                  + " were read between the two looks",
              "results are late until it has caught up; what retention deletes first is lost",
              "wait, if it was stopped for a while and the number falls; else more threads or pods"
                  + " (weir plan says how many)"));
    }
  }
}
