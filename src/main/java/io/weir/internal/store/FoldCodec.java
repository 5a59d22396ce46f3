package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.event.Fold;
import io.weir.internal.event.FoldedField;
import io.weir.internal.event.FoldedField.Moment;
import io.weir.internal.event.Subjects;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A fold as bytes; numbers are protobuf varints, texts and values have their length in front.
 *
 * <pre>
 * head    format | writer, 8 bytes | offset | index | first log ms | last log ms - first | events
 *         | first timestamp ms | last timestamp ms - first | fields | subjects
 *         | if subjects are no longer distinguished: those that are listed, texts
 * fields  each: name | slot | first | its moment | last | its moment | occurrences
 * moment  timestamp ms | offset | index
 * texts   texts
 * </pre>
 */
final class FoldCodec {

  /** Most parts are shorter; a buffer is allocated with each. */
  private static final int BUFFER_BYTES = 512;

  /**
   * A fold without its parts.
   *
   * @param fields how many it has
   * @param subjects how many it distinguishes
   * @param listed subjects that are in the head
   */
  record Head(Fold fold, int fields, int subjects, List<byte[]> listed) {}

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  byte[] encodeHead(Fold fold) throws IOException {
    CodedOutputStream out = begin();
    StateFormat.write(out);
    out.writeFixed64NoTag(fold.writerId());
    out.writeUInt64NoTag(fold.offset());
    out.writeUInt32NoTag(fold.index());
    out.writeSInt64NoTag(fold.firstLogMs());
    out.writeUInt64NoTag(fold.lastLogMs() - fold.firstLogMs());
    out.writeUInt64NoTag(fold.events());
    out.writeUInt64NoTag(fold.firstTimestampMs());
    out.writeUInt64NoTag(fold.lastTimestampMs() - fold.firstTimestampMs());
    out.writeUInt32NoTag(fold.fields().size());
    out.writeUInt32NoTag(fold.subjects().count());
    if (fold.subjects().count() == Subjects.MOST_COUNTED) {
      writeTexts(fold.subjects().listed(), out);
    }
    return end(out);
  }

  private CodedOutputStream begin() {
    bytes.reset();
    return CodedOutputStream.newInstance(bytes, BUFFER_BYTES);
  }

  private byte[] end(CodedOutputStream out) throws IOException {
    out.flush();
    return bytes.toByteArray();
  }

  static Head decodeHead(byte[] name, byte[] value) throws IOException {
    if (!Fold.isName(name)) {
      throw new IOException("a fold without a key");
    }
    CodedInputStream in = StateFormat.read(value);
    long writer = in.readFixed64();
    long offset = in.readUInt64();
    int index = in.readUInt32();
    long firstLogMs = in.readSInt64();
    long lastLogMs = firstLogMs + in.readUInt64();
    long events = in.readUInt64();
    long firstMs = in.readUInt64();
    long lastMs = firstMs + in.readUInt64();
    Fold fold =
        new Fold(name, writer, offset, index, firstLogMs, lastLogMs, events, firstMs, lastMs);
    return new Head(fold, in.readUInt32(), in.readUInt32(), readTexts(in));
  }

  byte[] encodeFields(List<FoldedField> fields) throws IOException {
    CodedOutputStream out = begin();
    for (FoldedField field : fields) {
      out.writeByteArrayNoTag(field.name());
      out.writeUInt32NoTag(field.slot());
      out.writeByteArrayNoTag(field.first());
      write(field.firstAt(), out);
      out.writeByteArrayNoTag(field.last());
      write(field.lastAt(), out);
      out.writeUInt64NoTag(field.occurrences());
    }
    return end(out);
  }

  private static void write(Moment moment, CodedOutputStream out) throws IOException {
    out.writeUInt64NoTag(moment.timestampMs());
    out.writeUInt64NoTag(moment.offset());
    out.writeUInt32NoTag(moment.index());
  }

  static void decodeFields(byte[] value, Fold fold) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    while (!in.isAtEnd()) {
      byte[] name = in.readByteArray();
      int slot = in.readUInt32();
      byte[] first = in.readByteArray();
      Moment firstAt = readMoment(in);
      byte[] last = in.readByteArray();
      Moment lastAt = readMoment(in);
      fold.restore(new FoldedField(name, slot, first, firstAt, last, lastAt, in.readUInt64()));
    }
  }

  private static Moment readMoment(CodedInputStream in) throws IOException {
    return new Moment(in.readUInt64(), in.readUInt64(), in.readUInt32());
  }

  byte[] encodeTexts(Collection<byte[]> texts) throws IOException {
    CodedOutputStream out = begin();
    writeTexts(texts, out);
    return end(out);
  }

  private static void writeTexts(Collection<byte[]> texts, CodedOutputStream out)
      throws IOException {
    for (byte[] text : texts) {
      out.writeByteArrayNoTag(text);
    }
  }

  static List<byte[]> decodeTexts(byte[] value) throws IOException {
    return readTexts(CodedInputStream.newInstance(value));
  }

  private static List<byte[]> readTexts(CodedInputStream in) throws IOException {
    List<byte[]> texts = new ArrayList<>();
    while (!in.isAtEnd()) {
      texts.add(in.readByteArray());
    }
    return texts;
  }
}
