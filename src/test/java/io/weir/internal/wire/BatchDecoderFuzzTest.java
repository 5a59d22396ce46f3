package io.weir.internal.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The kept inputs of {@link BatchDecoderFuzz}; {@code src/test/fuzz/run} seeks new ones. */
class BatchDecoderFuzzTest {
  @FuzzTest
  void bytes_areTakenAndRefusedAsByProtobuf(byte[] bytes) {
    BatchDecoderFuzz.fuzzerTestOneInput(bytes);
  }
}
