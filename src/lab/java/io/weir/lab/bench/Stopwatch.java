package io.weir.lab.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures a work from the end of its warm-up to its own end, in this process. Looks {@value
 * #LOOKS_PER_SECOND} times a second: so exact a time is.
 */
final class Stopwatch {
  private static final int LOOKS_PER_SECOND = 200;
  private static final long PAUSE_NANOS = 1_000_000_000L / LOOKS_PER_SECOND;
  private static final Duration STALL = Duration.ofSeconds(90);
  private static final Path PROC_STATUS = Path.of("/proc/self/status");

  private final Work work;
  private final Task task;

  private record Mark(long processed, long nanos, long cpuNanos) {}

  Stopwatch(Work work, Task task) {
    this.work = work;
    this.task = task;
  }

  /**
   * Starts the work and sees it to its end.
   *
   * @throws IllegalStateException if nothing moves for long
   */
  Figures measure() {
    Mark start = mark();
    work.start();
    Mark warm = await(Math.max(1, task.warmUp()), false);
    work.warmedUp();
    Mark end = await(task.readings(), true);
    if (end.processed() == warm.processed()) {
      // Over before the end of the warm-up was seen: a trial run, but no reason for 0/0.
      warm = start;
    }
    double readings = end.processed() - warm.processed();
    double seconds = seconds(end.nanos() - warm.nanos());
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.READINGS_PER_SECOND, readings / seconds);
    figures.put(
        Figure.CPU_SECONDS_PER_MILLION, seconds(end.cpuNanos() - warm.cpuNanos()) / readings * 1e6);
    figures.put(Figure.MEASURED_SECONDS, seconds);
    figures.put(Figure.WARM_UP_SECONDS, seconds(warm.nanos() - start.nanos()));
    memoryBytes(figures);
    figures.put(Figure.LIVE_HEAP_BYTES, liveHeapBytes());
    return Figures.of(figures).with(work.extras());
  }

  private Mark await(long processed, boolean settled) {
    Mark last = mark();
    long movedNanos = last.nanos();
    while (true) {
      Mark now = mark();
      if (now.processed() >= processed && (!settled || work.settled())) {
        return settled ? mark() : now;
      }
      if (now.processed() > last.processed()) {
        movedNanos = now.nanos();
      } else if (now.nanos() - movedNanos > STALL.toNanos()) {
        throw new IllegalStateException(
            "nothing moved for "
                + STALL.toSeconds()
                + " s at "
                + now.processed()
                + " of "
                + task.readings()
                + " readings");
      }
      last = now;
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private Mark mark() {
    return new Mark(work.processed(), System.nanoTime(), cpuNanos());
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }

  /** As Linux reports it; other systems have no such figure. */
  private static void memoryBytes(Map<Figure, Double> figures) {
    if (!Files.isReadable(PROC_STATUS)) {
      return;
    }
    try {
      for (String line : Files.readAllLines(PROC_STATUS)) {
        if (line.startsWith("VmHWM:")) {
          figures.put(Figure.PEAK_MEMORY_BYTES, bytes(line));
        } else if (line.startsWith("VmRSS:")) {
          figures.put(Figure.RESIDENT_BYTES, bytes(line));
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(PROC_STATUS + ": " + e.getMessage(), e);
    }
  }

  private static double bytes(String line) {
    return Long.parseLong(line.replaceAll("\\D", "")) * 1024.0;
  }

  private static double liveHeapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
