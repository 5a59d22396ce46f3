package io.weir.internal.text;

import static io.weir.internal.text.TextLines.inShort;
import static io.weir.internal.text.TextLines.single;
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
import org.junit.jupiter.params.provider.ValueSource;

class JsonReadingsTest {
  private static final String GOOD = "{\"sensor_id\":\"a\",\"timestamp_ms\":1,\"value\":2}";

  @Test
  void objects_inAnyOrderAndLayout_areRead() throws IOException {
    assertThat(single(GOOD)).isEqualTo(new TextLine.Good(1, new Reading("a", 1, 2)));
    String other =
        "{ \"quality\" : \"BAD\", \"value\": -1.5E+2 ,\"extra\":{\"value\":[1,{}]},"
            + "\"timestamp_ms\":1700000000000,\t\"sensor_id\":\"t\\u00e9 \\\"\\ud83d\\ude00\"} \r\n";
    assertThat(single(other))
        .isEqualTo(
            new TextLine.Good(
                1, new Reading("t\u00e9 \"\ud83d\ude00", 1_700_000_000_000L, -150, Quality.BAD)));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "~{}~ | MISSING_SENSOR_ID",
        "~{'sensor_id':null,'timestamp_ms':1,'value':2}~ | MISSING_SENSOR_ID",
        "~{'sensor_id':'','timestamp_ms':1,'value':2}~ | MISSING_SENSOR_ID",
        "~{'sensor_id':5,'timestamp_ms':1,'value':2}~ | MALFORMED_LINE",
        "~{'sensor_id':['a'],'timestamp_ms':1,'value':2}~ | MALFORMED_LINE",
        "~{'sensor_id':'a','value':2}~ | MISSING_TIMESTAMP",
        "~{'sensor_id':'a','timestamp_ms':null,'value':2}~ | MISSING_TIMESTAMP",
        "~{'sensor_id':'a','timestamp_ms':'1','value':2}~ | BAD_TIMESTAMP",
        "~{'sensor_id':'a','timestamp_ms':1.0,'value':2}~ | BAD_TIMESTAMP",
        "~{'sensor_id':'a','timestamp_ms':1e3,'value':2}~ | BAD_TIMESTAMP",
        "~{'sensor_id':'a','timestamp_ms':9223372036854775808,'value':2}~ | BAD_TIMESTAMP",
        "~{'sensor_id':'a','timestamp_ms':{},'value':2}~ | BAD_TIMESTAMP",
        "~{'sensor_id':'a','timestamp_ms':1}~ | MISSING_VALUE",
        "~{'sensor_id':'a','timestamp_ms':1,'value':null}~ | MISSING_VALUE",
        "~{'sensor_id':'a','timestamp_ms':1,'value':'2'}~ | NON_NUMERIC",
        "~{'sensor_id':'a','timestamp_ms':1,'value':true}~ | NON_NUMERIC",
        "~{'sensor_id':'a','timestamp_ms':1,'value':[2]}~ | NON_NUMERIC",
        "~{'sensor_id':'a','timestamp_ms':1,'value':1e309}~ | INVALID_VALUE",
        "~{'sensor_id':'a','timestamp_ms':0,'value':1}~ | INVALID_TIMESTAMP",
        "~{'sensor_id':'a','timestamp_ms':1,'value':NaN}~ | MISSING_VALUE",
        "~{'sensor_id':'a','timestamp_ms':1,'value':+1}~ | MALFORMED_LINE",
        "~{'sensor_id':'a','timestamp_ms':1,'value':.5}~ | MALFORMED_LINE",
        "~{'sensor_id':'a','timestamp_ms':01,'value':5}~ | MALFORMED_LINE",
        "~{'sensor_id':'a','timestamp_ms':1,'value':2,'value':2}~ | MALFORMED_LINE",
        "~{'sensor_id':null,'sensor_id':'a','timestamp_ms':1,'value':2}~ | MALFORMED_LINE",
        "~{'sensor_id':'a','timestamp_ms':1,'value':2}x~ | MALFORMED_LINE",
        "~{'sensor_id':'a','timestamp_ms':1,'value':2}{}~ | MALFORMED_LINE",
        "~{'sensor_id':'a','timestamp_ms':1,'value':2~ | MALFORMED_LINE",
        "~{'sensor_id':'a','timestamp_ms':1,'value':2,}~ | MALFORMED_LINE",
        "~{'sensor_id':'a','timestamp_ms':1,'value':2,'quality':'fair'}~ | BAD_QUALITY",
        "~{'sensor_id':'a','timestamp_ms':1,'value':2,'quality':1.0}~ | BAD_QUALITY",
        "~{'sensor_id':'a','timestamp_ms':1,'value':2,'quality':[]}~ | BAD_QUALITY",
        "~{'sensor_id':'\\ud800','timestamp_ms':1,'value':2}~ | INVALID_UTF8",
        "~{sensor_id:'a','timestamp_ms':1,'value':2}~ | MALFORMED_LINE",
      })
  void badObject_getsTheFirstReasonThatFits(String line, LineReason expected) throws IOException {
    TextLine read = single(line.replace('\'', '"'));
    assertThat(((TextLine.Bad) read).reason()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "[]", "5", "\"a\"", "a,1,2", "\ufeff{}", "{\u0000}", "null"})
  void lineThatIsNoObject_afterOneThatIs_isMalformed(String line) throws IOException {
    assertThat(inShort(TextLines.of(GOOD + "\n" + line + "\n" + GOOD)))
        .containsExactly("1 a 1 2.0 GOOD", "2 MALFORMED_LINE", "3 a 1 2.0 GOOD");
  }

  @ParameterizedTest
  @CsvSource({"null,GOOD", "2,UNCERTAIN", "9,UNCERTAIN", "'\"QUALITY_BAD\"',BAD", "'\"3\"',BAD"})
  void quality_isReadFromNamesAndNumbers(String json, Quality expected) throws IOException {
    TextLine line = single(GOOD.replace("}", ",\"quality\":" + json + "}"));
    assertThat(((TextLine.Good) line).reading().quality()).isEqualTo(expected);
  }

  @Test
  void utf16_isNamed() {
    byte[] wide = new byte[2 * GOOD.length()];
    for (int i = 0; i < GOOD.length(); i++) {
      wide[2 * i] = (byte) GOOD.charAt(i);
    }
    assertThatThrownBy(() -> TextLines.of(wide)).hasMessageContaining("it is UTF-16");
  }

  @Test
  void invalidUtf8_insideAString_makesTheLineBad() throws IOException {
    byte[] latin = GOOD.replace("\"a\"", "\"\u00e9\"").getBytes(ISO_8859_1);
    assertThat(inShort(TextLines.of(latin))).containsExactly("1 INVALID_UTF8");
  }

  @Test
  void deepOrWideOrLongJson_endsNothing() throws IOException {
    StringBuilder names = new StringBuilder("{");
    for (int i = 0; i < 50_000; i++) {
      names.append("\"n").append(i).append("\":1,");
    }
    String deep = GOOD.replace("}", ",\"x\":" + "[".repeat(5000) + "]".repeat(5000) + "}");
    String wide = names + GOOD.substring(1);
    String digits = GOOD.replace(":2", ":2." + "5".repeat(500_000));
    assertThat(inShort(TextLines.of(deep + "\n" + wide + "\n" + digits + "\n")))
        .containsExactly("1 MALFORMED_LINE", "2 a 1 2.0 GOOD", "3 a 1 2.5555555555555554 GOOD");
  }

  @Test
  void csv_forcedToBeReadAsJson_isBadLineByLine() throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream((TextLines.HEADER + GOOD).getBytes(UTF_8));
    List<TextLine> lines =
        TextLines.of(in, TextFormat.JSON_LINES, ReadingTextReader.MAX_LINE_BYTES);
    assertThat(inShort(lines)).containsExactly("1 MALFORMED_LINE", "2 a 1 2.0 GOOD");
  }
}
