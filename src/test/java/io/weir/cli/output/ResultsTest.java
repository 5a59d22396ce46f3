package io.weir.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ResultsTest {
  @Test
  void flush_toAReaderThatLeft_saysSo() {
    assertThatThrownBy(() -> flushInto("Broken pipe")).isInstanceOf(OutputClosedException.class);
  }

  @Test
  void flush_toAFullDisk_isAFailure() {
    assertThatThrownBy(() -> flushInto("No space left on device"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("standard output: No space left on device");
  }

  @Test
  void line_ofATextWithControlCharacters_staysOneLineWithoutThem() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Results results = new Results(written);

    results.line("before");
    results.line("id \u001b[2J\nno findings");
    results.line("after");
    results.flush();

    assertThat(written.toString(StandardCharsets.UTF_8))
        .isEqualTo("before\nid \\u001b[2J\\nno findings\nafter\n");
  }

  private static void flushInto(String trouble) {
    Results results =
        new Results(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException(trouble);
              }
            });
    results.line("x");
    results.flush();
  }
}
