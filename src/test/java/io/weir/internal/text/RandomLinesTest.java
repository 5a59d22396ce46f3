package io.weir.internal.text;

import static io.weir.internal.text.TextLines.HEADER;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Quality;
import io.weir.reading.Reading;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readings in every spelling that is allowed, and lines that somebody has spoilt. */
class RandomLinesTest {
  private static final List<Integer> ID_CHARACTERS =
      "ab/ ,\"\t\r{}'\\\u00e9\u20ac\uffee\ud83d\ude00".codePoints().boxed().toList();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void readings_inOddButValidCsv_areReadBackEqual(long seed) throws IOException {
    Random random = new Random(seed);
    List<Reading> readings = new ArrayList<>();
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "\ufeff" : "");
    text.append(HEADER.replace("\n", ",quality\r\n"));
    for (int i = 0; i < 5_000; i++) {
      Reading r = randomReading(random);
      readings.add(r);
      text.append(field(r.sensorId(), random)).append(',');
      text.append(field(timestamp(r.timestampMs(), random), random)).append(',');
      text.append(field(number(r.value(), random), random)).append(',');
      text.append(field(quality(r.quality(), random), random));
      text.append(List.of("\n", "\r\n", "\n\n", "\r\n\n\r\n").get(random.nextInt(4)));
    }
    assertThat(readings(text.toString())).as("seed %d", seed).isEqualTo(readings);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void readings_inOddButValidJson_areReadBackEqual(long seed) throws IOException {
    Random random = new Random(seed);
    List<Reading> readings = new ArrayList<>();
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "\ufeff" : "");
    for (int i = 0; i < 5_000; i++) {
      Reading r = randomReading(random);
      readings.add(r);
      List<String> members = new ArrayList<>();
      members.add("\"sensor_id\":" + jsonString(r.sensorId(), random));
      members.add("\"timestamp_ms\" : " + r.timestampMs());
      members.add("\"value\":" + jsonNumber(r.value(), random));
      if (r.quality() != Quality.GOOD || random.nextBoolean()) {
        boolean byNumber = random.nextBoolean();
        String name = "\"" + r.quality() + "\"";
        members.add("\"quality\":" + (byNumber ? r.quality().number() : name));
      }
      members.add("\"note\":[null,{\"value\":\"x\"}]");
      Collections.shuffle(members, random);
      text.append("{").append(String.join(" ,\t", members)).append("}\r\n");
    }
    assertThat(readings(text.toString())).as("seed %d", seed).isEqualTo(readings);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void spoiltLines_ofCsvAndJson_giveExactlyOneOutcomeEach(long seed) throws IOException {
    Random random = new Random(seed);
    List<String> csv =
        List.of(
            HEADER.strip(), "a,1700000000000,21.5", "\"a,\"\"b\",1,-1e-5", "\u00e9\u20ac,2,inf");
    List<String> json =
        List.of(
            "{\"sensor_id\":\"a\",\"timestamp_ms\":1700000000000,\"value\":21.5}",
            "{\"value\":-1e5,\"x\":[1,{}],\"sensor_id\":\"\\u00e9\\\"\",\"timestamp_ms\":2}");
    checkOutcomes(HEADER, csv, seed, random, TextFormat.CSV);
    checkOutcomes("", json, seed, random, TextFormat.JSON_LINES);
  }

  private static void checkOutcomes(
      String begin, List<String> samples, long seed, Random random, TextFormat format)
      throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes(begin.getBytes(UTF_8));
    for (int i = 0; i < 50_000; i++) {
      byte[] line = samples.get(random.nextInt(samples.size())).getBytes(UTF_8);
      text.writeBytes(spoil(line, random));
      text.write('\n');
    }
    String[] physical = text.toString(ISO_8859_1).split("\n", -1);
    List<TextLine> lines = TextLines.of(new ByteArrayInputStream(text.toByteArray()), format, 60);
    int at = 0;
    int first = begin.isEmpty() ? 1 : 2;
    for (int lineNo = first; lineNo <= physical.length; lineNo++) {
      String expected = physical[lineNo - 1].replaceFirst("\r\\z", "");
      if (!expected.isEmpty()) {
        TextLine line = lines.get(at++);
        assertThat(line.lineNo()).as("seed %d", seed).isEqualTo(lineNo);
        if (line instanceof TextLine.Bad bad) {
          String kept = expected.substring(0, Math.min(60, expected.length()));
          assertThat(new String(bad.line(), ISO_8859_1)).as("seed %d", seed).isEqualTo(kept);
        }
      }
    }
    assertThat(lines).hasSize(at);
    assertThat(lines).hasAtLeastOneElementOfType(TextLine.Good.class);
  }

  /** Changes, takes out and puts in a few bytes, those that matter to a parser before others. */
  static byte[] spoil(byte[] line, Random random) {
    byte[] loved = "\",{}[]:\\\r\n0.e-+ iu=#\u0000".getBytes(ISO_8859_1);
    byte[] spoilt = line;
    for (int i = random.nextInt(4); i > 0 && spoilt.length > 0; i--) {
      int at = random.nextInt(spoilt.length);
      byte b =
          random.nextBoolean() ? loved[random.nextInt(loved.length)] : (byte) random.nextInt(256);
      ByteArrayOutputStream next = new ByteArrayOutputStream();
      next.write(spoilt, 0, at);
      int kind = random.nextInt(3);
      if (kind != 0) {
        next.write(b);
      }
      int resume = kind == 1 ? at : at + 1;
      next.write(spoilt, resume, spoilt.length - resume);
      spoilt = next.toByteArray();
    }
    return spoilt;
  }

  private static Reading randomReading(Random random) {
    StringBuilder id = new StringBuilder("s");
    for (int i = random.nextInt(8); i > 0; i--) {
      id.appendCodePoint(ID_CHARACTERS.get(random.nextInt(ID_CHARACTERS.size())));
    }
    double value = Double.longBitsToDouble(random.nextLong());
    boolean tame = random.nextBoolean() || !Double.isFinite(value);
    return new Reading(
        id.toString(),
        1 + (random.nextLong() >>> 1 + random.nextInt(30)) % (Long.MAX_VALUE - 1),
        tame ? random.nextInt(1000) / 8.0 - 50 : value,
        Quality.values()[random.nextInt(3)]);
  }

  private static String timestamp(long value, Random random) {
    String digits = Long.toString(value);
    return "0".repeat(random.nextInt(20 - digits.length())) + digits;
  }

  private static String number(double value, Random random) {
    String sign = value >= 0 && random.nextBoolean() ? "+" : "";
    String text =
        switch (random.nextInt(4)) {
          case 0 -> Double.toString(value);
          case 1 -> new BigDecimal(value).toPlainString();
          case 2 -> new BigDecimal(value).toString().replace('E', 'e');
          default -> Double.toString(value).replaceFirst("^0\\.", ".").replaceFirst("\\.0$", ".");
        };
    // -0.0 has no BigDecimal of its own.
    return value == 0 ? Double.toString(value) : sign + text;
  }

  private static String jsonNumber(double value, Random random) {
    boolean plain = value != 0 && random.nextBoolean();
    return plain ? new BigDecimal(value).toPlainString() : Double.toString(value);
  }

  private static String quality(Quality quality, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> quality.name();
      case 1 -> "QUALITY_" + quality.name();
      case 2 -> Integer.toString(quality.number());
      default -> quality == Quality.GOOD ? "" : quality.name();
    };
  }

  private static String field(String text, Random random) {
    boolean must = text.contains("\"") || text.contains(",");
    return must || random.nextBoolean() ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }

  private static String jsonString(String text, Random random) {
    StringBuilder json = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      boolean must = c < ' ' || c == '"' || c == '\\';
      // A surrogate pair is escaped whole or not at all.
      boolean may = !Character.isSurrogate(c) && random.nextInt(4) == 0;
      json.append(must || may ? "\\u%04x".formatted((int) c) : Character.toString(c));
    }
    return json.append('"').toString();
  }

  private static List<Reading> readings(String text) throws IOException {
    return TextLines.of(text).stream().map(line -> ((TextLine.Good) line).reading()).toList();
  }
}
