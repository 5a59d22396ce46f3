package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timestamps and values as text, against regular expressions and the library's exact numbers. */
class NumberTextTest {
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,19}");
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  private static final Pattern WORD =
      Pattern.compile("[+-]?(nan|inf|infinity)", Pattern.CASE_INSENSITIVE);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "00012",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "0000000000000000001"
      })
  void timestamp_ofUpTo19DigitsWithin64Bits_isRead(String text) {
    assertThat(readTimestamp(text)).isEqualTo(new BigInteger(text).longValueExact());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+1",
        "1.0",
        "1e3",
        " 1",
        "1 ",
        "0x10",
        "9223372036854775808",
        "-9223372036854775809",
        "00000000000000000001",
        "\u0661",
        "1_000",
        "--1",
        "1-"
      })
  void timestamp_spelledOtherwise_isNone(String text) {
    assertThat(readTimestamp(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "-0.0",
        "+5",
        "1.",
        ".5",
        "-.5e-3",
        "1e5",
        "1E+05",
        "1e-05",
        "007.250",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992.5",
        "123456789012345678901234567890",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "0e999999999",
        "0.0e-99999999999999999999",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "2.2250738585072012e-308",
        "0.1",
        "8.5e-22",
        "100000000000000000000000e-22"
      })
  void value_inAnOddSpelling_isTheNearestDouble(String text) {
    assertThat(readValue(text)).isEqualTo(Double.parseDouble(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e309",
        "-1e309",
        "1.7976931348623159e308",
        "1e99999999999999999999",
        "NaN",
        "nan",
        "-NAN",
        "+nan",
        "inf",
        "-Inf",
        "+INFINITY",
        "infinity"
      })
  void value_notFiniteOrOverflowing_isReadAsNotFinite(String text) {
    assertThat(Double.isFinite(readValue(text))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "+",
        "-",
        ".",
        "e5",
        "1e",
        "1e+",
        ".e1",
        "1d",
        "1f",
        "1D",
        "1L",
        "0x1p3",
        "0x20",
        " 1",
        "1 ",
        "1,5",
        "1.2.3",
        "1e5.0",
        "1e5e5",
        "NA",
        "null",
        "true",
        "i",
        "23F80008",
        "--1",
        "+-1",
        "\u0661",
        "\uff11",
        "infin",
        "nano",
        "1_0",
        "1\u00a0",
        "Infinity1"
      })
  void value_spelledOtherwise_isNone(String text) {
    assertThat(readValue(text)).isNull();
  }

  @Test
  void value_whoseFractionAndExponentAreBothHuge_isNotTakenForASmallOne() {
    String text = "0." + "0".repeat(1_048_570) + "1e1048590";
    assertThat(readValue(text)).isEqualTo(1e19);
    assertThat(readValue("1" + "0".repeat(400) + "e-400")).isEqualTo(1.0);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void randomTexts_ofTheAlphabetOfNumbers_areReadAsTheGrammarHasIt(long seed) {
    Random random = new Random(seed);
    String alphabet = "0123456789019+-..eE-5dfxinaNty ";
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(9); length >= 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      checkAgainstGrammar(text.toString(), seed);
    }
  }

  private static void checkAgainstGrammar(String text, long seed) {
    Double value = readValue(text);
    if (DECIMAL.matcher(text).matches()) {
      assertThat(value).as("%s seed %d", text, seed).isEqualTo(Double.parseDouble(text));
    } else if (WORD.matcher(text).matches()) {
      assertThat(Double.isFinite(value)).as("%s seed %d", text, seed).isFalse();
    } else {
      assertThat(value).as("%s seed %d", text, seed).isNull();
    }
    Long expected = INTEGER.matcher(text).matches() ? (Long) Long.parseLong(text) : null;
    assertThat(readTimestamp(text)).as("%s seed %d", text, seed).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void randomDecimals_ofEveryLength_areRoundedToTheNearest(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 50_000; i++) {
      BigInteger digits = new BigInteger(1 + random.nextInt(90), random);
      BigDecimal exact = new BigDecimal(digits, random.nextInt(60) - 30);
      String text = random.nextBoolean() ? exact.toString() : exact.toPlainString();
      Double read = readValue(text);
      BigDecimal error = exact.subtract(new BigDecimal(read)).abs();
      BigDecimal half = new BigDecimal(Math.ulp(read)).divide(BigDecimal.valueOf(2));
      assertThat(error).as("%s seed %d", text, seed).isLessThanOrEqualTo(half);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32})
  void randomDoubles_writtenByTheLibrary_areReadBackToTheBit(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        assertThat(readValue(Double.toString(value))).as("seed %d", seed).isEqualTo(value);
      }
    }
  }

  private static Long readTimestamp(String text) {
    byte[] padded = ("7" + text + "7").getBytes(UTF_8);
    IntegerText integer = new IntegerText();
    return integer.read(padded, 1, padded.length - 1) ? (Long) integer.value() : null;
  }

  private static Double readValue(String text) {
    byte[] padded = ("7" + text + "7").getBytes(UTF_8);
    DecimalText decimal = new DecimalText();
    return decimal.read(padded, 1, padded.length - 1) ? (Double) decimal.value() : null;
  }
}
