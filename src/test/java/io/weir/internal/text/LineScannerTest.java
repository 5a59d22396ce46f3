package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineScannerTest {
  @Test
  void lines_endedByLfCrlfOrTheEnd_comeWithoutTheirEnds() throws IOException {
    assertThat(scan("a\nb\r\n\n\r\nc", 100)).containsExactly("a", "b", "", "", "c");
    assertThat(scan("a\r", 100)).containsExactly("a");
    assertThat(scan("", 100)).isEmpty();
    assertThat(scan("\n", 100)).containsExactly("");
  }

  @Test
  void carriageReturn_notBeforeTheEnd_staysInItsLine() throws IOException {
    assertThat(scan("a\rb\r\r\nc", 100)).containsExactly("a\rb", "c");
  }

  @Test
  void longLine_overTheLimit_isCutAndTheNextOneIsWhole() throws IOException {
    assertThat(scan("1234\n12345\n123456\r\n1\n", 4))
        .containsExactly("1234", "1234!", "1234!", "1");
    assertThat(scan("1234\r\n1234", 4)).containsExactly("1234", "1234");
    assertThat(scan("12345678901234567890", 4)).containsExactly("1234!");
    assertThat(scan("x".repeat(1_000_000) + "\ny", 4)).containsExactly("xxxx!", "y");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomBytes_inRandomPieces_areCutAsBySplitting(long seed) throws IOException {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      int limit = 1 + random.nextInt(30);
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(200); i > 0; i--) {
        text.append("ab\r\n\u00e9".charAt(random.nextInt(5)));
      }
      assertThat(scan(new Dripping(text.toString(), random), limit))
          .as("seed %d round %d", seed, round)
          .isEqualTo(split(text.toString(), limit));
    }
  }

  private static List<String> split(String text, int limit) {
    List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
    if (lines.get(lines.size() - 1).isEmpty()) {
      lines.remove(lines.size() - 1);
    }
    lines.replaceAll(line -> line.replaceFirst("\r{1,2}$", ""));
    lines.replaceAll(line -> line.length() > limit ? line.substring(0, limit) + "!" : line);
    return lines;
  }

  private static List<String> scan(String text, int limit) throws IOException {
    return scan(new ByteArrayInputStream(text.getBytes(ISO_8859_1)), limit);
  }

  /** The lines, those that were cut with an exclamation mark behind them. */
  private static List<String> scan(InputStream in, int limit) throws IOException {
    LineScanner scanner = new LineScanner(in, limit);
    List<String> lines = new ArrayList<>();
    while (scanner.next()) {
      String line = new String(scanner.copyOfLine(), ISO_8859_1);
      assertThat(!scanner.ascii() || line.chars().allMatch(c -> c < 128)).isTrue();
      lines.add(scanner.tooLong() ? line + "!" : line);
      assertThat(scanner.lineNo()).isEqualTo(lines.size());
    }
    return lines;
  }

  /** Gives a few bytes at a time. */
  private static final class Dripping extends FilterInputStream {
    private final Random random;

    Dripping(String text, Random random) {
      super(new ByteArrayInputStream(text.getBytes(ISO_8859_1)));
      this.random = random;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return super.read(target, offset, Math.min(length, 1 + random.nextInt(7)));
    }
  }
}
