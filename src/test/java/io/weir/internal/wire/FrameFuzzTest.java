package io.weir.internal.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The kept inputs of {@link FrameFuzz}; {@code src/test/fuzz/run} seeks new ones. */
class FrameFuzzTest {
  @FuzzTest
  void frame_isTakenAsItsPayload_orRefusedWithAReason(byte[] afterMagic) {
    FrameFuzz.fuzzerTestOneInput(afterMagic);
  }
}
