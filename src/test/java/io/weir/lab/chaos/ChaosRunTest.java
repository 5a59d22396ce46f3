package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short run of the whole driver: real processes, a few faults of each lane but the brokers'. */
class ChaosRunTest {
  private static final long SEED = Long.getLong("weir.seed", 4);

  @TempDir Path dir;

  @Test
  void shortRun_isExact() throws Exception {
    Map<FaultKind, Integer> faults =
        Map.of(
            FaultKind.APP_KILL, 2,
            FaultKind.CUT, 1,
            FaultKind.GATEWAY_RESUME, 1,
            FaultKind.POISON, 1);
    List<String> lines = new ArrayList<>();
    ChaosSettings settings =
        ChaosSettings.builder(SEED, Duration.ofSeconds(60))
            .faults(faults)
            .processes(1, 2, 1)
            .load(800, 150)
            .build();

    ChaosReport report = new ChaosRun(settings, dir, lines::add).run();

    assertThat(report.findings().lines()).as("%s", lines).isEmpty();
    assertThat(report.isExact()).as("%s", report.lines()).isTrue();
    assertThat(report.offered()).isPositive();
    faults.forEach((kind, times) -> assertThat(report.count(kind)).isEqualTo(times));
  }
}
