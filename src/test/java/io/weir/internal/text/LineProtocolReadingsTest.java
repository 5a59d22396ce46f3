package io.weir.internal.text;

import static io.weir.internal.text.TextLines.HEADER;
import static io.weir.internal.text.TextLines.inShort;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.reading.Limits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineProtocolReadingsTest {
  @Test
  void telegrafsOwnLine_givesAReadingForEachNumber() throws IOException {
    assertThat(
            read("system,host=pi load1=0.5,n_cpus=4i,uptime=7u,up=true,format=\"1 day\" 2000000"))
        .containsExactly(
            "1 system,host=pi load1 2 0.5 GOOD",
            "1 system,host=pi n_cpus 2 4.0 GOOD",
            "1 system,host=pi uptime 2 7.0 GOOD",
            "1 system,host=pi up 2 1.0 GOOD");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "~m v=1 1000000~ | ~m v 1 1.0 GOOD~",
        "~m,b=2,a=1 v=1 1000000~ | ~m,a=1,b=2 v 1 1.0 GOOD~",
        "~  m,a=1   v=1   1000000  ~ | ~m,a=1 v 1 1.0 GOOD~",
        "~m\\ n,a\\=b=c\\,d v\\ w=1 1000000~ | ~m\\ n,a\\=b=c\\,d v w 1 1.0 GOOD~",
        "~m=n v=1 1000000~ | ~m=n v 1 1.0 GOOD~",
        "~\\#m v=1 1000000~ | ~\\#m v 1 1.0 GOOD~",
        "~m\\n,a=C:\\x v=1 1000000~ | ~m\\n,a=C:\\x v 1 1.0 GOOD~",
        "~m,a=\"q v=1 1000000~ | ~m,a=\"q v 1 1.0 GOOD~",
        "~温度,ort=Köln v=-.5e1 1000000~ | ~温度,ort=Köln v 1 -5.0 GOOD~",
        "~m v=-9223372036854775808i 1000000~ | ~m v 1 -9.223372036854776E18 GOOD~",
        "~m v=18446744073709551615u 1000000~ | ~m v 1 1.8446744073709552E19 GOOD~",
        "~m s=\"a \\\" , =\\\\\",v=F 1999999~ | ~m v 1 0.0 GOOD~",
        "~m v=-0i 1000000~ | ~m v 1 -0.0 GOOD~",
        "~m v=-0.0 1000000~ | ~m v 1 -0.0 GOOD~",
      })
  void line_inAnAllowedSpelling_isRead(String line, String reading) throws IOException {
    assertThat(read(line)).containsExactly("1 " + reading);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "~m~ | MALFORMED_LINE",
        "~m 1000000~ | MALFORMED_LINE",
        "~,a=1 v=1 1~ | MALFORMED_LINE",
        "~m,a v=1 1~ | MALFORMED_LINE",
        "~m,a= v=1 1~ | MALFORMED_LINE",
        "~m,=1 v=1 1~ | MALFORMED_LINE",
        "~m,a=1=2 v=1 1~ | MALFORMED_LINE",
        "~m, a=1 v=1 1~ | MALFORMED_LINE",
        "~m,a=1,a=2 v=1 1~ | MALFORMED_LINE",
        "~m,a=1v=1 1~ | MALFORMED_LINE",
        "~m v=1,v=2 1~ | MALFORMED_LINE",
        "~m v= 1~ | MALFORMED_LINE",
        "~m =1 1~ | MALFORMED_LINE",
        "~m v=1, 1~ | MALFORMED_LINE",
        "~m v=\"a 1~ | MALFORMED_LINE",
        "~m v=\"a\\\" 1~ | MALFORMED_LINE",
        "~m v=\"a\"b 1~ | MALFORMED_LINE",
        "~m v=1 1 1~ | MALFORMED_LINE",
        "~m v=1~ | MISSING_TIMESTAMP",
        "~m v=1 ~ | MISSING_TIMESTAMP",
        "~m v=1 1.5~ | BAD_TIMESTAMP",
        "~m v=1 9223372036854775808~ | BAD_TIMESTAMP",
        "~m v=1 0~ | INVALID_TIMESTAMP",
        "~m v=1 999999~ | INVALID_TIMESTAMP",
        "~m v=1 -1000000~ | INVALID_TIMESTAMP",
        "~m v=\"1\" 1000000~ | NON_NUMERIC",
        "~m v=\"1\"~ | MISSING_TIMESTAMP",
        "~m v=x 1000000~ | NON_NUMERIC",
        "~m v=tRUE 1000000~ | NON_NUMERIC",
        "~m v=1.0i 1000000~ | NON_NUMERIC",
        "~m v=-1u 1000000~ | NON_NUMERIC",
        "~m v=+1u 1000000~ | NON_NUMERIC",
        "~m v=i 1000000~ | NON_NUMERIC",
        "~m v=u 1000000~ | NON_NUMERIC",
        "~m v=9223372036854775808i 1000000~ | NON_NUMERIC",
        "~m v=18446744073709551616u 1000000~ | NON_NUMERIC",
        "~m v=0x1p3 1000000~ | NON_NUMERIC",
        "~m v=NaN 1000000~ | INVALID_VALUE",
        "~m v=infinity 1000000~ | INVALID_VALUE",
        "~m v=1e999 1000000~ | INVALID_VALUE",
      })
  void line_thatIsNone_isBadForAReason(String line, String reason) throws IOException {
    assertThat(read(line)).containsExactly("1 " + reason);
  }

  @Test
  void line_withOneBadNumber_isBadAsAWhole() throws IOException {
    String text = "m a=1,b=x,c=3 1000000\nm a=1,b=2,c=3 1000000\n";
    assertThat(read(text))
        .containsExactly(
            "1 NON_NUMERIC", "2 m a 1 1.0 GOOD", "2 m b 1 2.0 GOOD", "2 m c 1 3.0 GOOD");
  }

  @Test
  void commentsAndBlankLines_arePassedOverAndCounted() throws IOException {
    String text = "# who, what\n\n   \n  # more\nm v=1 1000000\n#\nm v=2 1000000";
    assertThat(read(text)).containsExactly("5 m v 1 1.0 GOOD", "7 m v 1 2.0 GOOD");
  }

  @ParameterizedTest
  @CsvSource({
    "NANOSECONDS, 1700000000123456789, 1700000000123",
    "MICROSECONDS, 1700000000123456, 1700000000123",
    "MILLISECONDS, 1700000000123, 1700000000123",
    "SECONDS, 1700000000, 1700000000000"
  })
  void timestamps_inEachUnit_areOfTheirMillisecond(TimestampUnit unit, String text, long millis)
      throws IOException {
    assertThat(read("m v=1 " + text, unit, SensorIdTemplate.DEFAULT))
        .containsExactly("1 m v " + millis + " 1.0 GOOD");
  }

  @Test
  void timestamp_whoseMillisecondsDoNotFit_isBad() throws IOException {
    assertThat(read("m v=1 9223372036854776", TimestampUnit.SECONDS, SensorIdTemplate.DEFAULT))
        .containsExactly("1 BAD_TIMESTAMP");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "~{tag:host}/{field}~ | ~my host/v,1~",
        "~{measurement}~ | ~a b~",
        "~{tag:k=y}~ | ~x\\y~",
        "~plant 7: {tag:host}{tag:host}~ | ~plant 7: my hostmy host~",
        "~{series}~ | ~a\\ b,host=my\\ host,k\\=y=x\\y~",
      })
  void template_namesTheSensor(String template, String id) throws IOException {
    String line = "a\\ b,k\\=y=x\\y,host=my\\ host v\\,1=2 1000000";
    assertThat(read(line, TimestampUnit.NANOSECONDS, SensorIdTemplate.parse(template)))
        .containsExactly("1 " + id + " 1 2.0 GOOD");
  }

  @Test
  void template_withATagThatTheLineHasNot_makesTheLineBad() throws IOException {
    assertThat(read("m v=1 1", TimestampUnit.MILLISECONDS, SensorIdTemplate.parse("x{tag:host}")))
        .containsExactly("1 MISSING_SENSOR_ID");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{host}", "a{", "}", "{}", "{tag:}", "{series", "{{series}}"})
  void template_thatIsNone_isRefused(String text) {
    assertThatThrownBy(() -> SensorIdTemplate.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            text
                + ": expected: text with {series}, {measurement}, {field} and {tag:NAME}"
                + " in it");
  }

  @Test
  void series_ofTooManyTags_isTooLongForAnId() throws IOException {
    assertThat(read("m,a=" + "x".repeat(250) + " v=1 1000000")).hasSize(1);
    assertThat(read("m,a=" + "x".repeat(251) + " v=1 1000000"))
        .containsExactly("1 SENSOR_ID_TOO_LONG");
  }

  @Test
  void formatIsDetected_byAFirstLineThatIsWhole() throws IOException {
    assertThat(inShort(TextLines.of("\ufeffm v=1 1000000\nx\n")))
        .containsExactly("1 m v 1 1.0 GOOD", "2 MALFORMED_LINE");
    assertThatThrownBy(() -> TextLines.of("# comment\nm v=1 1000000\n"))
        .isInstanceOf(HeaderException.class)
        .hasMessageContaining("line 1")
        .hasMessageContaining("# comment");
    assertThatThrownBy(() -> TextLines.of("a,1,2\n")).isInstanceOf(HeaderException.class);
    assertThat(inShort(TextLines.of(HEADER + "m v=1 1000000\n")))
        .containsExactly("2 MALFORMED_LINE");
  }

  private static List<String> read(String text) throws IOException {
    return read(text, TimestampUnit.NANOSECONDS, SensorIdTemplate.DEFAULT);
  }

  private static List<String> read(String text, TimestampUnit unit, SensorIdTemplate ids)
      throws IOException {
    TextForm form = new TextForm(TextFormat.LINE_PROTOCOL, unit, ids);
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of("-"),
            Pipes.of(new ByteArrayInputStream(text.getBytes(UTF_8))),
            form,
            Limits.DEFAULT)) {
      return inShort(TextLines.rest(reader));
    }
  }
}
