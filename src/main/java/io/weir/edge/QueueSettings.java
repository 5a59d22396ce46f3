package io.weir.edge;

import io.weir.internal.wire.BatchEncoder;
import io.weir.reading.Limits;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The settings that the queues of a publisher share.
 *
 * @param bootId boot id of the batches that are sequenced here
 * @param headerBytes maximum size of a batch besides its readings
 * @param limits the application's limits of a batch
 * @param overflow the policy for a full queue
 * @param ordered whether sensors report in the order of time
 * @param lastSequences the last sequence assigned under the boot id, by partition
 */
record QueueSettings(
    long bootId,
    int batchMaxReadings,
    long flushIntervalNanos,
    Folding folding,
    int headerBytes,
    Limits limits,
    Overflow overflow,
    boolean ordered,
    List<Long> lastSequences) {

  static QueueSettings of(PublisherSettings settings, long bootId) {
    int gatewayIdBytes = settings.gatewayId().getBytes(StandardCharsets.UTF_8).length;
    return new QueueSettings(
        bootId,
        settings.batchMaxReadings(),
        settings.flushInterval().toNanos(),
        settings.folding(),
        BatchEncoder.mostBytesOfHeader(gatewayIdBytes),
        settings.limits(),
        settings.overflow(),
        settings.ordered(),
        settings.start().lastSequences());
  }

  long lastSequence(int partition) {
    return lastSequences.get(partition);
  }
}
