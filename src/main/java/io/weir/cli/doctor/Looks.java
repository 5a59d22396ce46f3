package io.weir.cli.doctor;

import java.util.List;
import java.util.function.Supplier;

/**
 * The looks at a cluster: two, and a third one where partitions seem to stall. On a busy machine,
 * or while leaders move, they may for some seconds.
 *
 * @param last the last look
 * @param programs at the first and at the last look
 */
record Looks(Moment last, List<Watched> programs) {
  private static final int MOST = 3;

  /**
   * Looks.
   *
   * @param look gives the moment of a look
   * @param between is run between two looks: waits
   */
  static Looks make(Supplier<Moment> look, Runnable between) {
    Moment first = look.get();
    Looks looks;
    int made = 1;
    do {
      between.run();
      Moment last = look.get();
      looks = new Looks(last, first.then(last));
      made++;
    } while (made < MOST && looks.seemToStall());
    return looks;
  }

  private boolean seemToStall() {
    return programs.stream().anyMatch(program -> !program.stalled().isEmpty());
  }
}
