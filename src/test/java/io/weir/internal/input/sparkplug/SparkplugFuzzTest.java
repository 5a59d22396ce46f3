package io.weir.internal.input.sparkplug;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The kept inputs of {@link SparkplugFuzz}; {@code src/test/fuzz/run} seeks new ones. */
class SparkplugFuzzTest {
  @FuzzTest
  void payloads_areReadWholeOrRefused(byte[] bytes) {
    SparkplugFuzz.fuzzerTestOneInput(bytes);
  }
}
