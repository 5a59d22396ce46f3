package io.weir.internal.text;

import static io.weir.internal.text.TextLines.gzip;
import static io.weir.internal.text.TextLines.join;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GunzipStreamTest {
  private static final byte[] ONE = {1};

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void members_ofRandomBytes_areUnpackedInTheirOrder(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] packed = {};
    byte[] expected = {};
    for (int member = 0; member < 20; member++) {
      byte[] bytes = new byte[random.nextInt(60_000)];
      random.nextBytes(bytes);
      Arrays.fill(bytes, 0, bytes.length / 2, (byte) 'a');
      packed = join(packed, gzip(bytes));
      expected = join(expected, bytes);
    }
    assertThat(unpack(packed)).as("seed %d", seed).isEqualTo(expected);
    assertThat(unpack(join(packed, new byte[1000]))).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void header_withEveryOptionalField_isPassedOver() throws IOException {
    byte[] plain = gzip("text".getBytes(UTF_8));
    byte[] fields = "\2\0xxname\0comment\0cc".getBytes(ISO_8859_1);
    byte[] head = Arrays.copyOf(plain, 10);
    head[3] = 0x1f;
    byte[] full = join(head, fields, Arrays.copyOfRange(plain, 10, plain.length));
    assertThat(unpack(full)).isEqualTo("text".getBytes(UTF_8));
  }

  @Test
  void members_cutAnywhere_areMissed() throws IOException {
    byte[] first = gzip("first".getBytes(UTF_8));
    byte[] both = join(first, gzip("second".getBytes(UTF_8)));
    for (int cut = 1; cut < both.length; cut++) {
      byte[] part = Arrays.copyOf(both, cut);
      if (cut == first.length) {
        assertThat(unpack(part)).isEqualTo("first".getBytes(UTF_8));
      } else {
        assertThatThrownBy(() -> unpack(part)).as("cut %d", cut).isInstanceOf(EOFException.class);
      }
    }
  }

  @Test
  void bytes_afterTheLastMember_areReported() throws IOException {
    byte[] packed = gzip("text".getBytes(UTF_8));
    assertThatThrownBy(() -> unpack(join(packed, ONE))).isInstanceOf(ZipException.class);
    assertThatThrownBy(() -> unpack(join(packed, new byte[3], ONE)))
        .isInstanceOf(ZipException.class);
  }

  @Test
  void damage_toAnyByteOfDataOrTrailer_isReported() throws IOException {
    byte[] packed = gzip("some text, some text".getBytes(UTF_8));
    for (int at = 10; at < packed.length; at++) {
      byte[] damaged = packed.clone();
      damaged[at] ^= 0x10;
      assertThatThrownBy(() -> unpack(damaged)).as("at %d", at).isInstanceOf(IOException.class);
    }
  }

  private static byte[] unpack(byte[] packed) throws IOException {
    try (GunzipStream in = new GunzipStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }
}
