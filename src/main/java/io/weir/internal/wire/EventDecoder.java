package io.weir.internal.wire;

import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.EventColumns.Text;
import io.weir.reading.IdBytes;
import io.weir.reading.Limits;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;

/**
 * Decodes a {@code weir.v1.EventBatch} into offsets in its record, without message objects and
 * copies. Accepts the same bytes as protobuf-java when it discards unknown fields. The limits bound
 * its memory for any bytes. Not thread-safe; a stream thread shares one among its tasks.
 */
public final class EventDecoder {
  private static final int LENGTH_DELIMITED = WireFormat.WIRETYPE_LENGTH_DELIMITED;
  private static final int VARINT = WireFormat.WIRETYPE_VARINT;
  private static final int NAME = 1 << 3 | LENGTH_DELIMITED;
  private static final int VALUE = 2 << 3 | LENGTH_DELIMITED;
  private static final int TIME = 2 << 3 | VARINT;

  private final Limits limits;
  private final FieldReader in = new FieldReader();
  private final EventColumns columns = new EventColumns();
  private byte[] record;
  private int textOffset;
  private int textLength;

  /**
   * @param limits of a record, and of the events in it
   */
  public EventDecoder(Limits limits) {
    this.limits = limits;
  }

  /**
   * Decodes a record's value, bare or framed.
   *
   * @return columns that stay valid until the next call
   * @throws UndecodableException if it is not a batch within the limits
   */
  public EventColumns decode(byte[] value) throws UndecodableException {
    if (value == null) {
      throw UndecodableException.malformed("the value is null");
    }
    if (value.length > limits.maxRecordBytes()) {
      throw UndecodableException.malformed(
          "record of " + value.length + " bytes; expected: at most " + limits.maxRecordBytes());
    }
    record = value;
    columns.start(value);
    in.start(value, Frame.payloadOffset(value));
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      switch (tag) {
        case EventBatch.GATEWAY_ID_FIELD_NUMBER << 3 | LENGTH_DELIMITED -> {
          readText();
          columns.gateway(textOffset, textLength);
        }
        case EventBatch.BOOT_ID_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_FIXED64 ->
            columns.bootId(in.fixed64());
        case EventBatch.SEQUENCE_FIELD_NUMBER << 3 | VARINT -> columns.sequence(in.varint64());
        case EventBatch.EVENTS_FIELD_NUMBER << 3 | LENGTH_DELIMITED -> event();
        default -> in.skip(tag);
      }
    }
    return columns;
  }

  private void event() throws UndecodableException {
    if (columns.size() >= limits.maxBatchReadings()) {
      throw UndecodableException.malformed(
          "more than the " + limits.maxBatchReadings() + " events allowed in a batch");
    }
    int outer = in.enter();
    columns.begin(in.position(), in.left());
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      switch (tag) {
        case Event.KEY_FIELD_NUMBER << 3 | LENGTH_DELIMITED -> text(Text.KEY);
        case Event.SUBJECT_FIELD_NUMBER << 3 | LENGTH_DELIMITED -> text(Text.SUBJECT);
        case Event.TYPE_FIELD_NUMBER << 3 | LENGTH_DELIMITED -> text(Text.TYPE);
        case Event.ID_FIELD_NUMBER << 3 | LENGTH_DELIMITED -> text(Text.ID);
        case Event.TIMESTAMP_MS_FIELD_NUMBER << 3 | VARINT -> columns.timestampMs(in.varint64());
        case Event.DUE_MS_FIELD_NUMBER << 3 | VARINT -> columns.dueMs(in.varint64());
        case Event.EVERY_MS_FIELD_NUMBER << 3 | VARINT -> columns.everyMs(in.varint64());
        case Event.EXPIRES_MS_FIELD_NUMBER << 3 | VARINT -> columns.expiresMs(in.varint64());
        case Event.CANCEL_FIELD_NUMBER << 3 | VARINT -> columns.cancel(in.varint64() != 0);
        case Event.START_FIELD_NUMBER << 3 | VARINT -> columns.begins(in.varint64() != 0);
        case Event.FIELDS_FIELD_NUMBER << 3 | LENGTH_DELIMITED -> field();
        case Event.FIELD_TIMESTAMPS_MS_FIELD_NUMBER << 3 | LENGTH_DELIMITED -> fieldTime();
        default -> in.skip(tag);
      }
    }
    in.leave(outer);
  }

  private void text(Text which) throws UndecodableException {
    readText();
    columns.text(which, textOffset, textLength);
  }

  /** An entry of the map; without a value it has an empty one. */
  private void field() throws UndecodableException {
    int outer = in.enter();
    int nameOffset = 0;
    int nameLength = 0;
    int valueOffset = 0;
    int valueLength = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == NAME) {
        readText();
        nameOffset = textOffset;
        nameLength = textLength;
      } else if (tag == VALUE) {
        int within = in.enter();
        valueOffset = in.position();
        valueLength = in.left();
        requireValue();
        in.leave(within);
      } else {
        in.skip(tag);
      }
    }
    in.leave(outer);
    columns.field(nameOffset, nameLength, valueOffset, valueLength);
  }

  /** An entry of the map; without a value its time is 0. */
  private void fieldTime() throws UndecodableException {
    int outer = in.enter();
    int nameOffset = 0;
    int nameLength = 0;
    long timestampMs = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == NAME) {
        readText();
        nameOffset = textOffset;
        nameLength = textLength;
      } else if (tag == TIME) {
        timestampMs = in.varint64();
      } else {
        in.skip(tag);
      }
    }
    in.leave(outer);
    columns.fieldTime(nameOffset, nameLength, timestampMs);
  }

  /** A copied value must be a message that consumers can parse. */
  private void requireValue() throws UndecodableException {
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      switch (tag) {
        case Value.DOUBLE_VALUE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_FIXED64 -> in.fixed64();
        case Value.INT64_VALUE_FIELD_NUMBER << 3 | VARINT -> in.varint64();
        case Value.STRING_VALUE_FIELD_NUMBER << 3 | LENGTH_DELIMITED -> readText();
        default -> in.skip(tag);
      }
    }
  }

  private void readText() throws UndecodableException {
    textLength = in.length();
    textOffset = in.position();
    in.step(textLength);
    if (!IdBytes.isAscii(record, textOffset, textLength)
        && !UnsafeByteOperations.unsafeWrap(record, textOffset, textLength).isValidUtf8()) {
      throw UndecodableException.malformed("not protobuf: a text is not UTF-8");
    }
  }
}
