package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RejectsWriterTest {
  @TempDir Path folder;

  @Test
  void file_withoutRejects_isTheHeaderFromTheStart() throws IOException {
    Path file = Files.writeString(folder.resolve("r.csv"), "something older and longer than it");
    try (RejectsWriter writer = RejectsWriter.open(file)) {
      assertThat(file).hasContent("line_no,reason,line\n");
      assertThat(writer.count()).isZero();
    }
    assertThat(Files.readString(file)).isEqualTo("line_no,reason,line\n");
  }

  @Test
  void badLines_areQuotedAndKeepTheirBytes() throws IOException {
    byte[] text = "sensor_id,timestamp_ms,value\r\n\"a,1\r\n\r\nb\u00ff\r,,\n".getBytes(ISO_8859_1);
    Path file = folder.resolve("r.csv");
    try (RejectsWriter writer = RejectsWriter.open(file)) {
      for (TextLine line : TextLines.of(text)) {
        writer.write((TextLine.Bad) line);
      }
      assertThat(writer.count()).isEqualTo(2);
    }
    assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
        .isEqualTo(
            "line_no,reason,line\n2,MALFORMED_LINE,\"\"\"a,1\"\n4,INVALID_UTF8,\"b\u00ff\r,,\"\n");
  }
}
