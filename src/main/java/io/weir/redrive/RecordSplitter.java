package io.weir.redrive;

import io.weir.reading.Fnv1a;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.reading.ReadingRules;
import io.weir.registry.ValueFormat;
import io.weir.topic.SensorPartition;
import io.weir.wire.BatchDecoder;
import io.weir.wire.BatchExcerpt;
import io.weir.wire.Frame;
import io.weir.wire.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What to send of a record.
 *
 * <p>A sequenced batch that was refused whole is sent whole, as it was: with its gateway, boot id
 * and sequence, into the partition that it was in. Another copy of it may have been counted, before
 * or after this one was refused, and only the application knows: it takes the batch, or knows it
 * for a duplicate, or refuses it again.
 *
 * <p>Everything else is taken apart into batches for the partitions that the sensors belong to,
 * without boot id and sequence: readings that were refused out of a batch that was applied (its
 * sequence is used up, and they never counted), late ones, batches without a sequence, and batches
 * whose sequence can never be accepted. Readings keep their form. What would be refused again
 * whatever is set is left where it is. Costs a pass over the record for each partition. One thread.
 */
final class RecordSplitter {
  /** In place of a partition, at a reading that is left. */
  private static final byte LEFT = Byte.MAX_VALUE;

  private final ValueFormat.Reader values;
  private final BatchDecoder decoder;
  private final Limits limits;
  private final long maxFutureSkewMs;

  RecordSplitter(ValueFormat.Reader values, Limits limits, long maxFutureSkewMs) {
    this.values = values;
    this.decoder = new BatchDecoder(limits);
    this.limits = limits;
    this.maxFutureSkewMs = maxFutureSkewMs;
  }

  /**
   * What there is to send of a record.
   *
   * @param nowMs about the append time that it would get
   * @param room most bytes of a batch
   * @param keepSequence whether a sequenced batch is sent whole; otherwise it may count twice
   */
  Resend open(RedriveRecord record, long nowMs, int room, boolean keepSequence) {
    if (record.isCut()) {
      return Resend.none(ResendOutcome.CUT);
    }
    try {
      byte[] value = admitted(record);
      ReadingColumns batch = decoder.decode(value);
      return keepSequence && isSequenced(batch)
          ? whole(record, value, batch, nowMs, room)
          : parts(record, batch, nowMs, room);
    } catch (UndecodableException e) {
      return Resend.none(ResendOutcome.UNDECODABLE);
    }
  }

  /** The sequenced batch that a record is, if it is one as a whole. */
  Optional<BatchName> batchOf(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null || record.value().length == 0) {
      return Optional.empty();
    }
    try {
      ReadingColumns batch = decoder.decode(values.admit(record.value(), record.headers()));
      return isSequenced(batch)
          ? Optional.of(
              new BatchName(
                  record.partition(), batch.gatewayId(), batch.bootId(), batch.sequence()))
          : Optional.empty();
    } catch (UndecodableException e) {
      return Optional.empty();
    }
  }

  private byte[] admitted(RedriveRecord record) throws UndecodableException {
    byte[] value = record.value();
    return value == null ? null : values.admit(value, record.record().headers());
  }

  /** Whether its sequence may be accepted some day, or has been; every copy of it has the same. */
  private static boolean isSequenced(ReadingColumns batch) {
    return batch.gatewayLength() > 0 && batch.bootId() > 0 && batch.sequence() > 0;
  }

  private Resend whole(
      RedriveRecord record, byte[] value, ReadingColumns batch, long nowMs, int room)
      throws UndecodableException {
    byte[] payload = Arrays.copyOfRange(value, Frame.payloadOffset(value), value.length);
    boolean sound = Arrays.stream(place(batch, nowMs + maxFutureSkewMs)).anyMatch(n -> n > 0);
    if (batch.gatewayLength() > limits.maxIdBytes() || !sound) {
      return Resend.none(ResendOutcome.STILL_REFUSED);
    }
    if (payload.length > room) {
      return Resend.none(ResendOutcome.TOO_LARGE);
    }
    return new Resend(
        ResendOutcome.SENT,
        batch.gatewayId().getBytes(StandardCharsets.UTF_8),
        List.of(new Resend.Batch(record.partition(), payload)),
        batch.readings(),
        0,
        batchId(record, batch));
  }

  private Resend parts(RedriveRecord record, ReadingColumns batch, long nowMs, int room) {
    if (batch.gatewayLength() > limits.maxIdBytes()) {
      return Resend.none(ResendOutcome.STILL_REFUSED);
    }
    int[] readings = place(batch, nowMs + maxFutureSkewMs);
    List<Resend.Batch> batches = new ArrayList<>();
    int sent = 0;
    for (int partition = 0; partition < readings.length; partition++) {
      if (readings[partition] > 0) {
        sent += readings[partition];
        for (byte[] value : BatchExcerpt.of(batch, (byte) partition, room)) {
          if (value.length > room) {
            return Resend.none(ResendOutcome.TOO_LARGE);
          }
          batches.add(new Resend.Batch(partition, value));
        }
      }
    }
    return sent == 0
        ? Resend.none(ResendOutcome.STILL_REFUSED)
        : new Resend(
            ResendOutcome.SENT,
            batch.gatewayId().getBytes(StandardCharsets.UTF_8),
            batches,
            sent,
            batch.readings() - sent,
            batch.bootId() == 0 ? partId(record, batch) : batchId(record, batch));
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

  /** A batch that was refused as a whole may have come more than once, and be several records. */
  private static long batchId(RedriveRecord record, ReadingColumns batch) {
    return id(
        record.originPartition()
            + " "
            + Long.toUnsignedString(batch.bootId())
            + " "
            + Long.toUnsignedString(batch.sequence())
            + " "
            + batch.gatewayId(),
        new byte[0]);
  }

  /**
   * A batch that is processed again, after a reset, is refused in the same parts again: they are
   * the same records, at other offsets. The sequence names the batch, else the record that it was.
   */
  private static long partId(RedriveRecord record, ReadingColumns batch) {
    return record
        .originBatch()
        .map(origin -> id("part " + origin + " " + batch.gatewayId(), record.value()))
        .orElse(0L);
  }

  private static long id(String name, byte[] content) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(name.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest.digest(content)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }
}
