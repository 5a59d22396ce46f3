package io.weir.internal.store;

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
 * part        format
 * forgotten   format | offset, a varint
 * </pre>
 */
final class RedrivenEntries {
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
      log.put(StateKey.redriven(part), new byte[] {StateFormat.NUMBER});
    }
    for (var moved : parts.moved().entrySet()) {
      byte[] buffer = new byte[MOST_BYTES];
      CodedOutputStream out = CodedOutputStream.newInstance(buffer);
      StateFormat.write(out);
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
      StateFormat.read(value);
      parts.restore(part);
    }
  }

  void restoreThrough(byte[] key, byte[] value) throws IOException {
    parts.restoreForgottenThrough(
        StateKey.redrivenSource(key), StateFormat.read(value).readUInt64());
  }
}
