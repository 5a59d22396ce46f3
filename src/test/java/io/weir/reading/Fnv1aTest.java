package io.weir.reading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers of the FNV page, of 64 bits; those of 32 bits are in fnv1a.csv. */
class Fnv1aTest {
  @ParameterizedTest
  @CsvSource({
    "'', cbf29ce484222325",
    "a, af63dc4c8601ec8c",
    "b, af63df4c8601f1a5",
    "foobar, 85944171f73967e8"
  })
  void knownAnswers_of64Bits(String text, String hex) {
    assertThat(Fnv1a.hash64(text)).isEqualTo(Long.parseUnsignedLong(hex, 16));
  }
}
