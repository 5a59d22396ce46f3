package io.weir.lab.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.screen.Row;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DemoFrameTest {
  @Test
  void frame_ofAUsualTerminal_isThis() {
    assertThat(text(Snapshots.at(DemoPhase.RUNNING, 8_000), 80, 27))
        .isEqualTo(
            """
            weir demo 00:08  90 sensors, windows of 2 s                       Ctrl-C ends it
            readings/s         20,153   ▁▄█
            windows/s             318   ▁▁█
            lag                     7   ▁█▅                        batches not yet committed
            offered           205,524   ████████████████████████████████████████████████████
            = ■ in windows 92k ■ late 0 ■ rejected 2,902 ■ duplicates 3,171 ■ open 107k
            rejected     2,902 future_timestamp  2 undecodable records
            silent                 30   vib-0004 SILENT              sensors, on weir.status
            alarms                  2   vibration-high ACTIVE vib-0004 at 6.1
            events                240   in 7: plant, 34 events, QUIET  folded on weir.folded
            made to go wrong                       readings touched, and what became of them
            ● travelling offline, 1,203 wait, 1 s more                     16,650 not late ✓
            ● repeating  sends batches again, 2 s more                    3,171 duplicates ✓
            ● fast clock clock 15 min ahead, 4 s more      2,902 of 5,703 future_timestamp
            ● slow clock clock 45 s behind
            ○ broken     NaN among good readings, in 3 s
            ○ broken     wrong partition, in 6 s
            ○ broken     records that are no batch, in 9 s                   2 undecodable ✓
            ○ steady     readings 10 min old, in 11 s
            a sensor of each               means of its windows, as they are on weir.windows
              steady     temp-0000        25.2 °C  ▇▁█                a minute: 23.9 to 26.3
              travelling vib-0004        5.9 mm/s  ▁█                      1 completed later
              fast clock press-0008     no window yet
            """);
  }

  @Test
  void frame_isNeverLargerThanTheTerminal() {
    DemoSnapshot now = Snapshots.at(DemoPhase.SETTLING, 40_000);
    for (int columns = 1; columns < 200; columns += 7) {
      for (int lines = 1; lines < 50; lines++) {
        List<Row> rows = DemoFrame.of(now, columns, lines);
        assertThat(rows).hasSizeLessThan(lines);
        for (Row row : rows) {
          assertThat(row.text(columns)).hasSizeLessThanOrEqualTo(columns);
        }
      }
    }
  }

  @Test
  void frame_atTheEnd_saysWhatIsMissing() {
    assertThat(text(Snapshots.at(DemoPhase.RUNNING, 8_000), 120, 40)).contains("■ open 107,378");
    assertThat(text(Snapshots.at(DemoPhase.DONE, 8_000), 120, 40)).contains("■ missing 107,378");
  }

  private static String text(DemoSnapshot now, int columns, int lines) {
    return DemoFrame.of(now, columns, lines).stream()
        .map(row -> row.text(columns))
        .collect(Collectors.joining("\n", "", "\n"));
  }
}
