package io.weir.internal.input.otlp;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The kept inputs of {@link OtlpFuzz}; {@code src/test/fuzz/run} seeks new ones. */
class OtlpFuzzTest {
  @FuzzTest
  void requests_areReadWholeOrRefused(byte[] bytes) {
    OtlpFuzz.fuzzerTestOneInput(bytes);
  }
}
