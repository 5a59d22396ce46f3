package io.weir.internal.explain;

import io.weir.internal.deadletter.Origin;
import io.weir.v1.Reading;
import io.weir.v1.WindowSummary;
import java.util.List;
import java.util.Optional;

/**
 * Why a window is what it is.
 *
 * @param topic of the window
 * @param rows the batches with readings of the window, in order
 * @param emissions of the window, in order; the last one is valid
 * @param recomputed what the counted readings give, of those that the last emission can have
 * @param detail of the verdict; empty if it matches
 * @param notes what else is to be known
 */
public record Explanation(
    String sensorId,
    long startMs,
    long endMs,
    String topic,
    int partition,
    List<Row> rows,
    List<Emission> emissions,
    WindowSummary recomputed,
    Verdict verdict,
    String detail,
    List<String> notes,
    PartitionLog.Scan scan) {

  /** Whether the number is right. */
  public enum Verdict {
    MATCHES("matches"),
    DIFFERS("differs"),
    CANNOT_TELL("cannot tell");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** What became of readings. */
  public enum Fate {
    COUNTED,
    /** Counted, after the last emission: the window is emitted again. */
    PENDING,
    DUPLICATE,
    LATE,
    WITHHELD,
    REFUSED,
    /** The application has not read the record yet. */
    UNREAD
  }

  /**
   * Readings of a batch that have the same fate.
   *
   * @param redriveOf the late record or dead letter that was sent again
   * @param source topics, partitions and offsets that an import read; empty for other batches
   * @param count number of the readings
   * @param readings of which these are shown
   * @param reason of a refusal, else empty
   * @param at the record that says so: a dead letter, a late record, or the batch that is repeated
   * @param lateByMs how far the sensor's time was beyond the last moment for the reading; 0 if
   *     unknown
   */
  public record Row(
      long offset,
      long appendMs,
      String gatewayId,
      long bootId,
      long sequence,
      Optional<Origin> redriveOf,
      String source,
      int count,
      List<Reading> readings,
      Fate fate,
      String reason,
      Optional<Origin> at,
      long lateByMs) {

    Row with(Fate other) {
      return new Row(
          offset, appendMs, gatewayId, bootId, sequence, redriveOf, source, count, readings, other,
          reason, at, lateByMs);
    }

    Row shortened(int most) {
      List<Reading> first = List.copyOf(readings.subList(0, Math.min(most, readings.size())));
      return new Row(
          offset, appendMs, gatewayId, bootId, sequence, redriveOf, source, count, first, fate,
          reason, at, lateByMs);
    }
  }

  /** A record of the window's topic. */
  public record Emission(long offset, long appendMs, WindowSummary summary) {}
}
