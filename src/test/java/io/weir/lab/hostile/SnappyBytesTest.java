package io.weir.lab.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

class SnappyBytesTest {
  @Test
  void blocks_areReadByTheLibrary() throws Exception {
    byte[] plain = new byte[200_000];
    new Random(1).nextBytes(plain);
    assertThat(Snappy.uncompress(SnappyBytes.literals(plain))).isEqualTo(plain);
    assertThat(Snappy.uncompress(SnappyBytes.literals(new byte[0]))).isEmpty();
    assertThat(Snappy.uncompress(SnappyBytes.zeros(6_400))).isEqualTo(new byte[6_401]);
  }
}
