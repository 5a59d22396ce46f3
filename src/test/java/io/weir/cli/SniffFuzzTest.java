package io.weir.cli;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;

/** The kept inputs of {@link SniffFuzz}; {@code src/test/fuzz/run} seeks new ones. */
class SniffFuzzTest {
  @FuzzTest
  void file_withoutQuestions_isReadExactly(byte[] choices) throws IOException {
    SniffFuzz.fuzzerTestOneInput(choices);
  }
}
