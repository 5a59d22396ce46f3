package io.weir.cli.doctor;

import java.util.List;
import java.util.function.Supplier;

/**
 * Samples of a cluster: two, and a third one if partitions seem to stall. On a busy machine, or
 * while leaders move, they may stall for some seconds.
 *
 * @param last the last sample
 * @param programs the programs at the first and the last sample
 */
record ClusterSamples(ClusterSnapshot last, List<ObservedProgram> programs) {
  private static final int MOST = 3;

  /**
   * Takes the samples.
   *
   * @param look takes one sample
   * @param between runs between two samples: waits
   */
  static ClusterSamples make(Supplier<ClusterSnapshot> look, Runnable between) {
    ClusterSnapshot first = look.get();
    ClusterSamples looks;
    int made = 1;
    do {
      between.run();
      ClusterSnapshot last = look.get();
      looks = new ClusterSamples(last, first.then(last));
      made++;
    } while (made < MOST && looks.seemToStall());
    return looks;
  }

  private boolean seemToStall() {
    return programs.stream().anyMatch(program -> !program.stalled().isEmpty());
  }
}
