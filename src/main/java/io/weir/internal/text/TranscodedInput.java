package io.weir.internal.text;

import io.weir.internal.text.mapping.Mapping;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Text of another encoding as UTF-8. Bytes that mean nothing in it become U+FFFD. One thread. */
final class TranscodedInput extends BlockInput {
  private static final int CHUNK_CHARS = 1 << 13;

  private final InputStream in;
  private final Reader reader;
  private final char[] chars = new char[CHUNK_CHARS];
  private byte[] utf8 = {};
  private int taken;
  private int lone;

  private TranscodedInput(InputStream in, Charset charset) {
    this.in = in;
    this.reader = new InputStreamReader(in, charset);
  }

  /** The stream itself where its form says nothing else than UTF-8. */
  static InputStream utf8(InputStream in, TextForm form) {
    Charset charset = form.mapping().map(Mapping::charset).orElse(StandardCharsets.UTF_8);
    return charset.equals(StandardCharsets.UTF_8) ? in : new TranscodedInput(in, charset);
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (taken == utf8.length) {
      int read = reader.read(chars, lone, chars.length - lone);
      if (read < 0) {
        return -1;
      }
      int end = lone + read;
      // The first half of a pair waits for the second.
      boolean half = Character.isHighSurrogate(chars[end - 1]);
      utf8 = new String(chars, 0, half ? end - 1 : end).getBytes(StandardCharsets.UTF_8);
      lone = half ? 1 : 0;
      chars[0] = chars[end - 1];
      taken = 0;
    }
    int count = Math.min(length, utf8.length - taken);
    System.arraycopy(utf8, taken, target, offset, count);
    taken += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
