package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.hot.HotRow;
import io.weir.cli.pages.Processes;
import io.weir.internal.hot.HeavyHitter;
import io.weir.internal.hot.HotBoard;
import io.weir.internal.hot.HotMinute;
import io.weir.internal.ops.HotPage;
import io.weir.internal.ops.HttpEndpoint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HotCommandTest {
  @Test
  void processesThatRun_areAskedAndAddedUp() throws Exception {
    HotBoard one = new HotBoard();
    HotBoard two = new HotBoard();
    one.put(new HotMinute(3, 60_000, 100, List.of(new HeavyHitter("a", 60)), 0, List.of()));
    two.put(new HotMinute(4, 60_000, 100, List.of(new HeavyHitter("b", 100)), 0, List.of()));
    try (HttpEndpoint first = serve(one);
        HttpEndpoint second = serve(two)) {
      Processes processes = new Processes(List.of(url(first), url(second) + "/"));

      assertThat(HotCommand.look(processes, 10).sensors())
          .containsExactly(
              new HotRow("b", 4, 100, false, 1, 0.5), new HotRow("a", 3, 60, false, 0.6, 0.3));
    }
  }

  @Test
  void nobodyThere_isOneLineWithTheAddress() {
    WeirProcess.Ended ended = WeirTest.runHere("hot", "--url", "http://127.0.0.1:1");

    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.err().lines()).singleElement().asString().contains("http://127.0.0.1:1/hot");
  }

  @Test
  void wrongAddress_isOneLineWithWhatIsAllowed() {
    WeirProcess.Ended ended = WeirTest.runHere("hot", "--url", "weir:8080");

    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.err().lines()).singleElement().asString().contains("http://HOST:PORT");
  }

  private static HttpEndpoint serve(HotBoard board) throws Exception {
    return HttpEndpoint.start("127.0.0.1", 0, Map.of(HotPage.PATH, new HotPage(board)));
  }

  private static String url(HttpEndpoint endpoint) {
    return "http://127.0.0.1:" + endpoint.port();
  }
}
