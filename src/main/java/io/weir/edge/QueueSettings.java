package io.weir.edge;

import io.weir.reading.Limits;
import io.weir.wire.BatchEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What the queues of a publisher share.
 *
 * @param bootId of the batches that get their sequence here
 * @param headerBytes most bytes of a batch beside its readings
 * @param limits of a batch that the application takes
 * @param overflow what becomes of readings when there is no room for more
 * @param ordered whether sensors report in the order of time
 * @param lastSequences the last one given under the boot id, by partition
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
