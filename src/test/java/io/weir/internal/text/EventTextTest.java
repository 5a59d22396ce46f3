package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.internal.text.EventTextException.Reason;
import io.weir.v1.Value;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which lines are events, and what is refused because it would become something else. */
class EventTextTest {
  private static Value field(String number) throws EventTextException {
    String line = "{\"key\":\"k\",\"timestamp_ms\":1,\"fields\":{\"x\":" + number + "}}";
    return EventText.parse(line.getBytes(UTF_8)).getFieldsOrThrow("x");
  }

  private static void assertRefused(String line, Reason reason) {
    Throwable refused = catchThrowable(() -> EventText.parse(line.getBytes(UTF_8)));
    assertThat(refused).as(line).isInstanceOf(EventTextException.class);
    assertThat(((EventTextException) refused).reason()).as(line).isEqualTo(reason);
    assertThat(refused.getMessage()).hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e999",
        "-1e999",
        "1e-999",
        "9223372036854775809",
        "123456789012345678901234567890"
      })
  void numberThatWouldBecomeAnother_isRefused(String number) {
    assertRefused("{\"fields\":{\"x\":" + number + "}}", Reason.NUMBER_OUT_OF_RANGE);
  }

  @ParameterizedTest
  @CsvSource({
    "0.1,0.1", "1e20,1e20", "100000000000000000000,1e20", "9223372036854775808,9223372036854775808",
    "0e5,0", "0.0,0", "4.9e-324,4.9e-324", "1.7976931348623157e308,1.7976931348623157e308"
  })
  void otherNumbers_areDoubles(String number, double value) throws Exception {
    assertThat(field(number).getDoubleValue()).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-9223372036854775808", "9223372036854775807"})
  void wholeNumbersOf64Bits_areWhole(String number) throws Exception {
    assertThat(field(number).getInt64Value()).isEqualTo(Long.parseLong(number));
  }

  @Test
  void eventThatExpires_isReadWithItsTime() throws Exception {
    String line = "{\"key\":\"k\",\"timestamp_ms\":1,\"expires_ms\":1700000000000}";
    assertThat(EventText.parse(line.getBytes(UTF_8)).getExpiresMs()).isEqualTo(1_700_000_000_000L);
    assertRefused(line.replace("1700000000000", "1.5"), Reason.MALFORMED_LINE);
  }

  @Test
  void whatIsNoEvent_hasItsReason() {
    assertRefused("{\"key\":\"a\",\"key\":\"b\"}", Reason.DUPLICATE_FIELD);
    assertRefused("{\"fields\":{\"x\":1},\"fields\":{\"y\":1}}", Reason.DUPLICATE_FIELD);
    assertRefused("{\"fields\":{\"x\":1,\"x\":2}}", Reason.DUPLICATE_FIELD);
    assertRefused("{\"key\":\"a\",\"every_ms\":5000}", Reason.INVALID_DUE);
    assertRefused("{\"key\":\"a\",\"due_ms\":92233720368547758070}", Reason.NUMBER_OUT_OF_RANGE);
    assertRefused("{\"keys\":\"a\"}", Reason.UNKNOWN_FIELD);
    assertRefused("{\"fields\":{\"x\":[1]}}", Reason.MALFORMED_LINE);
    assertRefused("{\"key\":1}", Reason.MALFORMED_LINE);
    assertRefused("{\"key\"", Reason.MALFORMED_LINE);
    assertRefused("", Reason.MALFORMED_LINE);
    assertRefused("{} {}", Reason.MALFORMED_LINE);
  }

  @Test
  void sizesAreBoundedBeforeTheyAreRead() {
    String digits = "1".repeat(1_001);
    assertRefused("{\"due_ms\":" + digits + "}", Reason.NUMBER_OUT_OF_RANGE);
    assertRefused("{\"fields\":{\"x\":" + digits + "}}", Reason.NUMBER_OUT_OF_RANGE);
    assertRefused("{\"fields\":{\"x\":0." + digits + "}}", Reason.NUMBER_OUT_OF_RANGE);
    assertRefused("{\"fields\":{\"x\":1e" + digits + "}}", Reason.NUMBER_OUT_OF_RANGE);
    assertRefused("{\"fields\":{\"x\":" + "9".repeat(1_000_000) + "}}", Reason.NUMBER_OUT_OF_RANGE);
    assertRefused("{\"fields\":{\"x\":" + "[".repeat(900_000) + "}}", Reason.MALFORMED_LINE);
    for (String object : List.of("fields", "field_timestamps_ms")) {
      String fields =
          IntStream.rangeClosed(0, 1_000)
              .mapToObj(i -> "\"f" + i + "\":1")
              .collect(Collectors.joining(","));
      assertRefused("{\"" + object + "\":{" + fields + "}}", Reason.TOO_MANY_FIELDS);
    }
  }

  @Test
  void thousandFieldsAndDigits_areRead() throws Exception {
    String fields =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "\"f" + i + "\":1")
            .collect(Collectors.joining(","));
    assertThat(EventText.parse(("{\"fields\":{" + fields + "}}").getBytes(UTF_8)).getFieldsCount())
        .isEqualTo(1_000);
    assertThat(field("0." + "3".repeat(998)).getDoubleValue()).isEqualTo(1.0 / 3);
  }
}
