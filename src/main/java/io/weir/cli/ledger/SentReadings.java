package io.weir.cli.ledger;

import io.weir.reading.Reading;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The beginning of a file: how many readings, and a SHA-256 over them. Two files whose digests are
 * the same begin with the same readings, however they are written. One thread.
 */
final class SentReadings {
  private static final int NUMBERS_BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;

  private final MessageDigest digest;
  private long count;

  SentReadings() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every Java has it.
    }
  }

  /** How many there are, and their digest; the form in which a ledger has it. */
  record Mark(long count, String digest) {
    static final Mark NONE = new SentReadings().mark();
  }

  void add(Reading reading) {
    byte[] id = reading.sensorId().getBytes(StandardCharsets.UTF_8);
    ByteBuffer numbers = ByteBuffer.allocate(NUMBERS_BYTES);
    numbers.putInt(id.length);
    numbers.putLong(reading.timestampMs());
    numbers.putLong(Double.doubleToRawLongBits(reading.value()));
    numbers.putInt(reading.quality().ordinal());
    digest.update(numbers.array());
    digest.update(id);
    count++;
  }

  /** All that were added so far. */
  Mark mark() {
    try {
      MessageDigest soFar = (MessageDigest) digest.clone();
      return new Mark(count, HexFormat.of().formatHex(soFar.digest()));
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e); // Java's own digest can.
    }
  }

  long count() {
    return count;
  }
}
