package io.weir.internal.wire;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Marks the position of an operator's order among the readings of a partition, a gateway's reset or
 * an accepted loss: a record with an empty value and the header {@value #HEADER}. Any client with
 * write access to the readings can write one, so it refers to an operator's order on the control
 * topic and is refused without that order.
 *
 * @param offset of the order on the control topic
 * @param nonceHigh the order's nonce, its first 8 bytes, big-endian
 * @param nonceLow its last 8 bytes
 */
public record ResetMark(long offset, long nonceHigh, long nonceLow) {
  /** Its value: the offset, 8 bytes big-endian, then the nonce. */
  public static final String HEADER = "weir.control";

  /** Bytes of a nonce. */
  public static final int NONCE_BYTES = 2 * Long.BYTES;

  private static final byte[] EMPTY = {};

  /** Refers to an order by its offset and its nonce of {@value #NONCE_BYTES} bytes. */
  public static ResetMark of(long offset, ByteString nonce) {
    ByteBuffer bytes = nonce.asReadOnlyByteBuffer();
    return new ResetMark(offset, bytes.getLong(), bytes.getLong());
  }

  /** Whether a record is a reset mark by its header. A record with readings is a batch. */
  public static boolean is(byte[] value, Headers headers) {
    return value != null && value.length == 0 && headers.lastHeader(HEADER) != null;
  }

  /** Parses the header; empty if it is invalid. */
  public static Optional<ResetMark> read(Headers headers) {
    Header header = headers.lastHeader(HEADER);
    byte[] value = header == null ? null : header.value();
    if (value == null || value.length != Long.BYTES + NONCE_BYTES) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.wrap(value);
    return Optional.of(new ResetMark(bytes.getLong(), bytes.getLong(), bytes.getLong()));
  }

  /** The value of the record. */
  public static byte[] value() {
    return EMPTY;
  }

  /** Adds the header. */
  public void mark(Headers headers) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + NONCE_BYTES);
    headers.add(HEADER, bytes.putLong(offset).putLong(nonceHigh).putLong(nonceLow).array());
  }
}
