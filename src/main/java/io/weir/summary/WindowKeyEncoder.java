package io.weir.summary;

import com.google.protobuf.CodedOutputStream;
import io.weir.v1.WindowKey;
import java.io.IOException;
import java.util.Arrays;

/**
 * Writes a {@code weir.v1.WindowKey} without message objects, as protobuf's own encoder does: equal
 * windows have equal bytes. Stateless.
 */
public final class WindowKeyEncoder {
  private static final int MOST_BYTES = 32;

  private WindowKeyEncoder() {}

  /**
   * The bytes of a key.
   *
   * @param sensorId UTF-8, not empty
   */
  public static byte[] encode(byte[] sensorId, long startMs, long endMs) {
    byte[] buffer = new byte[MOST_BYTES + sensorId.length];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    try {
      out.writeByteArray(WindowKey.SENSOR_ID_FIELD_NUMBER, sensorId);
      if (startMs != 0) {
        out.writeInt64(WindowKey.WINDOW_START_MS_FIELD_NUMBER, startMs);
      }
      if (endMs != 0) {
        out.writeInt64(WindowKey.WINDOW_END_MS_FIELD_NUMBER, endMs);
      }
      return Arrays.copyOf(buffer, out.getTotalBytesWritten());
    } catch (IOException e) {
      throw new IllegalStateException("writing an array failed", e);
    }
  }
}
