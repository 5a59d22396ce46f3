package io.weir.internal.serve;

import static io.weir.internal.serve.ServeFixture.alarm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.Await;
import io.weir.topic.Topic;
import io.weir.v1.SensorState;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page in a headless Chromium, where one is installed: each view leaves a screenshot. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PageTest {
  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final String SENSOR = "boiler-3/temperature";
  private static final String HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.exe";

  /** Findings of axe that are serious or critical, with their elements. */
  private static final String SERIOUS =
      """
      axe.run().then(all => all.violations
        .filter(each => ['serious', 'critical'].includes(each.impact))
        .map(each => each.id + ': ' + each.nodes.map(node => node.html).join(' ')))
      """;

  private static final String LONGEST = "W".repeat(256);
  private static final List<String> KINDS =
      List.of("temperature", "pressure", "flow", "vibration", "level", "power");

  @TempDir private static Path profile;

  /** One for all tests: its start takes more CPU than most of them. */
  private static Chromium browser;

  private ServeFixture serve;

  @BeforeEach
  void start() throws IOException {
    Optional<Path> program = Chromium.find();
    assumeTrue(program.isPresent(), "no chromium on the path: PageTest is skipped");
    serve = new ServeFixture(Optional.empty(), 16);
    fill();
    if (browser == null) {
      browser = Chromium.start(program.get(), profile);
    }
    browser.openPage();
  }

  @AfterEach
  void stop() {
    if (browser != null) {
      browser.closePage();
    }
    if (serve != null) {
      serve.close();
    }
  }

  @AfterAll
  static void end() {
    if (browser != null) {
      browser.close();
      browser = null;
    }
  }

  /** A plant of an hour, with silence, alarms, gaps, amendments and refusals. */
  private void fill() throws IOException {
    Random random = new Random(3);
    long nowMs = System.currentTimeMillis() / 10_000 * 10_000;
    serve.nowMs.set(nowMs + 4_000);
    for (int machine = 1; machine <= 9; machine++) {
      for (String kind : KINDS) {
        String id =
            (machine % 3 == 0 ? "boiler-" : machine % 3 == 1 ? "press-" : "line-")
                + machine
                + "/"
                + kind;
        double level = 20 + random.nextInt(80);
        int windows = id.equals(SENSOR) ? 360 : 20;
        for (int i = windows; i > 0; i--) {
          double value = level + 6 * Math.sin(i / 40.0) + random.nextGaussian();
          boolean gap = i > 200 && i < 226;
          if (!gap) {
            serve.window(
                id,
                nowMs - i * 10_000L,
                value - 1.5 * random.nextDouble(),
                value,
                value + 1.5 * random.nextDouble());
          }
        }
        boolean silent = random.nextInt(12) == 0;
        serve.status(
            id, silent ? SensorState.SENSOR_STATE_SILENT : SensorState.SENSOR_STATE_STARTED);
      }
    }
    serve.status(
        SENSOR,
        SensorState.SENSOR_STATE_RESUMED,
        alarm("over-temperature", true, 1),
        alarm("drift", false, 3));
    serve.status("press-4/power", SensorState.SENSOR_STATE_STARTED, alarm("power-high", true, 2));
    serve.window(HOSTILE, nowMs - 20_000, 1, 2);
    serve.status(HOSTILE, SensorState.SENSOR_STATE_SILENT, alarm(HOSTILE, true, 0));
    serve.window(LONGEST, nowMs - 20_000, 1, 2);
    serve.status(
        LONGEST,
        SensorState.SENSOR_STATE_SILENT,
        alarm("over-temperature-" + "w".repeat(100), true, 0));
    serve.window(SENSOR, nowMs - 300_000, 40, 60);
    serve.letter(
        Topic.DEAD_LETTERS,
        "FUTURE_TIMESTAMP",
        SENSOR,
        letter(
            "FUTURE_TIMESTAMP",
            SENSOR,
            "timestamp_ms is later than the append time by 2 h 14 min"));
    serve.letter(
        Topic.DEAD_LETTERS,
        "INVALID_VALUE",
        HOSTILE,
        letter("INVALID_VALUE", HOSTILE, "value is NaN or infinite: " + HOSTILE));
    serve.letter(Topic.LATE, "LATE", SENSOR, letter("LATE", SENSOR, "window closed 42 s before"));
    for (int partition = 0; partition < 64; partition++) {
      serve.positions.put(
          partition, new TopicReader.Position(12_000 + random.nextInt(3_000), nowMs, 0));
    }
    serve.findings =
        new ObjectMapper()
            .writeValueAsString(
                Map.of(
                    "findings",
                    List.of(
                        Map.of(
                            "severity",
                            "RISK",
                            "check",
                            "replicas",
                            "what",
                            "weir.windows has 1 replica",
                            "why",
                            "one broker that is lost loses windows",
                            "remedy",
                            "weir topics --replication-factor 3, with three brokers")),
                    "not_looked",
                    List.of("processes: need --doctor-url http://HOST:8080")));
  }

  private static String letter(String reason, String sensor, String message)
      throws JsonProcessingException {
    return new ObjectMapper()
        .writeValueAsString(
            Map.of(
                "gateway_id",
                "line-7",
                "readings",
                List.of(Map.of("sensor_id", sensor, "timestamp_ms", 1, "value", 71.5)),
                "headers",
                Map.of(
                    "weir.reason",
                    reason,
                    "weir.gateway",
                    "line-7",
                    "__streams.errors.message",
                    message),
                "topic",
                "weir.dead-letters",
                "partition",
                3,
                "offset",
                17));
  }

  private static String hash(String view) {
    return switch (view) {
      case "sensor" -> "#/s/" + URLEncoder.encode(SENSOR, StandardCharsets.UTF_8);
      case "hostile" ->
          "#/s/" + URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8).replace("+", "%20");
      case "longest" -> "#/s/" + LONGEST;
      case "late" -> "#/refused?kind=late";
      case "overview" -> "#/";
      case "why" ->
          "#/why?start=1800000000000&id=" + URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8);
      default -> "#/" + view;
    };
  }

  @ParameterizedTest
  @CsvSource({
    "overview,.panel:nth-child(1) tbody tr",
    "sensors,.cards tbody tr",
    "sensor,tbody tr",
    "alarms,.cards tbody tr",
    "refused,.letter",
    "health,.finding",
    "why,.cards tbody tr",
    "hostile,tbody tr",
    "longest,tbody tr",
    "late,.letter"
  })
  void view_isDrawn_atBothWidthsAndThemes(String view, String ready) throws Exception {
    for (int width : new int[] {360, 1_280}) {
      for (boolean dark : new boolean[] {false, true}) {
        awaitStreamsOfPagesBefore();
        browser.show(serve.uri("/").toString() + hash(view), width, width < 600 ? 780 : 860, dark);
        browser.await(
            "!!document.querySelector('main "
                + ready
                + "') && !!document.querySelector('#live.on')");
        browser.screenshot(
            PICTURES.resolve("%s-%d-%s.png".formatted(view, width, dark ? "dark" : "light")), true);
        assertThat(browser.value("document.documentElement.scrollWidth").asInt())
            .as(view + " at " + width)
            .isLessThanOrEqualTo(width);
        assertThat(
                browser.value("document.querySelectorAll('main img, main script').length").asInt())
            .isZero();
        assertThat(browser.value("document.body.innerText.includes('\\u202e')").asBoolean())
            .isFalse();
      }
    }
    assertThat(browser.errors()).isEmpty();
    assertThat(browser.requests())
        .isNotEmpty()
        .allMatch(url -> url.startsWith(serve.uri("/").toString()) || url.equals("about:blank"));
  }

  @ParameterizedTest
  @CsvSource({
    "overview,.panel:nth-child(1) tbody tr",
    "sensors,.cards tbody tr",
    "sensor,tbody tr",
    "alarms,.cards tbody tr",
    "refused,.letter",
    "health,.finding",
    "why,.cards tbody tr"
  })
  void axe_findsNothingSerious(String view, String ready) throws Exception {
    Optional<Path> axe = axe();
    assumeTrue(axe.isPresent(), "no axe-core of npm: set WEIR_AXE to its axe.min.js");
    for (boolean dark : new boolean[] {false, true}) {
      for (int width : new int[] {360, 1_280}) {
        awaitStreamsOfPagesBefore();
        browser.show(serve.uri("/").toString() + hash(view), width, 860, dark);
        browser.await("!!document.querySelector('main " + ready + "')");
        browser.value(Files.readString(axe.get()) + "; true");
        assertThat(browser.value(SERIOUS).toString()).as(view + " at " + width).isEqualTo("[]");
      }
    }
  }

  /** A stream whose page has gone counts until the server has written to it: at most 8 a client. */
  private void awaitStreamsOfPagesBefore() {
    Await.until(() -> serve.streams.open() < EventStreams.A_CLIENT / 2);
  }

  private static Optional<Path> axe() {
    return Stream.of(
            System.getenv().getOrDefault("WEIR_AXE", ""),
            "target/npm/node_modules/axe-core/axe.min.js",
            "/usr/local/lib/node_modules/axe-core/axe.min.js",
            "/usr/lib/node_modules/axe-core/axe.min.js",
            "/usr/share/nodejs/axe-core/axe.min.js")
        .map(Path::of)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  @Test
  void keyboard_searches_andMovesAlongTheChart() {
    browser.show(serve.uri("/").toString(), 1_280, 860, false);
    browser.await("!!document.querySelector('main .cards')");
    browser.press("/");
    assertThat(browser.value("document.activeElement.id").asText()).isEqualTo("search");
    for (char c : "boiler-3/t".toCharArray()) {
      browser.press(String.valueOf(c));
    }
    browser.await(
        "location.hash.includes('boiler-3') && document.querySelectorAll('main tbody tr').length === 1");

    browser.show(serve.uri("/").toString() + hash("sensor"), 1_280, 860, false);
    browser.await("!!document.querySelector('main tbody tr')");
    browser.value("document.querySelector('main canvas').focus()");
    browser.press("Home");
    String first = browser.value("document.querySelector('.readout').textContent").asText();
    browser.press("ArrowRight");
    assertThat(browser.value("document.querySelector('.readout').textContent").asText())
        .contains("mean")
        .isNotEqualTo(first);
  }

  /** Rollups have a chart and explanations too; the address keeps the choice. */
  @Test
  void sensor_isShownInWindowsOfAnotherSize() {
    long nowMs = System.currentTimeMillis() / 60_000 * 60_000;
    serve.rollup(SENSOR, nowMs - 120_000, 60_000, 71.234567891);
    serve.rollup(SENSOR, nowMs - 60_000, 60_000, 72);
    browser.show(serve.uri("/").toString() + hash("sensor"), 360, 780, false);
    browser.await("document.querySelectorAll('main select:not([hidden]) option').length === 3");
    browser.value(
        "(select => { select.value = '60000ms'; select.dispatchEvent(new Event('change')); })"
            + "(document.querySelector('main select'))");
    browser.await(
        "location.hash.includes('size=60000ms')"
            + " && document.querySelectorAll('main tbody tr').length === 2");
    String mean = "document.querySelector('main tbody tr:nth-child(2) td[data-name=mean]')";
    assertThat(browser.value(mean + ".textContent").asText()).isEqualTo("71.2346");
    browser.value(mean + ".click()");
    assertThat(browser.value(mean + ".textContent").asText()).isEqualTo("71.234567891");
    browser.value("document.querySelector('main tbody a').click()");
    browser.await(
        "location.hash.startsWith('#/why') && location.hash.includes('size=60000ms')"
            + " && !!document.querySelector('main .cards')");
    assertThat(browser.errors()).isEmpty();
  }

  /** A hundred rows are in the page, and its address leads to the same ones. */
  @Test
  void listOfSensors_keepsItsPageInTheAddress() {
    for (int i = 0; i < 250; i++) {
      serve.window("many-%03d".formatted(i), System.currentTimeMillis() - 20_000, i);
    }
    browser.show(serve.uri("/") + "#/sensors?prefix=many", 1_280, 860, false);
    browser.await("document.querySelectorAll('main tbody tr').length === 100");
    browser.value("[...document.querySelectorAll('main button')].at(-1).click()");
    String first = "document.querySelector('main tbody td').textContent";
    browser.await(first + " === 'many-100' && location.hash.includes('page=1')");
    String address = browser.value("location.href").asText();
    browser.show(address, 1_280, 860, false);
    browser.await(
        "!!document.querySelector('main tbody td') && "
            + first
            + " === 'many-100' && document.querySelectorAll('main tr').length === 101");
  }

  /** Tab reaches the first and the last element of each view that can be used, and leaves it. */
  @ParameterizedTest
  @CsvSource({
    "overview,.panel:nth-child(1) tbody tr",
    "sensors,.cards tbody tr",
    "sensor,tbody tr",
    "alarms,.cards tbody tr",
    "refused,.letter",
    "health,.finding",
    "why,.cards tbody tr"
  })
  void keyboard_goesThroughEachView(String view, String ready) {
    awaitStreamsOfPagesBefore();
    browser.show(serve.uri("/").toString() + hash(view), 1_280, 860, false);
    browser.await("!!document.querySelector('main " + ready + "')");
    String all =
        "[...document.querySelectorAll('a[href], button:not([disabled]), input, select,"
            + " summary, canvas[tabindex]')].filter(each => each.getClientRects().length)";
    int count = browser.value(all + ".length").asInt();
    browser.value("document.body.focus()");
    Set<String> reached = new HashSet<>();
    for (int i = 0; i < count + 3; i++) {
      browser.press("Tab");
      reached.add(browser.value("document.activeElement.outerHTML").asText());
    }
    assertThat(reached)
        .as(view)
        .contains(browser.value(all + "[0].outerHTML").asText())
        .contains(browser.value(all + ".at(-1).outerHTML").asText());
    assertThat(reached.size()).as(view).isGreaterThan(count / 2);
  }

  /** A tab that is not seen leaves the connections to others. */
  @Test
  void hiddenTab_hasNoStream() {
    awaitStreamsOfPagesBefore();
    browser.show(serve.uri("/").toString(), 1_280, 860, false);
    browser.await("!!document.querySelector('#live.on')");
    Await.until(() -> serve.streams.open() > 0);
    hide(true);
    Await.until(() -> serve.streams.open() == 0);
    hide(false);
    Await.until(() -> serve.streams.open() > 0);
  }

  private void hide(boolean hidden) {
    browser.value(
        "Object.defineProperty(document, 'hidden', {configurable: true, value: "
            + hidden
            + "}); document.dispatchEvent(new Event('visibilitychange'))");
  }

  @Test
  void dataThatIsStale_isSaid() {
    browser.show(serve.uri("/").toString(), 360, 780, false);
    browser.await("!!document.querySelector('#live.on')");
    serve.connected = false;
    browser.await("!document.getElementById('stale').hidden");
    assertThat(browser.value("document.getElementById('stale').textContent").asText())
        .contains("Kafka", "as of");
    serve.connected = true;
    browser.await("document.getElementById('stale').hidden");
  }
}
