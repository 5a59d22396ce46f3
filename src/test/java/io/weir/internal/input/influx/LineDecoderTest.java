package io.weir.internal.input.influx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.internal.input.Client;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.HeldSink;
import io.weir.internal.input.Identities;
import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.Intake;
import io.weir.internal.input.Rejects;
import io.weir.internal.input.SensorTemplate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineDecoderTest {
  private static final long ARRIVAL_NANOS = 1_700_000_000_123_456_789L;
  private static final String[] NAMES = {"cpu", "a b", "x,y", "k=v", "é", "#1", "\\", "t"};

  private final HeldSink sink = new HeldSink();
  private final SensorCache cache = new SensorCache();
  private LineReport report;

  /** Lines are written from a model, and what is decoded is what was written. */
  @Test
  void lines_giveTheReadingsThatTheyWereWrittenFrom() {
    Seeds.forEach(
        200,
        random -> {
          List<String> expected = new ArrayList<>();
          StringBuilder body = new StringBuilder();
          int lines = random.nextInt(20);
          for (int i = 0; i < lines; i++) {
            writeLine(random, body, expected);
          }
          HeldSink own = new HeldSink();
          decode(body.toString(), own, Client.LOCAL, "{series} {field}", Precision.NS);

          assertThat(report.refusedLines()).as(body.toString()).isZero();
          assertThat(report.lines()).isEqualTo(lines);
          assertThat(readings(own)).as(body.toString()).isEqualTo(expected);
        });
  }

  private static void writeLine(Random random, StringBuilder body, List<String> expected) {
    String measurement = "m" + NAMES[random.nextInt(NAMES.length - 2)];
    Map<String, String> tags = new TreeMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      tags.put(NAMES[random.nextInt(6)], "v" + NAMES[random.nextInt(6)]);
    }
    StringBuilder series = new StringBuilder(escape(measurement, ", "));
    tags.forEach(
        (key, value) ->
            series.append(',').append(escape(key, ", =")).append('=').append(escape(value, ", =")));
    List<String> shuffled = new ArrayList<>();
    tags.forEach((key, value) -> shuffled.add(escape(key, ", =") + "=" + escape(value, ", =")));
    Collections.shuffle(shuffled, random);
    body.append(" ".repeat(random.nextInt(2))).append(escape(measurement, ", "));
    shuffled.forEach(tag -> body.append(',').append(tag));
    body.append(" ".repeat(1 + random.nextInt(2)));
    Map<String, Double> last = new LinkedHashMap<>();
    int fields = 1 + random.nextInt(5);
    for (int i = 0; i < fields; i++) {
      String key = NAMES[random.nextInt(6)];
      last.remove(key);
      body.append(i == 0 ? "" : ",").append(escape(key, ", =")).append('=');
      switch (random.nextInt(5)) {
        case 0 -> {
          long value = random.nextLong();
          body.append(value).append('i');
          last.put(key, (double) value);
        }
        case 1 -> {
          long value = random.nextLong();
          body.append(Long.toUnsignedString(value)).append('u');
          last.put(key, new BigDecimal(Long.toUnsignedString(value)).doubleValue());
        }
        case 2 -> {
          boolean value = random.nextBoolean();
          body.append(value ? "True" : "f");
          last.put(key, value ? 1.0 : 0.0);
        }
        case 3 -> body.append("\"line 1\nm x=1, \\\"quoted\\\"\"");
        default -> {
          double value = random.nextGaussian() * 1e6;
          body.append(value);
          last.put(key, value);
        }
      }
    }
    long nanos = 1_000_000 + random.nextLong(2_000_000_000_000_000_000L);
    boolean timed = random.nextInt(4) > 0;
    if (timed) {
      body.append(' ').append(nanos);
    } else {
      nanos = ARRIVAL_NANOS;
    }
    body.append(random.nextBoolean() ? "\n" : "\r\n");
    for (Map.Entry<String, Double> field : last.entrySet()) {
      expected.add(
          series
              + " "
              + field.getKey()
              + "@"
              + nanos / 1_000_000
              + "."
              + nanos % 1_000_000
              + "="
              + field.getValue());
    }
  }

  private static String escape(String text, String special) {
    StringBuilder escaped = new StringBuilder();
    for (char c : text.toCharArray()) {
      escaped.append(special.indexOf(c) >= 0 ? "\\" : "").append(c);
    }
    return escaped.toString();
  }

  /** Whatever the bytes are, nothing is thrown, and a good line behind a line break is found. */
  @Test
  void mutatedBodies_breakNothing() {
    byte[] good = "cpu,host=a u=1,s=\"x\\\"y\",b=t 5000000\nmem f=2i 6000000\n".getBytes(UTF_8);
    byte[] alphabet = ",= \\\"\n\r#1if\u0000é".getBytes(UTF_8);
    Seeds.forEach(
        2_000,
        random -> {
          byte[] body = good.clone();
          for (int i = random.nextInt(8); i >= 0; i--) {
            body[random.nextInt(body.length)] = alphabet[random.nextInt(alphabet.length)];
          }
          int length = random.nextInt(body.length + 1);
          decode(body, length, new HeldSink(), Client.LOCAL, "{series} {field}", Precision.NS);
          assertThat(report.refusedLines()).isLessThanOrEqualTo(report.lines());
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "cpu; MALFORMED_LINE",
        "cpu x; MALFORMED_LINE",
        "cpu x=; MALFORMED_LINE",
        "cpu, x=1; MALFORMED_LINE",
        "cpu,a= x=1; MALFORMED_LINE",
        "cpu,a=1,a=2 x=1; MALFORMED_LINE",
        "cpu x=1 2 3; MALFORMED_LINE",
        "cpu x=1 later; BAD_TIMESTAMP",
        "cpu x=1 99999999999999999999; BAD_TIMESTAMP",
        "cpu x=abc 5000000; NON_NUMERIC",
        "cpu x=9223372036854775808i 5000000; NON_NUMERIC",
        "cpu x=NaN 5000000; INVALID_VALUE",
        "cpu x=-Inf 5000000; INVALID_VALUE",
        "cpu x=1 -5; INVALID_TIMESTAMP",
        "cpu x=\"not closed; MALFORMED_LINE"
      })
  void badLine_isRefusedByName(String line, String reason) {
    decode(line, sink, Client.LOCAL, "{series} {field}", Precision.NS);

    assertThat(report.message())
        .isEqualTo("partial write: 1 of 1 lines refused: line 1: " + reason + "; dropped=1");
    assertThat(sink.taken()).isEmpty();
  }

  @Test
  void goodLinesAroundBadOnes_areTaken_andTheBadAreNamed() {
    decode(
        "a x=1 5000000\nbad\n# no line\n\na x=2,y=\"s\",z=? 6000000\nb s=\"\n\" 7\nc x=3 7000000",
        sink,
        Client.LOCAL,
        "{measurement}.{field}",
        Precision.NS);

    assertThat(readings(sink)).containsExactly("a.x@5.0=1.0", "a.x@6.0=2.0", "c.x@7.0=3.0");
    assertThat(report.message())
        .isEqualTo(
            "partial write: 2 of 5 lines refused: line 2: MALFORMED_LINE; line 5: NON_NUMERIC;"
                + " dropped=2");
    assertThat(report.skippedLines()).isEqualTo(1);
  }

  /** A text in a string is never read as a line, closed or not. */
  @Test
  void stringsOfBadLines_areNoLines() {
    decode(
        "a s=\"x\nvalve open=1 5000000\n\",y=1 later\nb x=1 5000000",
        sink,
        Client.LOCAL,
        "{measurement}",
        Precision.NS);
    assertThat(readings(sink)).containsExactly("b@5.0=1.0");

    HeldSink other = new HeldSink();
    decode("a s=\"x\nvalve open=1 5000000\n", other, Client.LOCAL, "{measurement}", Precision.NS);
    assertThat(other.taken()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "n, 1500000001, 1500, 1",
    "us, 1500001, 1500, 1000",
    "ms, 1500, 1500, 0",
    "s, 15, 15000, 0",
    "m, 2, 120000, 0",
    "h, 1, 3600000, 0",
    "'', 1500000001, 1500, 1"
  })
  void precision_isTheUnitOfTimestamps(String precision, long timestamp, long ms, int nanos) {
    decode("a x=1 " + timestamp, sink, Client.LOCAL, "a", Precision.of(precision));

    assertThat(readings(sink)).containsExactly("a@" + ms + "." + nanos + "=1.0");
  }

  @Test
  void clients_haveTemplatesAndSensorsOfTheirOwn() {
    Client client =
        new Client(
            "line-7",
            Set.of(),
            List.of("line-7/*"),
            Optional.of(SensorTemplate.parse("{tag:line}/{field}", InfluxSettings.PARTS)));
    decode(
        "a,line=line-7 x=1 5000000\na,line=line-8 x=2 5000000\na x=3 5000000",
        sink,
        client,
        "{series}",
        Precision.NS);

    assertThat(readings(sink)).containsExactly("line-7/x@5.0=1.0");
    assertThat(report.refusals())
        .containsOnly(Map.entry("NOT_ITS_SENSOR", 1), Map.entry("MISSING_SENSOR_ID", 1));
  }

  @Test
  void hostileNumbersOfTagsAndFields_takeNoLongerThanTheirBytes() {
    StringBuilder fields = new StringBuilder("a f0=1");
    for (int i = 1; i < 60_000; i++) {
      fields.append(",f").append(i % 30_000).append('=').append(i);
    }
    decode(fields.toString(), sink, Client.LOCAL, "{field}", Precision.NS);
    assertThat(report.refusals()).isEmpty();
    assertThat(sink.taken()).hasSize(30_000);

    StringBuilder tags = new StringBuilder("a");
    for (int i = 0; i < 100_000; i++) {
      tags.append(",t").append(i).append("=1");
    }
    decode(tags + " x=1", new HeldSink(), Client.LOCAL, "{field}", Precision.NS);
    assertThat(report.refusals()).containsEntry("MALFORMED_LINE", 1);
  }

  /** Of a mebibyte that gzip makes of two kilobytes, 30 GB of names would be made. */
  @Test
  void longSeriesOfManyFields_isRefusedAtOnce() {
    StringBuilder line = new StringBuilder("m".repeat(500_000)).append(" f=1");
    for (int i = 0; i < 50_000; i++) {
      line.append(",f").append(i).append("=1");
    }
    decode(line + "\na b=1\n", sink, Client.LOCAL, "{field}", Precision.NS);
    assertThat(report.refusals()).containsExactly(Map.entry("LINE_TOO_LONG", 1));
    assertThat(sink.taken()).hasSize(1);
  }

  /** The places of the fields of a line of 64 MiB would take four times its bytes. */
  @Test
  void lineOfMoreFieldsThanAMebibyteHas_isNotTakenApart() {
    byte[] body = ("a f=1" + ",f=1".repeat(300_000) + "\na b=1\n").getBytes(UTF_8);
    assertThat(new LineParser().parse(body, 0, body.length)).isFalse();
    decode(body, body.length, sink, Client.LOCAL, "{field}", Precision.NS);
    assertThat(report.refusals()).containsExactly(Map.entry("LINE_TOO_LONG", 1));
    assertThat(sink.taken()).hasSize(1);
  }

  private void decode(
      String body, HeldSink to, Client client, String template, Precision precision) {
    byte[] utf8 = body.getBytes(UTF_8);
    decode(utf8, utf8.length, to, client, template, precision);
  }

  private void decode(
      byte[] body, int length, HeldSink to, Client client, String template, Precision precision) {
    Identities identities =
        new Identities(
            new IdentitySettings(false, 1 << 24, 0, IdentitySettings.Collisions.COUNT, 16_384));
    Delivery delivery = new Intake(to, identities, 256, 1_000_000_000).begin();
    report =
        new LineDecoder(
                new LineSensors(SensorTemplate.parse(template, InfluxSettings.PARTS)),
                cache,
                new LineSource(client, "", ""),
                precision,
                ARRIVAL_NANOS,
                delivery,
                new Rejects(Optional.empty()))
            .decode(body, length);
  }

  private static List<String> readings(HeldSink from) {
    return from.taken().stream()
        .map(
            each ->
                each.reading().sensorId()
                    + "@"
                    + each.reading().timestampMs()
                    + "."
                    + each.nanosOfMs()
                    + "="
                    + each.reading().value())
        .toList();
  }
}
