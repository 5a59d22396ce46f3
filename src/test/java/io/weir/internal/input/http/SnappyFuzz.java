package io.weir.internal.input.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.xerial.snappy.Snappy;

/** Any bytes as a block: the same verdict as Snappy's own, and the same bytes. */
public final class SnappyFuzz {
  private static final int MOST_BYTES = 1 << 20;

  private SnappyFuzz() {}

  public static void fuzzerTestOneInput(byte[] block) {
    int length = SnappyBlock.length(block, block.length);
    if (length > MOST_BYTES) {
      return;
    }
    byte[] plain = SnappyBlock.decompress(block, block.length);
    try {
      assertThat(plain != null).isEqualTo(Snappy.isValidCompressedBuffer(block));
      if (plain != null) {
        assertThat(plain).hasSize(length).isEqualTo(Snappy.uncompress(block));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
