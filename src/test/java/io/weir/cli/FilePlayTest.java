package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.app.StartRefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePlayTest {
  @TempDir private Path dir;

  private void look(String text) throws IOException {
    Path file = Files.writeString(dir.resolve("readings.csv"), text);
    FilePlay.of(List.of(file), Optional.empty(), 0, null, new PrintWriter(Writer.nullWriter()));
  }

  @Test
  void whatIsNotDecided_isAskedFor() {
    assertThatThrownBy(
            () ->
                look(
                    """
                    sensor;time;value
                    a;03.04.2026 10:00:00;1,5
                    a;03.04.2026 10:00:10;1,7
                    """))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("not decided: ")
        .hasMessageContaining("to accept this, run: weir up --");
  }

  @Test
  void aFileWithoutReadings_isRefused() {
    assertThatThrownBy(() -> look("nothing of this is a reading\n"))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("no reading was found");
  }
}
