package io.weir.internal.wire;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.weir.internal.event.Fold;
import io.weir.internal.event.FoldReason;
import io.weir.internal.event.FoldedField;
import io.weir.v1.FoldedEvent;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Encodes folds as {@code weir.v1.FoldedEvent}. Stateless. */
public final class FoldedEventEncoder {
  private static final int NAME = 1;
  private static final int FIELD = 2;

  private FoldedEventEncoder() {}

  public static byte[] encode(Fold fold, FoldReason reason) {
    byte[] key = fold.key();
    byte[] type = fold.type();
    byte[] bytes = new byte[size(fold, key, type, reason)];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeByteArray(FoldedEvent.KEY_FIELD_NUMBER, key);
      writeInt64(FoldedEvent.OFFSET_FIELD_NUMBER, fold.offset(), out);
      writeInt64(FoldedEvent.INDEX_FIELD_NUMBER, fold.index(), out);
      for (FoldedField field : fold.fields()) {
        int length = size(field);
        out.writeTag(FoldedEvent.FIELDS_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(entrySize(field, length));
        out.writeByteArray(NAME, field.name());
        out.writeTag(FIELD, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(length);
        out.writeByteArray(io.weir.v1.FoldedField.FIRST_FIELD_NUMBER, field.first());
        out.writeByteArray(io.weir.v1.FoldedField.LAST_FIELD_NUMBER, field.last());
        out.writeInt64(
            io.weir.v1.FoldedField.LAST_TIMESTAMP_MS_FIELD_NUMBER, field.lastAt().timestampMs());
        out.writeUInt64(io.weir.v1.FoldedField.OCCURRENCES_FIELD_NUMBER, field.occurrences());
      }
      for (byte[] subject : fold.subjects().listed()) {
        out.writeByteArray(FoldedEvent.SUBJECTS_FIELD_NUMBER, subject);
      }
      writeInt64(FoldedEvent.SUBJECT_COUNT_FIELD_NUMBER, fold.subjects().count(), out);
      writeInt64(FoldedEvent.EVENT_COUNT_FIELD_NUMBER, fold.events(), out);
      writeInt64(FoldedEvent.FIRST_TIMESTAMP_MS_FIELD_NUMBER, fold.firstTimestampMs(), out);
      writeInt64(FoldedEvent.LAST_TIMESTAMP_MS_FIELD_NUMBER, fold.lastTimestampMs(), out);
      out.writeEnum(FoldedEvent.REASON_FIELD_NUMBER, reason.number());
      if (type.length > 0) {
        out.writeByteArray(FoldedEvent.TYPE_FIELD_NUMBER, type);
      }
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // It was measured.
    }
    return bytes;
  }

  private static void writeInt64(int number, long value, CodedOutputStream out) throws IOException {
    if (value != 0) {
      out.writeInt64(number, value);
    }
  }

  private static int sizeOf(int number, long value) {
    return value == 0 ? 0 : CodedOutputStream.computeInt64Size(number, value);
  }

  private static int size(Fold fold, byte[] key, byte[] type, FoldReason reason) {
    int size =
        CodedOutputStream.computeByteArraySize(FoldedEvent.KEY_FIELD_NUMBER, key)
            + (type.length == 0
                ? 0
                : CodedOutputStream.computeByteArraySize(FoldedEvent.TYPE_FIELD_NUMBER, type))
            + sizeOf(FoldedEvent.OFFSET_FIELD_NUMBER, fold.offset())
            + sizeOf(FoldedEvent.INDEX_FIELD_NUMBER, fold.index())
            + sizeOf(FoldedEvent.SUBJECT_COUNT_FIELD_NUMBER, fold.subjects().count())
            + sizeOf(FoldedEvent.EVENT_COUNT_FIELD_NUMBER, fold.events())
            + sizeOf(FoldedEvent.FIRST_TIMESTAMP_MS_FIELD_NUMBER, fold.firstTimestampMs())
            + sizeOf(FoldedEvent.LAST_TIMESTAMP_MS_FIELD_NUMBER, fold.lastTimestampMs())
            + CodedOutputStream.computeEnumSize(FoldedEvent.REASON_FIELD_NUMBER, reason.number());
    for (FoldedField field : fold.fields()) {
      int entry = entrySize(field, size(field));
      size +=
          CodedOutputStream.computeTagSize(FoldedEvent.FIELDS_FIELD_NUMBER)
              + CodedOutputStream.computeUInt32SizeNoTag(entry)
              + entry;
    }
    for (byte[] subject : fold.subjects().listed()) {
      size += CodedOutputStream.computeByteArraySize(FoldedEvent.SUBJECTS_FIELD_NUMBER, subject);
    }
    return size;
  }

  private static int entrySize(FoldedField field, int length) {
    return CodedOutputStream.computeByteArraySize(NAME, field.name())
        + CodedOutputStream.computeTagSize(FIELD)
        + CodedOutputStream.computeUInt32SizeNoTag(length)
        + length;
  }

  private static int size(FoldedField field) {
    return CodedOutputStream.computeByteArraySize(
            io.weir.v1.FoldedField.FIRST_FIELD_NUMBER, field.first())
        + CodedOutputStream.computeByteArraySize(
            io.weir.v1.FoldedField.LAST_FIELD_NUMBER, field.last())
        + CodedOutputStream.computeInt64Size(
            io.weir.v1.FoldedField.LAST_TIMESTAMP_MS_FIELD_NUMBER, field.lastAt().timestampMs())
        + CodedOutputStream.computeUInt64Size(
            io.weir.v1.FoldedField.OCCURRENCES_FIELD_NUMBER, field.occurrences());
  }
}
