package io.weir.reading;

import java.nio.charset.StandardCharsets;

/**
 * FNV-1a, 32 bits: for each byte, exclusive-or it in, then multiply by the FNV prime. Offset basis
 * and prime are those of the <a href="http://www.isthe.com/chongo/tech/comp/fnv/">FNV page</a>.
 * Costs one multiplication a byte; stateless.
 */
public final class Fnv1a {
  /** The hash of nothing. */
  public static final int OFFSET_BASIS = 0x811c9dc5;

  private static final int PRIME = 0x01000193;

  private Fnv1a() {}

  /** The hash of {@code length} bytes from {@code offset}, to be read as unsigned. */
  public static int hash(byte[] bytes, int offset, int length) {
    int hash = OFFSET_BASIS;
    for (int i = offset; i < offset + length; i++) {
      hash = (hash ^ (bytes[i] & 0xff)) * PRIME;
    }
    return hash;
  }

  /** The hash of the text's UTF-8 bytes, to be read as unsigned. */
  public static int hash(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return hash(utf8, 0, utf8.length);
  }
}
