package io.weir.reading;

import java.nio.charset.StandardCharsets;

/**
 * FNV-1a of 32 and of 64 bits: for each byte, exclusive-or it in, then multiply by the FNV prime.
 * Offset bases and primes are those of the <a href="http://www.isthe.com/chongo/tech/comp/fnv/">FNV
 * page</a>. Costs one multiplication a byte; stateless.
 */
public final class Fnv1a {
  /** The hash of no bytes, 32 bits. */
  public static final int OFFSET_BASIS = 0x811c9dc5;

  private static final int PRIME = 0x01000193;
  private static final long OFFSET_BASIS_64 = 0xcbf29ce484222325L;
  private static final long PRIME_64 = 0x100000001b3L;

  private Fnv1a() {}

  /**
   * The hash of some bytes and one more.
   *
   * @param octet 0 to 255
   */
  public static int add(int hash, int octet) {
    return (hash ^ octet) * PRIME;
  }

  /** The hash of {@code length} bytes from {@code offset}, to be read as unsigned. */
  public static int hash(byte[] bytes, int offset, int length) {
    int hash = OFFSET_BASIS;
    for (int i = offset; i < offset + length; i++) {
      hash = add(hash, bytes[i] & 0xff);
    }
    return hash;
  }

  /** The hash of the text's UTF-8 bytes, to be read as unsigned. */
  public static int hash(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return hash(utf8, 0, utf8.length);
  }

  /** The 64-bit hash of the text's UTF-8 bytes. */
  public static long hash64(String text) {
    long hash = OFFSET_BASIS_64;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * PRIME_64;
    }
    return hash;
  }
}
