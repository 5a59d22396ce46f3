package io.weir.cli.hot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.internal.hot.HeavyHitter;
import io.weir.internal.hot.HotBoard;
import io.weir.internal.hot.HotMinute;
import io.weir.internal.ops.HotPage;
import io.weir.internal.ops.PageRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What pages of several processes come to, read from the pages as they are written. */
class HotReportTest {
  private static JsonNode page(HotMinute... minutes) throws IOException {
    HotBoard board = new HotBoard();
    List.of(minutes).forEach(board::put);
    return new ObjectMapper()
        .readTree(new HotPage(board).reply(PageRequest.of(HotPage.PATH)).text());
  }

  @Test
  void sharesAreOfThePartition_andOfAll() throws IOException {
    HotReport report =
        HotReport.of(
            List.of(
                page(
                    new HotMinute(
                        7, 60_000, 800, List.of(new HeavyHitter("vib-1", 600)), 0, List.of())),
                page(
                    new HotMinute(
                        9, 61_000, 200, List.of(new HeavyHitter("t", 50)), 0, List.of()))),
            10);

    assertThat(report.partitions()).isEqualTo(2);
    assertThat(report.readings()).isEqualTo(1_000);
    assertThat(report.endMs()).isEqualTo(61_000);
    assertThat(report.sensors())
        .containsExactly(
            new HotRow("vib-1", 7, 600, false, 0.75, 0.6),
            new HotRow("t", 9, 50, false, 0.25, 0.05));
    assertThat(HotText.lines(report).get(3)).contains("vib-1", "75.0 %", "60.0 %");
    assertThat(
            new ObjectMapper()
                .readTree(HotText.json(report))
                .path("sensors")
                .path(0)
                .path("id")
                .asText())
        .isEqualTo("vib-1");
  }

  @Test
  void partitionThatMoved_isCountedOnce_asItsNewestMinuteHasIt() throws IOException {
    HotReport report =
        HotReport.of(
            List.of(
                page(
                    new HotMinute(
                        7, 60_000, 800, List.of(new HeavyHitter("a", 600)), 0, List.of())),
                page(
                    new HotMinute(
                        7, 120_000, 100, List.of(new HeavyHitter("a", 10)), 0, List.of()))),
            10);

    assertThat(report.readings()).isEqualTo(100);
    assertThat(report.sensors()).containsExactly(new HotRow("a", 7, 10, false, 0.1, 0.1));
  }

  @Test
  void gatewayThatAFullListDoesNotName_mayHaveMore() throws IOException {
    List<HeavyHitter> twenty = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      twenty.add(new HeavyHitter("g" + i, 10));
    }
    HotReport report =
        HotReport.of(
            List.of(
                page(
                    new HotMinute(1, 60_000, 0, List.of(), 1_000, twenty),
                    new HotMinute(2, 60_000, 0, List.of(), 90, List.of(new HeavyHitter("g0", 90))),
                    new HotMinute(
                        3, 60_000, 0, List.of(), 80, List.of(new HeavyHitter("other", 80))))),
            2);

    assertThat(report.gateways())
        .extracting(HotRow::id, HotRow::readings, HotRow::atLeast)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("g0", 100L, false),
            org.assertj.core.groups.Tuple.tuple("other", 80L, true));
  }

  @Test
  void idsOfStrangers_moveNoCursor() throws IOException {
    HotReport report =
        HotReport.of(
            List.of(
                page(
                    new HotMinute(
                        1, 1, 1, List.of(new HeavyHitter("a\u001b[2J", 1)), 0, List.of()))),
            10);

    assertThat(String.join("\n", HotText.lines(report)))
        .doesNotContain("\u001b")
        .contains("a\\u001b[2J");
  }

  @Test
  void nothingWhole_isSaid() throws IOException {
    assertThat(HotText.lines(HotReport.of(List.of(page()), 10)))
        .singleElement()
        .asString()
        .contains("two");
  }
}
