package io.weir.internal.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The kept inputs of {@link ReadingTextFuzz}; {@code src/test/fuzz/run} seeks new ones. */
class ReadingTextFuzzTest {
  @FuzzTest
  void text_givesOneOutcomeALine_howeverItComesInPieces(byte[] bytes) {
    ReadingTextFuzz.fuzzerTestOneInput(bytes);
  }
}
