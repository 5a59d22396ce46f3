package io.weir.internal.redrive;

import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.reading.Limits;
import io.weir.v1.ReadingBatch;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Which batches that were refused a redrive sends again, by the records of one partition alone. */
public final class LettersToSend {
  private LettersToSend() {}

  /**
   * Those without a copy that was counted before the reset of their gateway.
   *
   * @param letters of batches that were refused whole
   */
  public static List<ConsumerRecord<byte[], byte[]>> of(
      List<ConsumerRecord<byte[], byte[]>> letters,
      List<ConsumerRecord<byte[], byte[]>> readings,
      List<ConsumerRecord<byte[], byte[]>> control,
      String topic,
      long maxFutureSkewMs) {
    ResetGateways resets = new ResetGateways(maxFutureSkewMs);
    resets.read(new LogReader(control), "control", topic);
    CountedCopies copies = new CountedCopies(topic, resets, maxFutureSkewMs);
    RecordSplitter splitter =
        new RecordSplitter(
            ValueFormat.BARE.reader(topic, ReadingBatch.getDefaultInstance(), WaitLimit.of(0)),
            Limits.DEFAULT,
            maxFutureSkewMs);
    letters.forEach(letter -> copies.add(new RedriveRecord(letter), splitter.batchOf(letter)));
    copies.look(new LogReader(readings), splitter::batchOf);
    return letters.stream()
        .filter(
            letter ->
                splitter
                    .batchOf(letter)
                    .filter(batch -> !copies.isCounted(batch) && !copies.isUnknown(batch))
                    .isPresent())
        .toList();
  }
}
