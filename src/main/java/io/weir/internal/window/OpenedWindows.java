package io.weir.internal.window;

import io.weir.reading.IdBytes;
import io.weir.reading.ReadingColumns;
import io.weir.reading.Verdict;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Counts the windows that a batch would open, before anything of it is applied. */
final class OpenedWindows {
  private final WindowSpec spec;
  private final ReadingColumns batch;
  private final WithheldWindows withheld;
  private final boolean lossAccepted;
  private final Set<Opened> opened = new HashSet<>();

  /** A window by its sensor's id, which is in the batch, and its start. */
  private record Opened(ReadingColumns batch, int run, long startMs) implements Comparable<Opened> {
    @Override
    public boolean equals(Object other) {
      return other instanceof Opened that
          && startMs == that.startMs
          && batch.idLength(run) == batch.idLength(that.run)
          && IdBytes.equal(
              batch.bytes(), batch.idOffset(run), batch.bytes(), that.offset(), that.length());
    }

    /** A sender may choose starts with equal hashes; the tables of the JDK then use the order. */
    @Override
    public int compareTo(Opened other) {
      int starts = Long.compare(startMs, other.startMs);
      return starts != 0
          ? starts
          : Arrays.compare(
              batch.bytes(),
              offset(),
              offset() + length(),
              other.batch.bytes(),
              other.offset(),
              other.offset() + other.length());
    }

    private int offset() {
      return batch.idOffset(run);
    }

    private int length() {
      return batch.idLength(run);
    }

    /** A keyed hash: senders cannot choose ids that collide. */
    @Override
    public int hashCode() {
      return batch.idHash(run) * 31 + Long.hashCode(startMs);
    }
  }

  /**
   * @param lossAccepted whether readings of withheld windows are accepted and open windows
   */
  OpenedWindows(
      WindowSpec spec, ReadingColumns batch, WithheldWindows withheld, boolean lossAccepted) {
    this.spec = spec;
    this.batch = batch;
    this.withheld = withheld;
    this.lossAccepted = lossAccepted;
  }

  /**
   * Adds a run of readings.
   *
   * @param sensor the sensor of the run, or null for a new one
   */
  void add(int run, SensorWindows sensor) {
    long[] timestampsMs = batch.timestampsMs();
    long lastStartMs = Long.MIN_VALUE;
    for (int i = batch.runStart(run); i < batch.runEnd(run); i++) {
      if (batch.verdict(i) != Verdict.ACCEPTED) {
        continue;
      }
      long startMs = spec.startOf(timestampsMs[i]);
      if (startMs != lastStartMs && opens(sensor, startMs)) {
        opened.add(new Opened(batch, run, startMs));
      }
      lastStartMs = startMs;
    }
  }

  private boolean opens(SensorWindows sensor, long startMs) {
    if (startMs < withheld.beforeMs()) {
      return lossAccepted && (sensor == null || withheld.opens(sensor, startMs));
    }
    return sensor == null || sensor.opens(spec, startMs);
  }

  int count() {
    return opened.size();
  }
}
