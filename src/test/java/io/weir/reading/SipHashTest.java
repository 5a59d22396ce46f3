package io.weir.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Compared with the function as its authors wrote it, which is compared with their own vector. */
class SipHashTest {
  private static final long KEY_0 = 0x0706050403020100L;
  private static final long KEY_1 = 0x0f0e0d0c0b0a0908L;

  /** Appendix A of the paper: the bytes 0 to 14, two rounds a word and four at the end. */
  @Test
  void reference_agreesWithThePaper() {
    byte[] message = new byte[15];
    for (int i = 0; i < message.length; i++) {
      message[i] = (byte) i;
    }
    assertThat(reference(2, 4, KEY_0, KEY_1, message)).isEqualTo(0xa129ca6149be45e5L);
  }

  @Test
  void anyBytes_haveTheHashOfTheReference() {
    Seeds.forEach(
        2_000,
        random -> {
          byte[] bytes = new byte[random.nextInt(300)];
          random.nextBytes(bytes);
          int from = random.nextInt(bytes.length + 1);
          int length = random.nextInt(bytes.length - from + 1);
          long key0 = random.nextLong();
          long key1 = random.nextLong();
          byte[] message = Arrays.copyOfRange(bytes, from, from + length);
          assertThat(SipHash.hash(key0, key1, bytes, from, length))
              .isEqualTo(reference(1, 3, key0, key1, message));
        });
  }

  private static long reference(
      int roundsOfWord, int roundsAtEnd, long key0, long key1, byte[] message) {
    long[] v = {
      key0 ^ 0x736f6d6570736575L,
      key1 ^ 0x646f72616e646f6dL,
      key0 ^ 0x6c7967656e657261L,
      key1 ^ 0x7465646279746573L
    };
    byte[] padded = Arrays.copyOf(message, message.length / 8 * 8 + 8);
    padded[padded.length - 1] = (byte) message.length;
    for (int at = 0; at < padded.length; at += 8) {
      long word = 0;
      for (int i = 7; i >= 0; i--) {
        word = word << 8 | padded[at + i] & 0xff;
      }
      v[3] ^= word;
      rounds(v, roundsOfWord);
      v[0] ^= word;
    }
    v[2] ^= 0xff;
    rounds(v, roundsAtEnd);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
  }

  private static void rounds(long[] v, int count) {
    for (int i = 0; i < count; i++) {
      v[0] += v[1];
      v[1] = Long.rotateLeft(v[1], 13) ^ v[0];
      v[0] = Long.rotateLeft(v[0], 32);
      v[2] += v[3];
      v[3] = Long.rotateLeft(v[3], 16) ^ v[2];
      v[0] += v[3];
      v[3] = Long.rotateLeft(v[3], 21) ^ v[0];
      v[2] += v[1];
      v[1] = Long.rotateLeft(v[1], 17) ^ v[2];
      v[2] = Long.rotateLeft(v[2], 32);
    }
  }
}
