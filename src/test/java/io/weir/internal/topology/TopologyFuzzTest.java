package io.weir.internal.topology;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** The kept inputs of {@link TopologyFuzz}; {@code src/test/fuzz/run} seeks new ones. */
class TopologyFuzzTest {
  @FuzzTest
  void records_whateverTheyAre_endSomewhere(FuzzedDataProvider data) {
    TopologyFuzz.fuzzerTestOneInput(data);
  }
}
