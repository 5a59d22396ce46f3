package io.weir.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The gateways in src/examples, to be given the options that all have. */
final class GatewayPrograms {
  private GatewayPrograms() {}

  /**
   * The one in Python.
   *
   * @param dir where descriptors are written
   */
  static List<String> python(Path dir) throws IOException {
    return List.of(
        Tool.python(),
        "src/examples/python/gateway.py",
        "--descriptors=" + RunningWeir.writeDescriptors(dir.resolve("weir.binpb")));
  }

  static List<String> node() throws Exception {
    return List.of("node", Tool.node().resolve("gateway.js").toString(), "--proto=proto");
  }
}
