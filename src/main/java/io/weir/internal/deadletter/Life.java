package io.weir.internal.deadletter;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The life of a partition's state: from its first record until it is reset or lost. As text 16
 * hexadecimal digits.
 *
 * @param id random
 */
public record Life(long id) {
  /** Of no state. */
  public static final Life NONE = new Life(0);

  /** Parses the text; empty if it is invalid. */
  public static Optional<Life> parse(String text) {
    return text.matches("[0-9a-f]{16}")
        ? Optional.of(new Life(HexFormat.fromHexDigitsToLong(text)))
        : Optional.empty();
  }

  /** The life that wrote a record; empty if its headers do not tell. */
  public static Optional<Life> of(Headers headers) {
    Header header = headers.lastHeader(DeadLetterHeaders.LIFE);
    return header == null || header.value() == null
        ? Optional.empty()
        : parse(new String(header.value(), StandardCharsets.UTF_8));
  }

  /** As a header of a record that it writes. */
  public Header header() {
    return new RecordHeader(DeadLetterHeaders.LIFE, toString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(id);
  }
}
