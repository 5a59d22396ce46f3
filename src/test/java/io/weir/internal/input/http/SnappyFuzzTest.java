package io.weir.internal.input.http;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The kept inputs of {@link SnappyFuzz}; {@code src/test/fuzz/run} seeks new ones. */
class SnappyFuzzTest {
  @FuzzTest
  void blocks_areAsSnappyReadsThem(byte[] bytes) {
    SnappyFuzz.fuzzerTestOneInput(bytes);
  }
}
