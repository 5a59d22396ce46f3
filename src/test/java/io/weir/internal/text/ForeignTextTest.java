package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.text.mapping.MappingOptions;
import io.weir.reading.Limits;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts of other programs by their options: what they mean, and never another thing unsaid. */
class ForeignTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "iso                  | 2026-07-01T12:00 EST        | UTC              | 2026-07-01T17:00:00Z",
        "yyyy-MM-dd HH:mm z   | 2026-07-01 12:00 CET        | Europe/Berlin    | 2026-07-01T11:00:00Z",
        "yyyy-MM-dd HH:mm z   | 2026-08-01 00:00 PST        | UTC              | 2026-08-01T08:00:00Z",
        "yyyy-MM-dd HH:mm z   | 2026-10-25 02:30 CEST       | Europe/Berlin    | 2026-10-25T00:30:00Z",
        "yyyy-MM-dd HH:mm z   | 2026-10-25 02:30 CET        | Europe/Berlin    | 2026-10-25T01:30:00Z",
        "yyyy-MM-dd HH:mm z   | 2026-07-01 12:00 GMT+2      | UTC              | 2026-07-01T10:00:00Z",
        "yyyy-MM-dd HH:mm z   | 2026-07-01 12:00 BST        | UTC              | BAD_TIMESTAMP",
        "yyyy-MM-dd HH:mm z   | 2026-07-01 12:00 IST        | UTC              | BAD_TIMESTAMP",
        "yyyy-MM-dd HH:mm z   | 2026-07-01 12:00 BST        | Europe/London    | 2026-07-01T11:00:00Z",
        "yyyy-MM-dd HH:mm z   | 2026-07-01 12:00 CST        | America/Chicago  | 2026-07-01T18:00:00Z",
        "yyyy-MM-dd HH:mm z   | 2026-07-01 12:00 IST        | Asia/Kolkata     | 2026-07-01T06:30:00Z",
        "dd/MM/yyyy k         | 30/01/2026 24               | UTC              | 2026-01-31T00:00:00Z",
        "dd.MM.yyyy HH:mm     | 28.02.2026 24:00            | UTC              | 2026-03-01T00:00:00Z",
        "dd.MM.yyyy HH:mm     | 31.12.2025 24:00            | Europe/Berlin    | 2025-12-31T23:00:00Z",
        "iso                  | 2026-02-28T24:00:00         | UTC              | 2026-03-01T00:00:00Z",
        "dd.MM.yyyy HH:mm     | 28.02.2026 24:01            | UTC              | BAD_TIMESTAMP",
        "dd.MM.yyyy HH:mm     | 31.04.2026 24:00            | UTC              | BAD_TIMESTAMP",
        "dd.MM.yyyy HH:mm     | 30.02.2026 23:24            | UTC              | BAD_TIMESTAMP",
        "M/d/yy h:mm a        | 1/05/26 12:30a              | UTC              | 2026-01-05T00:30:00Z",
        "M/d/yy h:mm a        | 1/05/26 12:30 p.m.          | UTC              | 2026-01-05T12:30:00Z",
        "M/d/yyyy, h:mm:ss a  | 2/3/2026, 12:00:00\u202fPM  | UTC              | 2026-02-03T12:00:00Z",
        "MMM d yyyy HH:mm     | Feb  3 2026 12:00           | UTC              | 2026-02-03T12:00:00Z",
        "EEE, d MMM yyyy H:mm | Sun, 5 Apr 2026 6:00        | UTC              | 2026-04-05T06:00:00Z",
        "iso                  | 2026-02-18 21:46:23 UTC     | UTC              | 2026-02-18T21:46:23Z",
      })
  void time_isThatInstant(String format, String text, String zone, String expected)
      throws Exception {
    assertThat(time(text, "time-format", format, "time-zone", zone)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "de, Mrz, 3", "de, März, 3", "de, Okt., 10", "de, Dez, 12", "nl, mrt, 3", "nl, okt, 10",
    "sv, maj, 5", "sv, okt., 10", "fr, févr., 2", "fr, juil, 7", "fr, août, 8", "fr, déc., 12",
    "pt, out, 10", "pt, set., 9", "es, ago, 8", "en, Sept., 9"
  })
  void month_isKnownByItsName(String language, String name, int month) throws Exception {
    assertThat(time("3 " + name + " 2026", "time-format", "d MMM yyyy", "time-locale", language))
        .isEqualTo("2026-%02d-03T00:00:00Z".formatted(month));
  }

  @Test
  void repeatedHour_byTheOrderOfLines() throws Exception {
    String[] options = {
      "wide", "true", "time-format", "iso", "time-zone", "Europe/Berlin", "ambiguous", "order"
    };
    String lines = "t,v\n";
    for (String clock : List.of("01:30", "02:00", "02:30", "02:00", "02:30", "03:00")) {
      lines += "2026-10-25T" + clock + ",1\n";
    }
    assertThat(outcomes(lines, options))
        .extracting(line -> line.substring(13, 18))
        .containsExactly("23:30", "00:00", "00:30", "01:00", "01:30", "02:00");
    String backwards = "t,v\n";
    for (String clock : List.of("03:30", "03:00", "02:30", "02:00", "02:30", "02:00", "01:30")) {
      backwards += "2026-10-25T" + clock + ",1\n";
    }
    assertThat(outcomes(backwards, options))
        .extracting(line -> line.substring(13, 18))
        .containsExactly("02:30", "02:00", "01:30", "01:00", "00:30", "00:00", "23:30");
  }

  @Test
  void repeatedHour_ofEachSensorByItself() throws Exception {
    assertThat(
            outcomes(
                "sensor_id,timestamp,value\na,2026-10-25T02:00,1\nb,2026-10-25T02:00,2\n"
                    + "a,2026-10-25T02:00,3\nb,2026-10-25T02:00,4\n",
                "time-format",
                "iso",
                "time-zone",
                "Europe/Berlin",
                "ambiguous",
                "order"))
        .containsExactly(
            "a 2026-10-25T00:00:00Z 1.0",
            "b 2026-10-25T00:00:00Z 2.0",
            "a 2026-10-25T01:00:00Z 3.0",
            "b 2026-10-25T01:00:00Z 4.0");
  }

  @Test
  void nameOfAColumn_isTheTimeOfDay() throws Exception {
    String text =
        """
        Meter,Date,00:30,01:30,24:00
        M1,28/03/2026,1,2,3
        M1,29/03/2026,1,,3
        M1,29/03/2026,1,2,3
        """;
    String[] options = {
      "wide", "true",
      "columns", "timestamp=Date+{column}",
      "sensor-id", "{column:Meter}",
      "time-format", "dd/MM/yyyy H:mm",
      "time-zone", "Europe/London"
    };
    assertThat(outcomes(text, options))
        .containsExactly(
            "M1 2026-03-28T00:30:00Z 1.0",
            "M1 2026-03-28T01:30:00Z 2.0",
            "M1 2026-03-29T00:00:00Z 3.0",
            "M1 2026-03-29T00:30:00Z 1.0",
            "M1 2026-03-29T23:00:00Z 3.0",
            "NONEXISTENT_TIME");
    options[1] = "false";
    assertThatThrownBy(() -> outcomes(text, options)).hasMessageContaining("needs --wide");
  }

  @Test
  void endOfAnInterval_isShiftedToItsBeginning() throws Exception {
    assertThat(time("2026-02-03T24:00", "time-format", "iso", "time-shift", "-15m"))
        .isEqualTo("2026-02-03T23:45:00Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0,040        | decimal-comma=true                     | 0.04",
        "0,040        | group-separator=,                      | NON_NUMERIC",
        "12,345       | group-separator=,                      | 12345.0",
        "\u22125,25   | decimal-comma=true                     | -5.25",
        "1\u2019234.5 | group-separator='                      | 1234.5",
        "1\u2009234.5 | group-separator=space                  | 1234.5",
        "TRUE         | value-map=true=1,false=0               | 1.0",
        "1.25 kW      | units=W,kW=1000                        | 1250.0",
        "980 W        | units=W,kW=1000                        | 980.0",
        "1.25 MW      | units=W,kW=1000                        | NON_NUMERIC",
        "45.2%        | units=%                                | 45.2",
      })
  void number_isThatValue(String text, String option, String expected) throws Exception {
    int equals = option.indexOf('=');
    String outcome =
        outcomes(
                "sensor_id;timestamp;value\na;1700000000000;" + text + "\n",
                "delimiter",
                ";",
                option.substring(0, equals),
                option.substring(equals + 1))
            .get(0);
    assertThat(outcome.substring(outcome.lastIndexOf(' ') + 1)).isEqualTo(expected);
  }

  @Test
  void nameThatStandsTwice_isRefusedAndByNumberTwoSensors() throws Exception {
    String text = "t,In,In\n2026-01-01T00:00:00Z,1,2\n";
    assertThatThrownBy(
            () -> outcomes(text, "wide", "true", "time-format", "iso", "columns", "value=In"))
        .hasMessageContaining("2 columns are named In; choose by number, such as 2");
    assertThatThrownBy(
            () -> outcomes(text, "wide", "true", "time-format", "iso", "columns", "value=2+2"))
        .hasMessageContaining("named twice");
    assertThat(outcomes(text, "wide", "true", "time-format", "iso", "columns", "value=2+3"))
        .containsExactly("In#2 2026-01-01T00:00:00Z 1.0", "In#3 2026-01-01T00:00:00Z 2.0");
  }

  @Test
  void headerAgain_withOtherColumns_isFollowed() throws Exception {
    assertThat(
            outcomes(
                "t,a,b\n2026-01-01T00:00:00Z,1,2\nt,b,a\n2026-01-01T00:00:01Z,3,4\n",
                "wide",
                "true",
                "time-format",
                "iso",
                "columns",
                "value=a"))
        .containsExactly("a 2026-01-01T00:00:00Z 1.0", "a 2026-01-01T00:00:01Z 4.0");
  }

  @Test
  void rowWithoutTheLastCell_isReadIfThatCellIsNotNeeded() throws Exception {
    String text = "t,a,serial\n2026-01-01T00:00:00Z,1,77\n2026-01-01T00:00:01Z,2\n";
    assertThat(outcomes(text, "wide", "true", "time-format", "iso", "columns", "value=a"))
        .containsExactly("a 2026-01-01T00:00:00Z 1.0", "a 2026-01-01T00:00:01Z 2.0");
    assertThat(outcomes(text, "wide", "true", "time-format", "iso")).endsWith("MALFORMED_LINE");
  }

  @Test
  void lineEnds_ofAllKinds_areLineEnds() throws Exception {
    for (String end : List.of("\n", "\r\n", "\r", "\r\r\n")) {
      String text = "sensor_id,timestamp,value\na,1700000000000,1\nb,1700000000001,2\n";
      assertThat(outcomes(text.replace("\n", end), "quality-map", "words"))
          .as("%s", end.length())
          .containsExactly("a 2023-11-14T22:13:20Z 1.0", "b 2023-11-14T22:13:20.001Z 2.0");
      assertThat(
              TextLines.inShort(
                  TextLines.of(
                      "{\"sensor_id\":\"a\",\"timestamp_ms\":1,\"value\":1}\n#\n"
                          .replace("\n", end))))
          .startsWith("1 a 1 1.0 GOOD");
    }
  }

  @Test
  void archiveAndUtf16_areNamed() {
    assertThatThrownBy(() -> TextLines.of("PK\u0003\u0004rest"))
        .hasMessageContaining("a zip archive (.xlsx too): unpack it");
    assertThatThrownBy(
            () -> TextLines.of("cpu v=1 1\n".getBytes(java.nio.charset.StandardCharsets.UTF_16)))
        .hasMessageContaining("it is UTF-16");
  }

  @Test
  void json_textsAmongNumbers_areNumbersOrCounted() throws Exception {
    assertThat(
            json(
                "{\"t\":1700000000000,\"a\":\"1.5\",\"b\":2,\"c\":\"eco\",\"d\":\"0123\",\"e\":NaN},\n",
                "json-timestamp",
                "$.t",
                "json-value",
                "$.*",
                "sensor-id",
                "{column}"))
        .containsExactly(
            "a 2023-11-14T22:13:20Z 1.5", "b 2023-11-14T22:13:20Z 2.0", "passed over 2, none 1");
  }

  @Test
  void json_ofTwoLists_isReadByOnePath() throws Exception {
    assertThat(
            json(
                "{\"r\":[{\"m\":{\"i\":\"x\"},\"v\":[[1,\"5\"],[2,\"6\"]]},{\"m\":{\"i\":\"y\"},\"v\":[[3,\"7\"]]}]}\n",
                "json-timestamp",
                "$.r[*].v[*][0]",
                "json-value",
                "$.r[*].v[*][1]",
                "sensor-id",
                "{path:$.r[*].m.i}"))
        .containsExactly(
            "x 1970-01-01T00:00:00.001Z 5.0",
            "x 1970-01-01T00:00:00.002Z 6.0",
            "y 1970-01-01T00:00:00.003Z 7.0",
            "passed over 0, none 0");
  }

  @Test
  void json_numberWithAPoint_isNoTextOfADecimalComma() throws Exception {
    assertThat(
            json(
                "{\"sensor_id\":\"a\",\"timestamp_ms\":1,\"value\":1.5}\n",
                "decimal-comma",
                "true"))
        .startsWith("a 1970-01-01T00:00:00.001Z 1.5");
  }

  private static String time(String text, String... options) throws Exception {
    String outcome =
        outcomes("sensor_id;timestamp;value\na;" + text + ";1\n", with(options, "delimiter", ";"))
            .get(0);
    return outcome.startsWith("a ") ? outcome.split(" ")[1] : outcome;
  }

  private static String[] with(String[] options, String... more) {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static List<String> json(String text, String... options) throws Exception {
    return outcomes(text, TextFormat.JSON_LINES, true, options);
  }

  private static List<String> outcomes(String text, String... options) throws Exception {
    return outcomes(text, TextFormat.CSV, false, options);
  }

  private static List<String> outcomes(
      String text, TextFormat format, boolean counts, String... options) throws Exception {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      given.put(options[i], options[i + 1]);
    }
    List<String> outcomes = new ArrayList<>();
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of("-"),
            Pipes.of(new ByteArrayInputStream(text.getBytes(UTF_8))),
            TextForm.of(format, MappingOptions.parse(given)),
            Limits.DEFAULT)) {
      for (TextLine line = reader.next(); line != null; line = reader.next()) {
        outcomes.add(
            line instanceof TextLine.Good good
                ? good.reading().sensorId()
                    + " "
                    + Instant.ofEpochMilli(good.reading().timestampMs())
                    + " "
                    + good.reading().value()
                : ((TextLine.Bad) line).reason().toString());
      }
      if (counts) {
        outcomes.add("passed over " + reader.passedOver() + ", none " + reader.withoutValue());
      }
    }
    return outcomes;
  }
}
