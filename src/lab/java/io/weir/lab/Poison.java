package io.weir.lab;

import java.nio.charset.StandardCharsets;

/** Records that are no batch, as they are met in the field. */
enum Poison {
  /** A program that writes JSON to the wrong topic. */
  JSON("{\"sensor\":\"temp-0001\",\"value\":21.5}".getBytes(StandardCharsets.UTF_8)),
  /** A batch cut off within its first field, which promises nine bytes. */
  CUT_OFF(new byte[] {0x0a, 0x09, 'g', 'a', 't'}),
  /** Noise: a field of a wire type that there is not. */
  NOISE(new byte[] {0x07, (byte) 0xff, 0x13, 0x37});

  private final byte[] bytes;

  Poison(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes.clone();
  }
}
