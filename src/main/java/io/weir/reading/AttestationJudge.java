package io.weir.reading;

/**
 * Decides which attestations of a batch are accepted, by the batch and its gateway's sequences; it
 * does not check whether the sensors are known. Costs a hash of the id per entry; stateless.
 */
public final class AttestationJudge {
  private final int partition;
  private final int partitionCount;
  private final int maxIdBytes;
  private final long maxFutureSkewMs;

  /**
   * @param partition the partition whose sensors are accepted
   * @param maxFutureSkewMs how far ahead of the latest append time a batch may attest
   */
  public AttestationJudge(int partition, int partitionCount, int maxIdBytes, long maxFutureSkewMs) {
    this.partition = partition;
    this.partitionCount = partitionCount;
    this.maxIdBytes = maxIdBytes;
    this.maxFutureSkewMs = maxFutureSkewMs;
  }

  /**
   * Removes attestations that are not accepted, and counts them by cause.
   *
   * @param batch neither refused nor a duplicate
   * @param gateways to which the batch was applied, if it has a sequence
   * @param redriven whether it is a redriven dead letter
   * @param latestAppendMs the later of the batch's and the partition's newest append time
   * @param permit the sensors that the batch's gateway may publish
   */
  public void judge(
      ReadingColumns batch,
      Gateways gateways,
      boolean redriven,
      long latestAppendMs,
      IdPermit permit) {
    Attestations attestations = batch.attestations();
    IgnoredAttestation ofBatch = causeOfBatch(batch, gateways, redriven);
    if (ofBatch != null) {
      attestations.ignoreAll(ofBatch);
    } else {
      long latestMs = latestAppendMs + maxFutureSkewMs;
      long boundedMs = latestMs < latestAppendMs ? Long.MAX_VALUE : latestMs;
      attestations.ignore(index -> causeOfEntry(batch, index, boundedMs, permit));
    }
  }

  private static IgnoredAttestation causeOfBatch(
      ReadingColumns batch, Gateways gateways, boolean redriven) {
    if (redriven) {
      return IgnoredAttestation.REDRIVEN;
    }
    if (batch.bootId() == 0) {
      return IgnoredAttestation.UNSEQUENCED;
    }
    return gateways.isCompleteBelow(batch.gatewayId(), batch.bootId(), batch.sequence())
        ? null
        : IgnoredAttestation.GAP;
  }

  private IgnoredAttestation causeOfEntry(
      ReadingColumns batch, int index, long latestMs, IdPermit permit) {
    Attestations attestations = batch.attestations();
    int offset = attestations.idOffset(index);
    int length = attestations.idLength(index);
    long throughMs = attestations.throughMs(index);
    if (ReadingRules.refusalOfId(length, maxIdBytes) != null || throughMs <= 0) {
      return IgnoredAttestation.INVALID;
    }
    if (throughMs > latestMs) {
      return IgnoredAttestation.FUTURE;
    }
    int hash = Fnv1a.hash(batch.bytes(), offset, length);
    if (Integer.remainderUnsigned(hash, partitionCount) != partition) {
      return IgnoredAttestation.MISROUTED;
    }
    return permit.allows(batch.bytes(), offset, length) ? null : IgnoredAttestation.NOT_ITS_SENSOR;
  }
}
