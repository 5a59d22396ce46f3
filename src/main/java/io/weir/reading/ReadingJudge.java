package io.weir.reading;

/**
 * Decides which readings of a batch are accepted, by their fields, the append times and number of
 * the partition, and the gateway. Costs a few comparisons per reading; stateless.
 */
public final class ReadingJudge {
  private final int partition;
  private final int partitionCount;
  private final int maxIdBytes;
  private final long maxFutureSkewMs;

  /**
   * @param partition the partition whose sensors are accepted
   * @param maxFutureSkewMs how far an event time may be ahead of the latest append time
   */
  public ReadingJudge(int partition, int partitionCount, int maxIdBytes, long maxFutureSkewMs) {
    this.partition = partition;
    this.partitionCount = partitionCount;
    this.maxIdBytes = maxIdBytes;
    this.maxFutureSkewMs = maxFutureSkewMs;
  }

  /** The same if every gateway may publish every sensor. */
  public int judge(ReadingColumns batch, long latestAppendMs) {
    return judge(batch, latestAppendMs, IdPermit.ALL);
  }

  /**
   * Writes a verdict for every reading that is refused.
   *
   * @param latestAppendMs the later of the batch's and the partition's newest append time
   * @param permit the sensors that the batch's gateway may publish
   * @return the number of refused readings
   */
  public int judge(ReadingColumns batch, long latestAppendMs, IdPermit permit) {
    long latestMs = saturatedSum(latestAppendMs, maxFutureSkewMs);
    int rejected = 0;
    for (int run = 0; run < batch.runs(); run++) {
      RejectReason ofRun = refusalOfRun(batch, run);
      RejectReason ofPlace = refusalOfPlace(batch, run, permit);
      if (ofRun != null || ofPlace != null || !allValid(batch, run, latestMs)) {
        rejected += judgeSingly(batch, run, latestMs, ofRun, ofPlace);
      }
    }
    return rejected;
  }

  /**
   * Rejects readings of sensors that belong to another partition or that this gateway may not
   * publish.
   */
  private RejectReason refusalOfPlace(ReadingColumns batch, int run, IdPermit permit) {
    if (!batch.isKnown(run) && isMisrouted(batch, run)) {
      return RejectReason.MISROUTED;
    }
    return permit.allows(batch.bytes(), batch.idOffset(run), batch.idLength(run))
        ? null
        : RejectReason.NOT_ITS_SENSOR;
  }

  private boolean isMisrouted(ReadingColumns batch, int run) {
    int hash = Fnv1a.hash(batch.bytes(), batch.idOffset(run), batch.idLength(run));
    return Integer.remainderUnsigned(hash, partitionCount) != partition;
  }

  /** Fast path: nearly every run is valid. */
  private static boolean allValid(ReadingColumns batch, int run, long latestMs) {
    long[] timestampsMs = batch.timestampsMs();
    double[] values = batch.values();
    for (int i = batch.runStart(run); i < batch.runEnd(run); i++) {
      long timestampMs = timestampsMs[i];
      if (timestampMs <= 0 || timestampMs > latestMs || !Double.isFinite(values[i])) {
        return false;
      }
    }
    return true;
  }

  private static int judgeSingly(
      ReadingColumns batch, int run, long latestMs, RejectReason ofRun, RejectReason ofPlace) {
    int rejected = 0;
    for (int i = batch.runStart(run); i < batch.runEnd(run); i++) {
      RejectReason reason = ofRun;
      if (reason == null) {
        reason = refusal(batch.timestampMs(i), batch.value(i), latestMs, ofPlace);
      }
      if (reason != null) {
        batch.verdict(i, Verdict.rejected(reason));
        rejected++;
      }
    }
    return rejected;
  }

  /** Why a whole run is refused. A broken series has no individual readings. */
  private RejectReason refusalOfRun(ReadingColumns batch, int run) {
    RejectReason ofId = ReadingRules.refusalOfId(batch.idLength(run), maxIdBytes);
    if (ofId != null) {
      return ofId;
    }
    return batch.form(run) == ReadingColumns.Form.BROKEN_SERIES
        ? RejectReason.INVALID_TIMESTAMP
        : null;
  }

  private static RejectReason refusal(
      long timestampMs, double value, long latestMs, RejectReason ofPlace) {
    RejectReason ofReading = ReadingRules.refusalOfReading(timestampMs, value);
    if (ofReading != null) {
      return ofReading;
    }
    if (timestampMs > latestMs) {
      return RejectReason.FUTURE_TIMESTAMP;
    }
    return ofPlace;
  }

  private static long saturatedSum(long a, long b) {
    long sum = a + b;
    return sum < a ? Long.MAX_VALUE : sum;
  }
}
