package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.edge.Refusal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private final StringWriter err = new StringWriter();
  private final Refusals refusals = new Refusals(new PrintWriter(err), "weir edge", "readings");

  @Test
  void refusal_isReportedOncePerReason_withItsRemedy() {
    refusals.refused(new Refusal("MISROUTED", 7));
    refusals.refused(new Refusal("MISROUTED", 7));
    refusals.refused(new Refusal("FENCED", 7));
    assertThat(err.toString().lines())
        .containsExactly(
            "weir edge: Weir refuses readings of this gateway id: MISROUTED; see weir tail"
                + " dead-letters and docs/reference/dead-letters.md",
            "weir edge: Weir refuses readings of this gateway id: FENCED. More than one process uses"
                + " the id, or the clock was set back: use a different --gateway-id for each process");
    assertThat(Files.exists(Path.of("docs/reference/dead-letters.md"))).isTrue();
  }

  @Test
  void summary_countsDeadLettersByReason() {
    refusals.summarize();
    assertThat(err.toString()).isEmpty();
    refusals.refused(new Refusal("FENCED", 7));
    refusals.refused(new Refusal("FENCED", 8));
    refusals.summarize();
    assertThat(err.toString().lines())
        .last()
        .isEqualTo("weir edge: dead letters of this gateway id: 2 FENCED");
  }
}
