package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
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
