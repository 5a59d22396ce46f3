package io.weir.internal.input.prometheus;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The kept inputs of {@link RemoteWriteFuzz}; {@code src/test/fuzz/run} seeks new ones. */
class RemoteWriteFuzzTest {
  @FuzzTest
  void requests_areReadWholeOrRefused(byte[] bytes) {
    RemoteWriteFuzz.fuzzerTestOneInput(bytes);
  }
}
