package io.weir.internal.redrive;

import io.weir.internal.registry.ValueFormat;
import io.weir.internal.wire.BatchDecoder;
import io.weir.internal.wire.BatchExcerpt;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Fnv1a;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.reading.ReadingRules;
import io.weir.topic.SensorPartition;
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
 * Determines the batches to send again for a record.
 *
 * <p>A sequenced batch that was refused as a whole is sent unchanged, with its gateway, boot id and
 * sequence, to its original partition. Another copy may have been counted, before or after the
 * refusal, and only the application knows: it accepts the batch, drops it as a duplicate, or
 * refuses it again.
 *
 * <p>All other readings are split into batches for the partitions of their sensors, without boot id
 * and sequence: readings that were refused from an applied batch (its sequence is used, and they
 * were not counted), late ones, batches without a sequence, and batches whose sequence can never be
 * accepted. Readings keep their form. Readings that would be refused with any settings are not
 * sent. Costs a pass over the record for each partition. One thread.
 */
final class RecordSplitter {
  /** Marks a reading that is not sent, in place of its partition. */
  private static final byte LEFT = Byte.MAX_VALUE;

  /** The same, for the window that another life has published. */
  private static final byte PUBLISHED = Byte.MAX_VALUE - 1;

  private final ValueFormat.Reader values;
  private final BatchDecoder decoder;
  private final Limits limits;
  private final long maxFutureSkewMs;
  private final PublishedWindows published;

  RecordSplitter(ValueFormat.Reader values, Limits limits, long maxFutureSkewMs) {
    this(values, limits, maxFutureSkewMs, new PublishedWindows(Lives.NONE, List.of()));
  }

  /**
   * @param published windows whose withheld readings are not sent
   */
  RecordSplitter(
      ValueFormat.Reader values, Limits limits, long maxFutureSkewMs, PublishedWindows published) {
    this.published = published;
    this.values = values;
    this.decoder = new BatchDecoder(limits);
    this.limits = limits;
    this.maxFutureSkewMs = maxFutureSkewMs;
  }

  /**
   * The batches to send for a record.
   *
   * @param nowMs its approximate new append time
   * @param room maximum bytes of a batch
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

  /** The identity of the record's sequenced batch, if the record is a whole one. */
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

  /** Adds the sensors of withheld readings to those whose windows are looked for. */
  void addWithheld(RedriveRecord record) {
    try {
      ReadingColumns batch = decoder.decode(admitted(record));
      for (int run = 0; run < batch.runs(); run++) {
        String id = sensorId(batch, run);
        for (int i = batch.runStart(run); i < batch.runEnd(run); i++) {
          published.add(id, batch.timestampMs(i));
        }
      }
    } catch (UndecodableException e) {
      // It is not sent either.
      return;
    }
  }

  private static String sensorId(ReadingColumns batch, int run) {
    return new String(
        batch.bytes(), batch.idOffset(run), batch.idLength(run), StandardCharsets.UTF_8);
  }

  private byte[] admitted(RedriveRecord record) throws UndecodableException {
    byte[] value = record.value();
    return value == null ? null : values.admit(value, record.record().headers());
  }

  /** Whether its sequence was or can be accepted; all copies of a batch have the same. */
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
        0,
        batchId(record, batch));
  }

  private Resend parts(RedriveRecord record, ReadingColumns batch, long nowMs, int room) {
    if (batch.gatewayLength() > limits.maxIdBytes()) {
      return Resend.none(ResendOutcome.STILL_REFUSED);
    }
    int[] readings = place(batch, nowMs + maxFutureSkewMs);
    int ofPublished = leavePublished(record, batch, readings);
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
    if (sent == 0 && ofPublished > 0) {
      return Resend.published(ofPublished);
    }
    return sent == 0
        ? Resend.none(ResendOutcome.STILL_REFUSED)
        : new Resend(
            ResendOutcome.SENT,
            batch.gatewayId().getBytes(StandardCharsets.UTF_8),
            batches,
            sent,
            batch.readings() - sent - ofPublished,
            ofPublished,
            batch.bootId() == 0 ? partId(record, batch) : batchId(record, batch));
  }

  /** Sets the partition of each reading; returns the number of readings by partition. */
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

  /** Leaves out readings of published windows; returns their number. */
  private int leavePublished(RedriveRecord record, ReadingColumns batch, int[] readings) {
    int left = 0;
    for (int run = 0; record.isWithheld() && run < batch.runs(); run++) {
      String id = sensorId(batch, run);
      for (int i = batch.runStart(run); i < batch.runEnd(run); i++) {
        if (batch.verdict(i) != LEFT
            && published.isOfAnotherLife(record.partition(), id, batch.timestampMs(i))) {
          readings[batch.verdict(i)]--;
          batch.verdict(i, PUBLISHED);
          left++;
        }
      }
    }
    return left;
  }

  /** A batch that was refused as a whole may be in several records. */
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
   * After a reset of the application a batch is processed again, and the same parts are refused:
   * the records are the same at other offsets. The sequence identifies the batch, or without one
   * the original record.
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
