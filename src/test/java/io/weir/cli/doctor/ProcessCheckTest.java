package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.pages.Exposition;
import io.weir.internal.app.Dependency;
import org.junit.jupiter.api.Test;

class ProcessCheckTest {
  @Test
  void systemsThatAProcessWaitsFor_areNamed_exceptForPauses() {
    Exposition page =
        new Exposition(
            """
            weir_waiting_seconds{for="kafka"} 0.0
            weir_waiting_seconds{for="registry"} 42.5
            weir_waiting_seconds{for="database"} 9.9
            """);

    assertThat(ProcessCheck.awaited(page)).containsExactly(Dependency.REGISTRY);
    assertThat(ProcessCheck.awaited(new Exposition("weir_ready 0.0"))).isEmpty();
  }
}
