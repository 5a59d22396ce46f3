package io.weir.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Fnv1a;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the pages for gateways and docs/consumers.md show is so. */
class PagesTest {
  private static final Pattern KNOWN_ANSWER =
      Pattern.compile("(?m)^\\| `(?<id>[^`]+)`[^|]* \\| (?<hash>[0-9a-f]{8}) \\| (?<at>\\d+) \\|$");

  @Test
  void knownAnswers_ofPartitions_areThoseOfTheFunction() throws IOException {
    Matcher answer = KNOWN_ANSWER.matcher(page("docs/reference/known-answers.md"));
    int answers = 0;
    for (; answer.find(); answers++) {
      String id = answer.group("id");
      assertThat(answer.group("hash")).as(id).isEqualTo("%08x".formatted(Fnv1a.hash(id)));
      assertThat(answer.group("at")).as(id).isEqualTo("" + SensorPartition.of(id));
    }
    assertThat(answers).isEqualTo(13);
  }

  @Test
  void knownAnswers_bytesOfABatch_areThoseOfThatBatch() throws IOException {
    ReadingBatch batch =
        ReadingBatch.newBuilder()
            .setGatewayId("gw-1")
            .setBootId(1_782_579_200_000_123L)
            .setSequence(1)
            .addReadings(
                Reading.newBuilder()
                    .setSensorId("温度-1")
                    .setTimestampMs(1_700_000_000_000L)
                    .setValue(71.5)
                    .setQuality(Quality.QUALITY_BAD))
            .build();
    assertThat(page("docs/reference/known-answers.md")).contains("\n    " + hex(batch) + "\n");
  }

  @Test
  void refusals_namesEveryReasonOfDeadLetters() throws IOException {
    for (RejectReason reason : RejectReason.values()) {
      assertThat(page("docs/reference/refusals.md")).contains(reason.name());
    }
  }

  @Test
  void consumers_javaExample_isTheOneThatIsCompiled() throws IOException {
    String source = page("src/it/gateway/src/main/java/gateway/Windows.java");
    assertThat(source).contains(snippet("java").indent(4));
  }

  @Test
  void consumers_pythonExample_isTheOneThatIsRun() throws IOException {
    assertThat(page("src/examples/python/windows.py")).contains(snippet("python"));
  }

  @Test
  void consumers_join_isTheOneThatIsRun() throws IOException {
    String page = page("docs/consumers.md");
    String from = page.substring(page.indexOf("<!-- joining: "));
    String code = from.substring(from.indexOf("```java\n") + 8, from.indexOf("\n```\n"));
    assertThat(page("src/examples/java/joining/SensorPlaces.java")).contains(code.indent(4));
  }

  /** The first block of code in that language in docs/consumers.md. */
  private static String snippet(String language) throws IOException {
    List<String> lines = page("docs/consumers.md").lines().toList();
    int from = lines.indexOf("```" + language) + 1;
    return lines.stream()
        .skip(from)
        .takeWhile(line -> !line.equals("```"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private static String hex(ReadingBatch batch) {
    return HexFormat.of().formatHex(batch.toByteArray());
  }

  private static String page(String path) throws IOException {
    return Files.readString(Path.of(path), UTF_8);
  }
}
