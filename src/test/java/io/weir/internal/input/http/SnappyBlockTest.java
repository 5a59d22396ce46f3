package io.weir.internal.input.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

class SnappyBlockTest {
  @Test
  void blocks_areDecompressedAsBySnappyItself() {
    Seeds.forEach(
        200,
        random -> {
          byte[] plain = plain(random);
          byte[] block = Snappy.compress(plain);

          assertThat(SnappyBlock.length(block, block.length)).isEqualTo(plain.length);
          assertThat(SnappyBlock.decompress(block, block.length)).isEqualTo(plain);
        });
  }

  /** Whatever the bytes are: the same verdict as Snappy's, and the same bytes. */
  @Test
  void damagedBlocks_areRefused() {
    Seeds.forEach(
        2_000,
        random -> {
          byte[] block = Snappy.compress(plain(random));
          for (int i = random.nextInt(4); i >= 0; i--) {
            block[random.nextInt(block.length)] = (byte) random.nextInt();
          }
          int length = random.nextInt(block.length + 1);
          int says = SnappyBlock.length(block, length);
          if (says <= 1 << 20) {
            byte[] ours = says < 0 ? null : SnappyBlock.decompress(block, length);
            boolean valid = Snappy.isValidCompressedBuffer(block, 0, length);
            assertThat(ours != null).isEqualTo(valid);
          }
        });
  }

  @Test
  void blockOfZeros_isDecompressed_andTheSameLengthOfNothingIsRefused() throws Exception {
    byte[] block = Snappy.compress(new byte[1 << 20]);
    assertThat(SnappyBlock.decompress(block, block.length)).isEqualTo(new byte[1 << 20]);
    assertThat(SnappyBlock.length(block, 100)).as("memory is not taken").isEqualTo(-1);
  }

  @Test
  void lengthBeyondAnArray_isNone() {
    byte[] huge = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f};
    assertThat(SnappyBlock.length(huge, huge.length)).isEqualTo(-1);
    assertThat(SnappyBlock.decompress(huge, huge.length)).isNull();
    assertThat(SnappyBlock.length(huge, 0)).isEqualTo(-1);
  }

  private static byte[] plain(Random random) {
    byte[] plain = new byte[random.nextInt(5_000)];
    for (int i = 0; i < plain.length; i++) {
      boolean repeats = i > 100 && random.nextInt(10) > 0;
      plain[i] = repeats ? plain[i - 1 - random.nextInt(3)] : (byte) random.nextInt(4);
    }
    return plain;
  }
}
