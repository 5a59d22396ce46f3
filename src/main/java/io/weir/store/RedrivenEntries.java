package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.reading.RedrivenParts;
import io.weir.reading.RedrivenParts.Part;
import java.io.IOException;
import java.util.Arrays;

/**
 * The parts of dead letters and late records that have counted, as entries of the changelog, and up
 * to where they were forgotten.
 *
 * <pre>
 * part        format 1
 * forgotten   format 1 | offset, a varint
 * </pre>
 */
final class RedrivenEntries {
  private static final int FORMAT = 1;
  private static final int MOST_BYTES = 16;

  private final RedrivenParts parts;

  RedrivenEntries(RedrivenParts parts) {
    this.parts = parts;
  }

  /** Writes what changed since it was last written. */
  void flush(ChangeLog log) throws IOException {
    for (Part part : parts.removed()) {
      log.put(StateKey.redriven(part), null);
    }
    for (Part part : parts.added()) {
      log.put(StateKey.redriven(part), new byte[] {FORMAT});
    }
    for (var moved : parts.moved().entrySet()) {
      byte[] buffer = new byte[MOST_BYTES];
      CodedOutputStream out = CodedOutputStream.newInstance(buffer);
      out.writeUInt32NoTag(FORMAT);
      out.writeUInt64NoTag(moved.getValue());
      log.put(
          StateKey.redrivenThrough(moved.getKey()),
          Arrays.copyOf(buffer, out.getTotalBytesWritten()));
    }
    parts.written();
  }

  void restorePart(byte[] key, byte[] value) throws IOException {
    Part part = StateKey.redrivenPart(key);
    if (value == null) {
      parts.restoreForgotten(part);
    } else {
      formatOf(value);
      parts.restore(part);
    }
  }

  void restoreThrough(byte[] key, byte[] value) throws IOException {
    parts.restoreForgottenThrough(StateKey.redrivenSource(key), formatOf(value).readUInt64());
  }

  private static CodedInputStream formatOf(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    int format = in.readUInt32();
    if (format != FORMAT) {
      throw StateMismatchException.ofFormat(format, FORMAT);
    }
    return in;
  }
}
