package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.text.mapping.MappingOptions;
import io.weir.reading.Limits;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Any mapping over any bytes: options that cannot be are refused in one line, and a file gives the
 * same outcomes twice, each with a valid reading or a reason. The first line of the input is the
 * options, {@code name=value} with tabs between them; the rest is the file.
 */
public final class MappingFuzz {
  private MappingFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    int end = 0;
    while (end < bytes.length && bytes[end] != '\n') {
      end++;
    }
    Map<String, String> options = new LinkedHashMap<>();
    for (String option : new String(bytes, 0, end, UTF_8).split("\t")) {
      int equals = option.indexOf('=');
      if (equals > 0) {
        options.put(option.substring(0, equals), option.substring(equals + 1));
      }
    }
    byte[] file = Arrays.copyOfRange(bytes, Math.min(end + 1, bytes.length), bytes.length);
    for (TextFormat format :
        List.of(TextFormat.CSV, TextFormat.JSON_LINES, TextFormat.JSON_ARRAY)) {
      TextForm form;
      try {
        form = TextForm.of(format, MappingOptions.parse(options));
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).isNotBlank();
        return;
      }
      assertThat(outcomes(file, form)).isEqualTo(outcomes(file, form));
    }
  }

  private static List<String> outcomes(byte[] file, TextForm form) {
    List<String> outcomes = new ArrayList<>();
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of("-"), Pipes.of(new ByteArrayInputStream(file)), form, Limits.DEFAULT, 1_000)) {
      for (TextLine line = reader.next(); line != null; line = reader.next()) {
        if (line instanceof TextLine.Good good) {
          assertThat(good.reading().value()).isFinite();
          assertThat(good.reading().timestampMs()).isPositive();
          assertThat(good.reading().sensorId()).isNotEmpty();
          outcomes.add(line.lineNo() + " " + good.reading());
        } else if (line instanceof TextLine.Bad bad) {
          outcomes.add(line.lineNo() + " " + bad.reason() + new String(bad.line(), ISO_8859_1));
        }
      }
    } catch (TextInputException e) {
      assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
      outcomes.add(e.getMessage());
    }
    return outcomes;
  }
}
