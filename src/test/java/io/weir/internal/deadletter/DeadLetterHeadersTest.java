package io.weir.internal.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class DeadLetterHeadersTest {
  private static List<String> lines(Headers headers) {
    List<String> lines = new ArrayList<>();
    headers.forEach(
        header ->
            lines.add(header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8)));
    return lines;
  }

  @Test
  void origin_namedAsKafkaStreamsDoes() {
    assertThat(lines(DeadLetterHeaders.of(new Origin("weir.readings", 63, 1L << 40))))
        .containsExactly(
            "__streams.errors.topic=weir.readings",
            "__streams.errors.partition=63",
            "__streams.errors.offset=1099511627776");
  }

  @Test
  void batch_numbersAreUnsigned() {
    Headers headers = new RecordHeaders();
    DeadLetterHeaders.addBatch(headers, "Fühler", -1, Long.MIN_VALUE);
    assertThat(lines(headers))
        .containsExactly(
            "weir.gateway=Fühler",
            "weir.boot_id=18446744073709551615",
            "weir.sequence=9223372036854775808");
  }

  @Test
  void batchWithoutBootIdAndSequence_hasNoHeadersOfThem() {
    Headers headers = new RecordHeaders();
    DeadLetterHeaders.addBatch(headers, "", 0, 0);
    assertThat(lines(headers)).containsExactly("weir.gateway=");
  }

  @Test
  void longText_isCutAndStaysText() {
    for (String text : List.of("x".repeat(9000), "𝕊".repeat(9000), "a" + "𝕊".repeat(9000))) {
      Headers headers = new RecordHeaders();
      DeadLetterHeaders.add(headers, "weir.gateway", text);
      String cut = new String(headers.lastHeader("weir.gateway").value(), StandardCharsets.UTF_8);
      assertThat(text).startsWith(cut);
      assertThat(cut.length()).isBetween(500, 512);
    }
  }
}
