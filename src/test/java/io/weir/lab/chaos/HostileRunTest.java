package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sample of what a hostile writer may send, against real processes; {@code weir chaos --faults
 * hostile} plays all of it. A busy machine may make the neighbour wait longer than Weir promises.
 */
class HostileRunTest {
  private static final long SEED = Long.getLong("weir.seed", 4);

  @TempDir private Path dir;

  @Test
  void sampleOfAttacks_endsNoProcess_andHoldsUpNoNeighbour() {
    List<String> lines = new ArrayList<>();
    HostileSettings settings =
        new HostileSettings(
            SEED,
            false,
            false,
            System.getProperty("weir.rows", ""),
            Optional.of(Duration.ofSeconds(10)),
            Duration.ofSeconds(60));

    HostileReport report = new HostileRun(settings, dir, lines::add).run();

    assertThat(report.findings()).as("%s", lines).isEmpty();
    assertThat(report.played()).isPositive();
    assertThat(report.readings()).isPositive();
  }
}
