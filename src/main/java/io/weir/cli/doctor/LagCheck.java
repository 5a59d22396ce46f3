package io.weir.cli.doctor;

import io.weir.cli.hot.HotRow;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Finds single partitions that lag, or lag of all partitions with load. */
final class LagCheck implements Check {
  /** Lag that is normal. */
  private static final long USUAL = 1_000;

  private static final int TIMES_THE_MEDIAN = 10;

  /** Catching up takes more than this many sampling intervals at the current rate. */
  private static final int LOOKS_BEHIND = 6;

  @Override
  public String name() {
    return "lag";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    for (ObservedProgram program : cluster.visible()) {
      for (String input : program.program().inputs()) {
        List<TopicPartition> partitions = program.after().of(input);
        if (!partitions.isEmpty()) {
          apart(cluster, program, partitions, findings);
          behind(program, partitions, findings);
        }
      }
    }
    return findings;
  }

  private void apart(
      Examination cluster,
      ObservedProgram program,
      List<TopicPartition> partitions,
      List<Finding> findings) {
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
                      p -> program.text(p) + " by " + now.lag(p) + " records" + sensor(cluster, p))
                  + "; the median lag is "
                  + median,
              "one thread processes a partition: more threads or pods do not help",
              "find the sensor with the most readings (weir hot) and publish it as several ids"
                  + " (docs/operate/size.md), or check the process with that partition"));
    }
  }

  private static String sensor(Examination cluster, TopicPartition partition) {
    return cluster.pages().hot().stream()
        .filter(hot -> partition.topic().equals(cluster.readings()))
        .flatMap(hot -> hot.sensors().stream())
        .filter(row -> row.partition() == partition.partition())
        .findFirst()
        .map(HotRow::id)
        .map(id -> " (heaviest: " + id + ")")
        .orElse("");
  }

  /**
   * Throughput at its limit: the partitions with load make progress, but lag grows or falls only
   * slowly.
   */
  private void behind(
      ObservedProgram observed, List<TopicPartition> partitions, List<Finding> findings) {
    long loaded = 0;
    long growing = 0;
    long before = 0;
    long after = 0;
    long read = 0;
    for (TopicPartition partition : partitions) {
      long was = observed.before().lag(partition);
      long is = observed.after().lag(partition);
      loaded += is > 0 ? 1 : 0;
      growing += observed.hasMoved(partition) && is > was && is > USUAL ? 1 : 0;
      before += was;
      after += is;
      read += observed.read(partition);
    }
    String command = observed.program().command();
    if (growing > loaded / 2 && after > before) {
      findings.add(
          risk(
              command
                  + ": lag grows although all partitions make progress: "
                  + before
                  + " records, then "
                  + after
                  + ", in "
                  + growing
                  + " of "
                  + partitions.size()
                  + " partitions",
              growing > partitions.size() / 2
                  ? "throughput has reached its limit: every thread is busy"
                  : "throughput has reached its limit: the load is on few partitions, and each has"
                      + " one thread",
              growing > partitions.size() / 2
                  ? "more threads or pods, up to 64 threads (weir plan calculates them); larger batches"
                      + " from the gateways"
                  : "more pods help only if one has several of these partitions; publish the"
                      + " heaviest sensors (weir hot) as several ids (docs/operate/size.md); larger"
                      + " batches from the gateways"));
    } else if (read > 0 && after > LOOKS_BEHIND * read && after > USUAL * Math.max(1, loaded)) {
      findings.add(
          risk(
              command
                  + " is far behind: "
                  + after
                  + " records wait, and "
                  + read
                  + " were read during this check",
              "results are late until it has caught up; records that retention deletes first are lost",
              "wait, if it was stopped for a while and the number falls; otherwise more threads or pods"
                  + " (weir plan calculates them)"));
    }
  }
}
