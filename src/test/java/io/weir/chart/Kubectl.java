package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

/** kubectl, for what it does without a cluster. */
final class Kubectl {
  private Kubectl() {}

  /** What a kustomization builds; aborts the test, with the reason, where there is no kubectl. */
  static String kustomize(Path dir) throws Exception {
    Tool.Ended ended = Tool.assumed("kubectl").run(List.of("kustomize", dir.toString()));
    assertThat(ended.status()).as(ended.err()).isZero();
    return ended.out();
  }
}
