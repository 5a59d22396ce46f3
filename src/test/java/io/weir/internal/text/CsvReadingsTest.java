package io.weir.internal.text;

import static io.weir.internal.text.TextLines.HEADER;
import static io.weir.internal.text.TextLines.inShort;
import static io.weir.internal.text.TextLines.join;
import static io.weir.internal.text.TextLines.reading;
import static io.weir.internal.text.TextLines.reason;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.reading.Quality;
import io.weir.reading.Reading;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvReadingsTest {
  @Test
  void lines_goodBadAndEmpty_areReportedByTheirPhysicalNumber() throws IOException {
    String text = "\n" + HEADER + "a,1,2\r\n\r\n\nb,x,2\n \nc,3,4";
    assertThat(inShort(TextLines.of(text)))
        .containsExactly("3 a 1 2.0 GOOD", "6 BAD_TIMESTAMP", "7 MALFORMED_LINE", "8 c 3 4.0 GOOD");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "~a,1~ | MALFORMED_LINE",
        "~a,1,2,3~ | MALFORMED_LINE",
        "~a,1,2,~ | MALFORMED_LINE",
        "~,,~ | MISSING_SENSOR_ID",
        "~\"\",1,2~ | MISSING_SENSOR_ID",
        "~a,,x~ | MISSING_TIMESTAMP",
        "~a,1.5,~ | BAD_TIMESTAMP",
        "~a,9223372036854775808,1~ | BAD_TIMESTAMP",
        "~a, 1,1~ | BAD_TIMESTAMP",
        "~a,1,~ | MISSING_VALUE",
        "~a,1, 1~ | NON_NUMERIC",
        "~a,1,1d~ | NON_NUMERIC",
        "~a,1,-inf~ | INVALID_VALUE",
        "~a,0,NaN~ | INVALID_VALUE",
        "~a,1,1e309~ | INVALID_VALUE",
        "~a,0,1~ | INVALID_TIMESTAMP",
        "~a,-5,1~ | INVALID_TIMESTAMP",
        "~\"a,1,2~ | MALFORMED_LINE",
        "~\"a\"b,1,2~ | MALFORMED_LINE",
        "~a\"b,1,2~ | MALFORMED_LINE",
        "~ \"a\",1,2~ | MALFORMED_LINE",
        "~\"a\" ,1,2~ | MALFORMED_LINE",
        "~a,1,\"2~ | MALFORMED_LINE",
        "~a,1,\"~ | MALFORMED_LINE",
        "~a,1,2\"\"~ | MALFORMED_LINE",
        "~\"a\"\",1,2~ | MALFORMED_LINE",
      })
  void badLine_getsTheFirstReasonThatFits(String line, LineReason expected) throws IOException {
    assertThat(reason(line)).isEqualTo(expected);
  }

  @Test
  void quotedFields_loseTheirQuotesAndKeepTheirBlanksAndCommas() throws IOException {
    assertThat(reading("\"a,\"\"b\"\" \",\"12\",\"-1.5\""))
        .isEqualTo(new Reading("a,\"b\" ", 12, -1.5));
    assertThat(reading("\"\"\"\",1,2").sensorId()).isEqualTo("\"");
    assertThat(reading(" a\t ,1,2").sensorId()).isEqualTo(" a\t ");
  }

  @Test
  void unclosedQuote_spoilsItsOwnLineOnly() throws IOException {
    assertThat(inShort(TextLines.of(HEADER + "a,1,1\n\"b,2,2\nc,3,3\nd\",4,4\ne,5,5\n")))
        .containsExactly(
            "2 a 1 1.0 GOOD",
            "3 MALFORMED_LINE",
            "4 c 3 3.0 GOOD",
            "5 MALFORMED_LINE",
            "6 e 5 5.0 GOOD");
  }

  @Test
  void carriageReturn_withinALine_endsNoLine() throws IOException {
    assertThat(reading("a\rb,1,2").sensorId()).isEqualTo("a\rb");
    assertThat(reason("a,1,2\rb,3,4")).isEqualTo(LineReason.MALFORMED_LINE);
    assertThat(reason("a,1,2\r\r\r\n")).isEqualTo(LineReason.NON_NUMERIC);
    assertThat(reading("a,1,2\r\r\n")).isEqualTo(new Reading("a", 1, 2));
    assertThat(reading("a,1,2\r")).isEqualTo(new Reading("a", 1, 2));
  }

  @Test
  void invalidUtf8_makesItsLineBadAndKeepsItsBytes() throws IOException {
    byte[] latin = "caf\u00e9,1,2".getBytes(ISO_8859_1);
    byte[] text = join(HEADER.getBytes(UTF_8), latin, "\ncaf\u00e9,1,2\n".getBytes(UTF_8));
    List<TextLine> lines = TextLines.of(text);
    assertThat(inShort(lines)).containsExactly("2 INVALID_UTF8", "3 caf\u00e9 1 2.0 GOOD");
    assertThat(((TextLine.Bad) lines.get(0)).line()).isEqualTo(latin);
    assertThat(((TextLine.Bad) lines.get(0)).file()).isEqualTo("-");
  }

  @Test
  void sensorId_isMeasuredInBytes() throws IOException {
    assertThat(reading("\u00e9".repeat(128) + ",1,2").sensorId()).hasSize(128);
    assertThat(reason("\u00e9".repeat(128) + "x,1,2")).isEqualTo(LineReason.SENSOR_ID_TOO_LONG);
  }

  @Test
  void longLine_isBadAndItsNeighboursAreNot() throws IOException {
    String text = HEADER + "a,1,2\n" + "b".repeat(5_000_000) + ",1,2\nc,3,4\n";
    List<TextLine> lines = TextLines.of(text);
    assertThat(inShort(lines))
        .containsExactly("2 a 1 2.0 GOOD", "3 LINE_TOO_LONG", "4 c 3 4.0 GOOD");
    assertThat(((TextLine.Bad) lines.get(1)).line()).hasSize(ReadingTextReader.MAX_LINE_BYTES);
  }

  @Test
  void longestLine_isStillRead() throws IOException {
    String value = "0".repeat(ReadingTextReader.MAX_LINE_BYTES - 5) + "7";
    assertThat(reading("a,1," + value).value()).isEqualTo(7.0);
    assertThat(reason("a,1," + value + "0")).isEqualTo(LineReason.LINE_TOO_LONG);
  }

  @ParameterizedTest
  @CsvSource({
    "'',GOOD",
    "GOOD,GOOD",
    "BAD,BAD",
    "UNCERTAIN,UNCERTAIN",
    "UNSPECIFIED,GOOD",
    "QUALITY_BAD,BAD",
    "QUALITY_UNSPECIFIED,GOOD",
    "0,GOOD",
    "1,GOOD",
    "2,UNCERTAIN",
    "3,BAD",
    "7,UNCERTAIN",
    "'\"BAD\"',BAD"
  })
  void quality_byNameOrNumber_isRead(String text, Quality expected) throws IOException {
    TextLine line = TextLines.single("sensor_id,timestamp_ms,value,quality\na,1,2," + text);
    assertThat(((TextLine.Good) line).reading().quality()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"bad", "' BAD'", "-1", "1.0", "1234567890", "QUALITY_", "+1"})
  void quality_spelledOtherwise_makesTheLineBad(String text) throws IOException {
    TextLine line = TextLines.single("sensor_id,timestamp_ms,value,quality\na,1,2," + text);
    assertThat(((TextLine.Bad) line).reason()).isEqualTo(LineReason.BAD_QUALITY);
  }

  @Test
  void record_withoutTheQualityThatTheHeaderAnnounces_isMalformed() throws IOException {
    TextLine line = TextLines.single("sensor_id,timestamp_ms,value,quality\na,1,2");
    assertThat(((TextLine.Bad) line).reason()).isEqualTo(LineReason.MALFORMED_LINE);
  }

  @Test
  void sameSensor_onManyLines_isOneString() throws IOException {
    List<TextLine> lines = TextLines.of(HEADER + "a,1,1\na,2,2\n");
    String first = ((TextLine.Good) lines.get(0)).reading().sensorId();
    assertThat(((TextLine.Good) lines.get(1)).reading().sensorId()).isSameAs(first);
  }

  @Test
  void json_forcedToBeReadAsCsv_lacksTheHeader() {
    ByteArrayInputStream in = new ByteArrayInputStream("{}".getBytes(UTF_8));
    assertThatThrownBy(() -> TextLines.of(in, TextFormat.CSV, ReadingTextReader.MAX_LINE_BYTES))
        .isInstanceOf(HeaderException.class);
  }
}
