package io.weir.internal.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The kept inputs of {@link MappingFuzz}; {@code src/test/fuzz/run} seeks new ones. */
class MappingFuzzTest {
  @FuzzTest
  void mapping_overAnyFile_givesAReadingOrAReasonForEachLine(byte[] bytes) {
    MappingFuzz.fuzzerTestOneInput(bytes);
  }
}
