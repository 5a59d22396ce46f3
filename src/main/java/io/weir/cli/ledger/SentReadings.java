package io.weir.cli.ledger;

import io.weir.reading.Reading;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The sent beginning of a file: the number of readings, and their SHA-256. Two files with the same
 * digest begin with the same readings, in any text form. One thread.
 */
final class SentReadings {
  private static final int NUMBERS_BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;

  private final MessageDigest digest;
  private long count;

  SentReadings() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has this algorithm.
    }
  }

  /** Their number and digest, in the form of the ledger. */
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

  /** The mark of all added readings. */
  Mark mark() {
    try {
      MessageDigest soFar = (MessageDigest) digest.clone();
      return new Mark(count, HexFormat.of().formatHex(soFar.digest()));
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e); // The JDK's digest supports clone().
    }
  }

  long count() {
    return count;
  }
}
