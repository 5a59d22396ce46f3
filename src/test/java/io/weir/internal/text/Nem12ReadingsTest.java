package io.weir.internal.text;

import static io.weir.internal.text.TextLines.inShort;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Limits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A line a day of Australian meters, with the qualities behind it. */
class Nem12ReadingsTest {
  private static final String HEADER = "100,NEM12,202604060000,MDP,RETAILER\n";
  private static final String METER = "200,6102000001,E1B1,1,E1,N1,01009,kWh,720,20260501\n";
  private static final long MIDNIGHT = Instant.parse("2026-04-04T14:00:00Z").toEpochMilli();
  private static final long NOON = MIDNIGHT + 43_200_000;

  @Test
  void day_isAReadingForEachInterval_atItsBeginning() throws IOException {
    assertThat(read(METER + "300,20260405,1.5,2.25,A,,,20260406000000,\n900\n"))
        .containsExactly(
            "3 6102000001/E1 " + MIDNIGHT + " 1.5 GOOD", "3 6102000001/E1 " + NOON + " 2.25 GOOD");
  }

  @Test
  void daysOfQualityV_haveThoseOfTheLinesBehind() throws IOException {
    assertThat(
            read(METER + "300,20260405,1,2,V,,,,\n400,1,1,A,,\n400,2,2,S14,32,\n500,O,,,\n900\n"))
        .containsExactly(
            "4 6102000001/E1 " + MIDNIGHT + " 1.0 GOOD",
            "5 6102000001/E1 " + NOON + " 2.0 UNCERTAIN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "300,20260405,1,2,N,,,,                           | 2",
        "300,20260405,1,2,V,,,,;400,1,2,N,,               | 2",
        "300,20260405,1,2,V,,,,                           | 2",
        "300,20260405,1,2,V,,,,;900                       | 2",
        "300,20260405,1,2,V,,,,;400,1,1,N,,;300,20260406,1,2,N,,,, | 4",
      })
  void intervalsWithoutAQuality_areNoReadings_butCounted(String lines, long count)
      throws IOException {
    try (ReadingTextReader reader = open(HEADER + METER + lines.replace(';', '\n') + "\n")) {
      assertThat(TextLines.rest(reader)).isEmpty();
      assertThat(reader.withoutValue()).isEqualTo(count);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "300,20260405,1,2,A                 | 200,X,,,E1,,,kWh,7,      ; 300,20260405,1,2,A",
        "300,20260405,1,2,A                 | 200,,,,E1,,,kWh,720,     ; 300,20260405,1,2,A",
        "300,20260405,1,A                   | ",
        "300,20260405,1,2,Q                 | ",
        "300,20260405,1,2,                  | ",
        "300,20260435,1,2,A                 | ",
        "300,2026-04-05,1,2,A               | ",
        "400,1,1,A                          | ",
        "400,1,1,A                          | 300,20260405,1,2,A",
        "400,2,2,A                          | 300,20260405,1,2,V",
        "400,1,3,A                          | 300,20260405,1,2,V",
        "400,1,0,A                          | 300,20260405,1,2,V",
        "400,1,1,V                          | 300,20260405,1,2,V",
        "250,6102000001                     | ",
        "\"300,20260405,1,2,A               | ",
      })
  void line_thatIsNone_isMalformed(String line, String before) throws IOException {
    String lines = before == null ? "" : before.replace(';', '\n').replace(" ", "") + "\n";
    assertThat(read(METER + lines + line + "\n")).last().asString().endsWith("MALFORMED_LINE");
  }

  @ParameterizedTest
  @CsvSource({"x,NON_NUMERIC", "'',MISSING_VALUE", "1e999,INVALID_VALUE"})
  void dayWithOneBadValue_isBadAsAWhole(String value, String reason) throws IOException {
    assertThat(read(METER + "300,20260405,1," + value + ",A,,,,\n")).containsExactly("3 " + reason);
  }

  /** Compared with what a generator knows: meters, interval lengths, qualities, ranges. */
  @Test
  void randomMeters_areReadAsTheyWere() throws IOException {
    Random random = new Random(4);
    List<String> expected = new ArrayList<>();
    StringBuilder file = new StringBuilder();
    for (int meter = 0; meter < 40; meter++) {
      int minutes = List.of(5, 15, 30).get(random.nextInt(3));
      int count = 1_440 / minutes;
      file.append("200,NMI" + meter + ",E1,1,B1,N1,1,kWh," + minutes + ",\n");
      for (int day = 1; day <= 3; day++) {
        List<Double> values =
            IntStream.range(0, count).mapToObj(i -> random.nextInt(9_999) / 1e3).toList();
        List<Integer> cuts = new ArrayList<>(List.of(0, count));
        if (random.nextBoolean()) {
          IntStream.range(1, 4).forEach(i -> cuts.add(1 + random.nextInt(count - 1)));
        }
        List<Integer> ends = cuts.stream().distinct().sorted().toList();
        StringBuilder details = new StringBuilder();
        String kind = "";
        for (int i = 1; i < ends.size(); i++) {
          kind = List.of("A", "E54", "F14", "S14", "N").get(random.nextInt(5));
          details.append("400,%d,%d,%s,,%n".formatted(ends.get(i - 1) + 1, ends.get(i), kind));
          for (int at = ends.get(i - 1); at < ends.get(i) && !kind.equals("N"); at++) {
            long ms = MIDNIGHT + (day - 5L) * 86_400_000 + at * minutes * 60_000L;
            expected.add(
                "NMI%d/B1 %d %s %s"
                    .formatted(meter, ms, values.get(at), kind.equals("A") ? "GOOD" : "UNCERTAIN"));
          }
        }
        boolean varies = ends.size() > 2;
        file.append("300,2026040" + day + ",")
            .append(values.stream().map(String::valueOf).collect(Collectors.joining(",")))
            .append("," + (varies ? "V" : kind) + ",,,,\n")
            .append(varies ? details : "");
      }
    }
    List<String> read =
        read(file + "900\n").stream().map(line -> line.replaceFirst("^\\d+ ", "")).toList();
    assertThat(read).isNotEqualTo(Collections.emptyList()).isEqualTo(expected);
  }

  private static List<String> read(String lines) throws IOException {
    try (ReadingTextReader reader = open(HEADER + lines)) {
      return inShort(TextLines.rest(reader));
    }
  }

  private static ReadingTextReader open(String text) throws IOException {
    return ReadingTextReader.open(
        List.of("-"),
        Pipes.of(new ByteArrayInputStream(text.getBytes(UTF_8))),
        TextForm.of(TextFormat.DETECT),
        Limits.DEFAULT,
        ReadingTextReader.MAX_LINE_BYTES);
  }
}
