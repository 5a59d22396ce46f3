package io.weir.internal.input.sparkplug;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The payload of a command to an edge node to send its births again. */
final class RebirthCommand {
  private static final byte[] NAME = "Node Control/Rebirth".getBytes(US_ASCII);
  private static final int BOOLEAN = 11;

  private RebirthCommand() {}

  static byte[] at(long nowMs) {
    try {
      ByteArrayOutputStream metric = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(metric);
      out.writeByteArray(1, NAME);
      out.writeUInt64(3, nowMs);
      out.writeUInt32(4, BOOLEAN);
      out.writeBool(14, true);
      out.flush();
      ByteArrayOutputStream payload = new ByteArrayOutputStream();
      out = CodedOutputStream.newInstance(payload);
      out.writeUInt64(1, nowMs);
      out.writeByteArray(2, metric.toByteArray());
      out.flush();
      return payload.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
