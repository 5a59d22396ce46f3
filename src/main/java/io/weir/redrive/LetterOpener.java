package io.weir.redrive;

import io.weir.reading.Fnv1a;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.reading.ReadingRules;
import io.weir.registry.ValueFormat;
import io.weir.topic.SensorPartition;
import io.weir.wire.BatchDecoder;
import io.weir.wire.BatchExcerpt;
import io.weir.wire.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a letter apart into batches for the partitions that its sensors belong to, whatever
 * partition it stood in. Readings keep their form; boot id and sequence are left out, since the
 * sequence may be taken for seen. What would be refused again whatever is set is left where it is.
 * Costs a pass over the letter for each partition. One thread.
 */
final class LetterOpener {
  /** Stands in place of a partition at a reading that is left. */
  private static final byte LEFT = Byte.MAX_VALUE;

  private final ValueFormat.Reader values;
  private final BatchDecoder decoder;
  private final Limits limits;
  private final long maxFutureSkewMs;

  LetterOpener(ValueFormat.Reader values, Limits limits, long maxFutureSkewMs) {
    this.values = values;
    this.decoder = new BatchDecoder(limits);
    this.limits = limits;
    this.maxFutureSkewMs = maxFutureSkewMs;
  }

  /**
   * What there is to send of a letter.
   *
   * @param nowMs about the append time that it would get
   * @param room most bytes of a batch
   */
  Parts open(Letter letter, long nowMs, int room) {
    if (letter.isCut()) {
      return Parts.none(Outcome.CUT);
    }
    try {
      return parts(letter, decoder.decode(admitted(letter)), nowMs, room);
    } catch (UndecodableException e) {
      return Parts.none(Outcome.UNDECODABLE);
    }
  }

  private byte[] admitted(Letter letter) throws UndecodableException {
    byte[] value = letter.value();
    return value == null ? null : values.admit(value, letter.record().headers());
  }

  private Parts parts(Letter letter, ReadingColumns batch, long nowMs, int room) {
    if (batch.gatewayLength() > limits.maxIdBytes()) {
      return Parts.none(Outcome.NOT_BELIEVED);
    }
    int[] readings = place(batch, nowMs + maxFutureSkewMs);
    List<Parts.Batch> batches = new ArrayList<>();
    int sent = 0;
    for (int partition = 0; partition < readings.length; partition++) {
      if (readings[partition] > 0) {
        sent += readings[partition];
        for (byte[] value : BatchExcerpt.of(batch, (byte) partition, room)) {
          if (value.length > room) {
            return Parts.none(Outcome.TOO_LARGE);
          }
          batches.add(new Parts.Batch(partition, value));
        }
      }
    }
    return sent == 0
        ? Parts.none(Outcome.NOT_BELIEVED)
        : new Parts(
            Outcome.SENT,
            batch.gatewayId().getBytes(StandardCharsets.UTF_8),
            batches,
            sent,
            batch.readings() - sent,
            batchId(letter, batch));
  }

  /** Writes at each reading where it belongs; returns how many belong to each partition. */
  private int[] place(ReadingColumns batch, long latestMs) {
    int[] readings = new int[SensorPartition.COUNT];
    for (int run = 0; run < batch.runs(); run++) {
      int partition =
          SensorPartition.ofHash(
              Fnv1a.hash(batch.bytes(), batch.idOffset(run), batch.idLength(run)));
      boolean runIsSound =
          ReadingRules.refusalOfId(batch.idLength(run), limits.maxIdBytes()) == null
              && batch.form(run) != ReadingColumns.Form.BROKEN_SERIES;
      for (int i = batch.runStart(run); i < batch.runEnd(run); i++) {
        boolean sound =
            runIsSound
                && ReadingRules.refusalOfReading(batch.timestampMs(i), batch.value(i)) == null
                && batch.timestampMs(i) <= latestMs;
        batch.verdict(i, sound ? (byte) partition : LEFT);
        readings[partition] += sound ? 1 : 0;
      }
    }
    return readings;
  }

  /** A batch that was refused as a whole may have come more than once, and be several letters. */
  private static long batchId(Letter letter, ReadingColumns batch) {
    if (batch.bootId() == 0) {
      return 0;
    }
    String name =
        letter.originPartition()
            + " "
            + Long.toUnsignedString(batch.bootId())
            + " "
            + Long.toUnsignedString(batch.sequence())
            + " "
            + batch.gatewayId();
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return ByteBuffer.wrap(digest.digest(name.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }
}
