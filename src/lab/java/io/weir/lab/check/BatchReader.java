package io.weir.lab.check;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.UnknownFieldSet;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.UndecodableException;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads a record's value as strictly as a check may: what Weir would pass over is an error. */
final class BatchReader {
  private BatchReader() {}

  /**
   * The batch in a record.
   *
   * @throws UnreadableException if there is none, with the reason in one line
   */
  static ReadingBatch read(ConsumerRecord<byte[], byte[]> record) throws UnreadableException {
    byte[] value = record.value();
    if (value == null) {
      throw new UnreadableException("the record has no value");
    }
    ReadingBatch batch;
    try {
      FrameHead beside = FrameHead.beside(record.headers(), FrameHead.HEADER);
      if (beside != null) {
        Frame.requireFirst(beside.message());
      }
      int payload = Frame.payloadOffset(value);
      batch = ReadingBatch.parser().parseFrom(value, payload, value.length - payload);
    } catch (UndecodableException e) {
      throw new UnreadableException(e.getMessage());
    } catch (InvalidProtocolBufferException e) {
      throw new UnreadableException("not a ReadingBatch: " + e.getMessage());
    }
    requireKnownFields(batch);
    return batch;
  }

  private static void requireKnownFields(ReadingBatch batch) throws UnreadableException {
    requireKnown(batch);
    for (Reading reading : batch.getReadingsList()) {
      requireKnown(reading);
    }
    for (Series series : batch.getSeriesList()) {
      requireKnown(series);
    }
    for (Completeness entry : batch.getCompleteList()) {
      requireKnown(entry);
    }
  }

  /** A field that is written with another type is unknown, too: fixed64 as a varint, say. */
  private static void requireKnown(MessageOrBuilder message) throws UnreadableException {
    UnknownFieldSet unknown = message.getUnknownFields();
    if (!unknown.asMap().isEmpty()) {
      throw new UnreadableException(
          message.getDescriptorForType().getName()
              + ": field "
              + unknown.asMap().keySet().iterator().next()
              + " is not in readings.proto, or has another type there");
    }
  }

  /** There is no batch in a record. */
  static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;

    UnreadableException(String reason) {
      super(reason);
    }
  }
}
