package io.weir.lab.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.screen.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.NodeList;

class ViewsTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
  private final PrintStream standardError = System.err;
  private Terminal.Size size = new Terminal.Size(80, 24);

  @AfterEach
  void giveBackStandardError() {
    System.setErr(standardError);
  }

  @Test
  void plainLines_tellEventsOnceAndFiguresNowAndThen() {
    PlainLines view = new PlainLines(out);
    for (long elapsedMs = 0; elapsedMs <= 10_000; elapsedMs += 100) {
      view.show(Snapshots.at(DemoPhase.RUNNING, elapsedMs));
    }
    view.show(Snapshots.at(DemoPhase.DONE, 10_100));

    assertThat(text().lines().filter(line -> line.contains("readings/s"))).hasSize(4);
    assertThat(text().lines().filter(line -> line.contains("gateway-travelling")))
        .containsExactly(
            "00:03 gateway-travelling: offline, 1,203 wait, 6 s more",
            "00:09 gateway-travelling is well again: 16,650 not late so far");
    assertThat(text()).contains("00:10 done");
    assertThat(text()).doesNotContain("\u001b");
  }

  @Test
  void liveScreen_drawsOverItself_andShowsAboveWhatOthersSay() {
    LiveScreen view = new LiveScreen(out, () -> size);
    try {
      view.show(Snapshots.at(DemoPhase.RUNNING, 1_000));
      int rows = DemoFrame.of(Snapshots.at(DemoPhase.RUNNING, 1_000), 79, 24).size();
      System.err.println("something is wrong");
      written.reset();
      view.show(Snapshots.at(DemoPhase.RUNNING, 1_200));

      assertThat(text()).contains("\u001b[" + rows + "A");
      assertThat(text()).contains("something is wrong\r\n");
      assertThat(text().indexOf("something")).isLessThan(text().indexOf("weir demo"));
    } finally {
      view.close();
    }
    System.err.println("nothing special");
    assertThat(text()).endsWith("nothing special\n");
  }

  @Test
  void pictured_leavesTheLastStateAsAPicture(@TempDir Path dir) throws Exception {
    Path picture = dir.resolve("demo.svg");
    PicturedView view = new PicturedView(new PlainLines(out), picture);
    view.show(Snapshots.at(DemoPhase.RUNNING, 1_000));
    DemoSnapshot last = Snapshots.at(DemoPhase.DONE, 40_000);
    view.show(last);
    view.close();
    view.close();

    NodeList texts =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(picture.toFile())
            .getElementsByTagName("text");
    String shown =
        IntStream.range(0, texts.getLength())
            .mapToObj(i -> texts.item(i).getTextContent())
            .collect(Collectors.joining());
    String frame =
        DemoFrame.of(last, 110, 40).stream()
            .map(row -> row.text(110))
            .collect(Collectors.joining());
    assertThat(shown.replace(" ", "")).isEqualTo(frame.replace(" ", ""));
  }

  @Test
  void liveScreen_afterTheTerminalChanged_startsAgain() {
    LiveScreen view = new LiveScreen(out, () -> size);
    try {
      view.show(Snapshots.at(DemoPhase.RUNNING, 1_000));
      assertThat(text()).doesNotContain("\u001b[2J");
      size = new Terminal.Size(60, 20);
      view.show(Snapshots.at(DemoPhase.RUNNING, 1_200));
      assertThat(text()).contains("\u001b[2J");
    } finally {
      view.close();
    }
  }

  @Test
  void liveScreen_closed_givesTheCursorBackOnce_andDrawsNoMore() {
    LiveScreen view = new LiveScreen(out, () -> size);
    view.show(Snapshots.at(DemoPhase.RUNNING, 1_000));
    written.reset();

    view.close();
    view.close();
    view.show(Snapshots.at(DemoPhase.RUNNING, 2_000));

    assertThat(text()).isEqualTo("\u001b[?7h\u001b[?25h");
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }
}
