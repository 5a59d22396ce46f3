package io.weir.peers;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Readings, counted by one thread each and summed by the one that watches, in one JVM. */
final class Tally {
  private static final List<Tally> ALL = new CopyOnWriteArrayList<>();

  private final AtomicLong counted = new AtomicLong();
  private final AtomicLong late = new AtomicLong();

  static Tally open() {
    Tally tally = new Tally();
    ALL.add(tally);
    return tally;
  }

  void counted(long more) {
    counted.setRelease(counted.getPlain() + more);
  }

  void late(long more) {
    late.setRelease(late.getPlain() + more);
  }

  static long allCounted() {
    return ALL.stream().mapToLong(tally -> tally.counted.getAcquire()).sum();
  }

  static long allLate() {
    return ALL.stream().mapToLong(tally -> tally.late.getAcquire()).sum();
  }
}
