package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {
  /**
   * Tells what is malformed by its result, not by exceptions, which would take most of the time.
   */
  private final CharsetDecoder decoder = UTF_8.newDecoder();

  @Test
  void everyCodePoint_encoded_isValidUnlessASurrogate() {
    for (int codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      if (codePoint < 0xd800 || codePoint > 0xdfff) {
        byte[] bytes = Character.toString(codePoint).getBytes(UTF_8);
        if (!Utf8.isValid(bytes, 0, bytes.length)) {
          fail("code point %x", codePoint);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomBytes_areValid_whereTheLibrarysDecoderTakesThem(long seed) {
    byte[] edges = {
      0x41,
      (byte) 0x7f,
      (byte) 0x80,
      (byte) 0x8f,
      (byte) 0x90,
      (byte) 0x9f,
      (byte) 0xa0,
      (byte) 0xbf,
      (byte) 0xc0,
      (byte) 0xc1,
      (byte) 0xc2,
      (byte) 0xdf,
      (byte) 0xe0,
      (byte) 0xe1,
      (byte) 0xed,
      (byte) 0xef,
      (byte) 0xf0,
      (byte) 0xf1,
      (byte) 0xf4,
      (byte) 0xf5,
      (byte) 0xff
    };
    Random random = new Random(seed);
    for (int i = 0; i < 300_000; i++) {
      byte[] bytes = new byte[1 + random.nextInt(5)];
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] = edges[random.nextInt(edges.length)];
      }
      if (Utf8.isValid(bytes, 0, bytes.length) != decodes(bytes)) {
        fail("seed %d: %s", seed, HexFormat.of().formatHex(bytes));
      }
    }
  }

  @Test
  void loneSurrogates_areFoundAndPairsAreNot() {
    assertThat(Utf8.hasLoneSurrogate("a\ud83d\ude00b")).isFalse();
    assertThat(Utf8.hasLoneSurrogate("a\ud83d")).isTrue();
    assertThat(Utf8.hasLoneSurrogate("\ude00\ud83d")).isTrue();
    assertThat(Utf8.hasLoneSurrogate("\ud83d\ud83d\ude00")).isTrue();
  }

  private boolean decodes(byte[] bytes) {
    decoder.reset();
    return decoder
        .decode(ByteBuffer.wrap(bytes), CharBuffer.allocate(bytes.length), true)
        .isUnderflow();
  }
}
