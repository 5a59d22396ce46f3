package io.weir.internal.text;

import static io.weir.internal.text.TextLines.HEADER;
import static io.weir.internal.text.TextLines.gzip;
import static io.weir.internal.text.TextLines.inShort;
import static io.weir.internal.text.TextLines.join;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.reading.Limits;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputFilesTest {
  private static final String JSON = "{\"sensor_id\":\"j\",\"timestamp_ms\":7,\"value\":8}\n";

  @TempDir Path folder;

  @Test
  void severalFiles_ofAllKinds_areOneInputCountedThrough() throws IOException {
    String plain = file("a.csv", (HEADER + "a,1,1\nbad\nb,2,2").getBytes(UTF_8));
    String packed = file("b.csv", gzip((HEADER + "c,3,3\n").getBytes(UTF_8)));
    String json = file("c.json", JSON.getBytes(UTF_8));
    String empty = file("d.csv.gz", new byte[0]);
    byte[] typed = (HEADER + "bad\n").getBytes(UTF_8);
    List<String> names = List.of(plain, packed, empty, json, "-");
    try (ReadingTextReader reader = open(names, new ByteArrayInputStream(typed))) {
      List<TextLine> lines = TextLines.rest(reader);
      assertThat(inShort(lines))
          .containsExactly(
              "2 a 1 1.0 GOOD",
              "3 MALFORMED_LINE",
              "4 b 2 2.0 GOOD",
              "6 c 3 3.0 GOOD",
              "7 j 7 8.0 GOOD",
              "9 MALFORMED_LINE");
      assertThat(((TextLine.Bad) lines.get(1)).file()).isEqualTo(plain);
      assertThat(((TextLine.Bad) lines.get(5)).file()).isEqualTo("-");
      assertThat(reader.linesRead()).isEqualTo(9);
      assertThat(reader.bytesTotal()).isEmpty();
      assertThat(reader.next()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\n\r\n\n", "\ufeff", "\ufeff\n"})
  void file_ofNothingButEmptyLines_hasNoReadings(String text) throws IOException {
    assertThat(TextLines.of(text)).isEmpty();
    assertThat(TextLines.of(gzip(text.getBytes(UTF_8)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sensor_id,timestamp_ms,value\r\n",
        "\ufeffsensor_id,timestamp_ms,value\n",
        "\n\nsensor_id,timestamp_ms,value\n",
        "\"sensor_id\",\"timestamp_ms\",value\n",
        "sensor_id,timestamp_ms,value,quality\n",
        "sensor_id,timestamp_ms,value"
      })
  void header_inEveryAllowedSpelling_isTaken(String header) throws IOException {
    assertThat(TextLines.of(header)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a,1,2\n",
        "Sensor_id,timestamp_ms,value\n",
        "sensor_id, timestamp_ms,value\n",
        "timestamp_ms,sensor_id,value\n",
        "sensor_id,timestamp_ms\n",
        "sensor_id,timestamp_ms,value,unit\n",
        "sensor_id,timestamp_ms,value,quality,\n",
        "\n\ufeffsensor_id,timestamp_ms,value\n",
        " {}\n"
      })
  void header_thatIsAnotherLine_isAWrongUse(String text) {
    assertThatThrownBy(() -> TextLines.of(text))
        .isInstanceOf(HeaderException.class)
        .hasMessageContaining("should be the header sensor_id,timestamp_ms,value[,quality]");
  }

  @Test
  void wrongHeader_isReportedOnOneLineWithFileAndLine() throws IOException {
    String name = file("x.csv", ("\n\u001b\u009b[31ma\rb" + "c".repeat(200)).getBytes(UTF_8));
    assertThatThrownBy(() -> open(List.of(name), InputStream.nullInputStream()))
        .hasMessage(
            name
                + ": line 2 should be the header sensor_id,timestamp_ms,value[,quality]"
                + " but is: \\u001b\\u009b[31ma\\rb"
                + "c".repeat(90)
                + " ...");
  }

  @Test
  void wrongOrMissingFile_atTheEnd_isReportedBeforeTheFirstIsRead() throws IOException {
    String good = file("a.csv", HEADER.getBytes(UTF_8));
    String wrong = file("b.csv", "x".getBytes(UTF_8));
    String missing = folder.resolve("none.csv").toString();
    assertThatThrownBy(() -> open(List.of(good, wrong), InputStream.nullInputStream()))
        .isInstanceOf(HeaderException.class);
    assertThatThrownBy(() -> open(List.of(good, missing), InputStream.nullInputStream()))
        .isInstanceOf(TextInputException.class)
        .hasMessage(missing + ": no such file");
    assertThatThrownBy(() -> open(List.of(good, folder.toString()), InputStream.nullInputStream()))
        .isInstanceOf(TextInputException.class)
        .hasMessageStartingWith(folder + ": ");
  }

  @Test
  void gzip_cutAnywhere_givesWholeLinesAndThenSaysSo() throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 1; i < 3000; i++) {
      text.append("s").append(i * 7919 % 1000).append(',').append(i).append(",12345\n");
    }
    byte[] packed = gzip(text.toString().getBytes(UTF_8));
    for (int cut = 3; cut < packed.length; cut += 1 + packed.length / 50) {
      String name = file("cut.gz", Arrays.copyOf(packed, cut));
      List<TextLine> lines = new ArrayList<>();
      assertThatThrownBy(
              () -> {
                try (ReadingTextReader reader = open(List.of(name), null)) {
                  for (TextLine l = reader.next(); l != null; l = reader.next()) {
                    lines.add(l);
                  }
                }
              })
          .isInstanceOf(TextInputException.class)
          .hasMessageStartingWith(name + ": ")
          .hasMessageContaining("the compressed data break off");
      assertThat(lines)
          .allMatch(l -> l instanceof TextLine.Good good && good.reading().value() == 12345);
    }
  }

  @Test
  void gzip_cutInTheMiddle_saysWhichLineWasTheLast() throws IOException {
    byte[] packed = gzip((HEADER + "a,1,2\nb,3,4\n").getBytes(UTF_8));
    String name = file("cut.gz", Arrays.copyOf(packed, packed.length - 1));
    try (ReadingTextReader reader = open(List.of(name), null)) {
      assertThat(reader.next().lineNo()).isEqualTo(2);
      assertThat(reader.next().lineNo()).isEqualTo(3);
      assertThatThrownBy(reader::next)
          .hasMessage(
              name
                  + ": cannot be read beyond line 3:"
                  + " the compressed data break off; is the file whole?");
    }
  }

  @Test
  void gzip_withADamagedByte_isNotReadToTheEndInSilence() throws IOException {
    byte[] packed = gzip((HEADER + "a,1,2\nb,3,4\n").getBytes(UTF_8));
    packed[packed.length - 6] ^= 1;
    assertThatThrownBy(() -> TextLines.of(packed)).isInstanceOf(TextInputException.class);
  }

  @Test
  void gzip_ofSeveralMembersThroughASlowPipe_isReadToTheEnd() throws IOException {
    byte[] members =
        join(gzip(HEADER.getBytes(UTF_8)), gzip("a,1,2\n".getBytes(UTF_8)), gzip(new byte[0]));
    InputStream slow =
        new FilterInputStream(new ByteArrayInputStream(members)) {
          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            return super.read(target, offset, Math.min(length, 1));
          }

          @Override
          public int available() {
            return 0;
          }
        };
    assertThat(inShort(TextLines.of(slow, TextFormat.DETECT, 100)))
        .containsExactly("2 a 1 2.0 GOOD");
  }

  @Test
  void progress_isMeasuredInStoredBytes() throws IOException {
    String name = file("a.csv.gz", gzip((HEADER + "a,1,2\n").getBytes(UTF_8)));
    try (ReadingTextReader reader = open(List.of(name, name), null)) {
      assertThat(reader.bytesRead()).isZero();
      TextLines.rest(reader);
      assertThat(reader.bytesTotal()).hasValue(2 * Files.size(Path.of(name)));
      assertThat(reader.bytesRead()).isEqualTo(2 * Files.size(Path.of(name)));
    }
  }

  private static ReadingTextReader open(List<String> names, InputStream standardInput)
      throws TextInputException {
    return ReadingTextReader.open(
        names, Pipes.of(standardInput), TextFormat.DETECT, Limits.DEFAULT);
  }

  private String file(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes).toString();
  }
}
