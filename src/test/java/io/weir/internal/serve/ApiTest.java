package io.weir.internal.serve;

import static io.weir.internal.serve.ServeFixture.NOW_MS;
import static io.weir.internal.serve.ServeFixture.SIZE_MS;
import static io.weir.internal.serve.ServeFixture.alarm;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.Seeds;
import io.weir.internal.serve.memory.Stored;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of each path, over HTTP. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ApiTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long START_MS = NOW_MS - 600_000;

  /** Script, a text that turns the direction, and quotes. */
  private static final String HOSTILE = "<img src=x onerror=alert(1)>\u202e\"'\\/\u0000é😀";

  private ServeFixture serve;

  @BeforeEach
  void start() throws IOException {
    serve = new ServeFixture(Optional.empty(), 16);
  }

  @AfterEach
  void stop() {
    serve.close();
  }

  private JsonNode ok(String path) throws Exception {
    HttpResponse<String> response = serve.get("/api/v1/" + path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
    return JSON.readTree(response.body());
  }

  private JsonNode problem(int status, String path) throws Exception {
    HttpResponse<String> response = serve.get(path);
    assertThat(response.statusCode()).as(path + " " + response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    JsonNode body = JSON.readTree(response.body());
    assertThat(body.get("status").asInt()).isEqualTo(status);
    assertThat(body.get("type").asText()).isEqualTo("about:blank");
    assertThat(body.get("title").asText()).isNotEmpty();
    assertThat(body.get("detail").asText()).isNotEmpty();
    return body;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static List<String> texts(JsonNode array, String field) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.get(field).asText()));
    return texts;
  }

  @Test
  void overview_countsSensorsAlarmsAndRates() throws Exception {
    serve.status("a/1", SensorState.SENSOR_STATE_STARTED, alarm("hot", true, 2));
    serve.status("a/2", SensorState.SENSOR_STATE_SILENT);
    serve.window("a/1", NOW_MS - 15_000, 1, 2, 3);
    serve.letter(Topic.DEAD_LETTERS, "INVALID_VALUE", "a/1", "{}");
    serve.letter(Topic.LATE, "LATE", "a/1", "{}");

    JsonNode all = ok("overview");

    assertThat(all.at("/sensors/started").asInt()).isEqualTo(1);
    assertThat(all.at("/sensors/silent").asInt()).isEqualTo(1);
    assertThat(all.at("/alarms/2").asInt()).isEqualTo(1);
    assertThat(all.get("readings_per_s")).hasSize(60);
    assertThat(all.get("readings_per_s").get(55).asInt()).isEqualTo(3);
    assertThat(all.get("windows_per_s").asDouble()).isEqualTo(0.1);
    assertThat(all.get("late_per_s").asDouble()).isEqualTo(0.5);
    assertThat(all.at("/dead_letters_per_s/INVALID_VALUE").asDouble()).isEqualTo(0.5);
    assertThat(all.at("/newest/0/sensor_id").asText()).isEqualTo("a/1");
    assertThat(all.at("/newest/0/count").asInt()).isEqualTo(3);
    assertThat(all.get("lag_ms").asInt()).isEqualTo(400);
    assertThat(all.get("as_of_ms").asLong()).isEqualTo(NOW_MS);
    assertThat(all.get("connected").asBoolean()).isTrue();
    assertThat(all.get("history_from_ms").asLong()).isEqualTo(NOW_MS - 15_000 + SIZE_MS + 500);
    assertThat(all.at("/partitions/0/partition").asInt()).isEqualTo(7);
    assertThat(all.at("/partitions/0/offset").asInt()).isEqualTo(12);
  }

  /** One such record would take the list of sensors away for as long as the topic holds it. */
  @Test
  void statusOfAStateThatIsNotKnown_isListed() throws Exception {
    SensorStatus status = SensorStatus.newBuilder().setSensorId("a/0").setStateValue(99).build();
    serve.memory.status(new Stored(Topic.STATUS, 0, 0, NOW_MS, status.toByteArray()), status);
    serve.status("a/1", SensorState.SENSOR_STATE_STARTED);
    assertThat(texts(ok("sensors?prefix=a/").get("sensors"), "state"))
        .containsExactly("unrecognized", "started");
    assertThat(ok("status?prefix=a/").get("status")).hasSize(2);
    assertThat(ok("overview").at("/sensors/started").asInt()).isEqualTo(1);
  }

  @Test
  void sensors_haveStateNewestAndAlarms_pageByPage() throws Exception {
    for (int i = 0; i < 5; i++) {
      serve.window("b/" + i, START_MS, i);
    }
    serve.status("b/3", SensorState.SENSOR_STATE_STARTED, alarm("hot", true, 2));

    JsonNode first = ok("sensors?prefix=b/&limit=3");
    assertThat(texts(first.get("sensors"), "sensor_id")).containsExactly("b/0", "b/1", "b/2");
    assertThat(first.get("total").asInt()).isEqualTo(5);
    JsonNode second = ok(first.get("next").asText().substring("/api/v1/".length()));
    assertThat(texts(second.get("sensors"), "sensor_id")).containsExactly("b/3", "b/4");
    assertThat(second.get("next").isNull()).isTrue();
    JsonNode alarmed = second.get("sensors").get(0);
    assertThat(alarmed.get("state").asText()).isEqualTo("started");
    assertThat(alarmed.get("group").asText()).isEqualTo("b");
    assertThat(alarmed.at("/alarms/0/rule").asText()).isEqualTo("hot");
    assertThat(alarmed.at("/newest/sum").asDouble()).isEqualTo(3);
    assertThat(alarmed.at("/newest/topic").asText()).isEqualTo("weir.windows");
    assertThat(texts(ok("sensors?alarm=active").get("sensors"), "sensor_id"))
        .containsExactly("b/3");
    assertThat(texts(ok("sensors?state=started&q=3&group=b").get("sensors"), "sensor_id"))
        .containsExactly("b/3");
    assertThat(ok("sensors?group=other").get("sensors")).isEmpty();
  }

  @Test
  void sensor_isOneOfThese_or404() throws Exception {
    serve.window("a", START_MS, 1);
    assertThat(ok("sensor?id=a").get("sensor_id").asText()).isEqualTo("a");
    problem(404, "/api/v1/sensor?id=b");
    assertThat(problem(400, "/api/v1/sensor").get("parameter").asText()).isEqualTo("id");
  }

  @Test
  void windows_areTheValidOnes_byTime_asObjectsAndColumns() throws Exception {
    serve.window("a", START_MS, 1);
    serve.window("a", START_MS + SIZE_MS, 2, 4);
    serve.window("a", START_MS, 1, 9);

    JsonNode objects = ok("windows?id=a");
    assertThat(objects.get("size_ms").asLong()).isEqualTo(SIZE_MS);
    assertThat(objects.get("source").asText()).isEqualTo("memory");
    assertThat(texts(objects.get("windows"), "sum")).containsExactly("10.0", "6.0");
    assertThat(texts(ok("windows?id=a&limit=1").get("windows"), "sum")).containsExactly("10.0");
    String next = ok("windows?id=a&limit=1").get("next").asText();
    assertThat(texts(ok(next.substring(8)).get("windows"), "sum")).containsExactly("6.0");

    JsonNode columns = ok("windows?id=a&form=columns").get("windows");
    assertThat(columns.get("start_ms").toString())
        .isEqualTo("[" + START_MS + "," + (START_MS + SIZE_MS) + "]");
    assertThat(columns.get("mean").toString()).isEqualTo("[5.0,3.0]");
    assertThat(columns.get("max").toString()).isEqualTo("[9.0,4.0]");
    assertThat(columns.get("count").toString()).isEqualTo("[2,2]");
    JsonNode merged = ok("windows?id=a&form=columns&points=1").get("windows");
    assertThat(merged.get("min").toString()).isEqualTo("[1.0]");
    assertThat(merged.get("max").toString()).isEqualTo("[9.0]");
    assertThat(merged.get("count").toString()).isEqualTo("[4]");
    assertThat(merged.get("mean").toString()).isEqualTo("[4.0]");
  }

  /** How far it has read, each batch, and then the answer that JSON is too. */
  @Test
  void explanation_comesAsEvents_toWhomAsksForThem() throws Exception {
    String path = "/api/v1/explain?id=boiler-3%2Ftemperature&start=1800000000000";
    HttpResponse<String> answer = serve.get(path, "Accept", "text/event-stream");
    assertThat(answer.statusCode()).isEqualTo(200);
    List<String> names = new ArrayList<>();
    List<JsonNode> data = new ArrayList<>();
    for (String line : answer.body().lines().toList()) {
      if (line.startsWith("event: ")) {
        names.add(line.substring(7));
      } else if (line.startsWith("data: ")) {
        data.add(JSON.readTree(line.substring(6)));
      }
    }
    assertThat(names).containsExactly("progress", "progress", "row", "row", "result");
    assertThat(data.get(1).toString())
        .isEqualTo("{\"topic\":\"readings\",\"records\":70000,\"bytes\":4194304}");
    assertThat(data.get(3).get("verdict").asText()).isEqualTo("duplicate of 812");
    assertThat(data.get(4)).isEqualTo(ok(path.substring(8)));
  }

  /** The answer has begun when it is known. */
  @Test
  void explanationThatFails_isAnEventToo_andWrongParametersAreAnAnswer() throws Exception {
    String path = "/api/v1/explain?id=busy&start=1";
    assertThat(serve.get(path, "Accept", "text/event-stream").body())
        .contains("event: problem\ndata: {\"type\":\"about:blank\",")
        .contains("others ask for explanations now");
    assertThat(serve.get("/api/v1/explain?id=a", "Accept", "text/event-stream").statusCode())
        .isEqualTo(400);
    assertThat(serve.streams.open()).isZero();
  }

  @Test
  void explain_hasBatchesEmissionsAndVerdict() throws Exception {
    JsonNode answer = ok("explain?id=boiler-3%2Ftemperature&start=1800000000000");

    assertThat(answer.path("verdict").asText()).isEqualTo("matches");
    assertThat(answer.path("batches").findValuesAsText("verdict"))
        .containsExactly("counted", "duplicate of 812");
    assertThat(answer.path("emissions").path(0).path("sum").asDouble()).isEqualTo(70.5);
    assertThat(answer.path("recomputed").path("count").asInt()).isEqualTo(1);
    assertThat(serve.get("/api/v1/explain?id=a").statusCode()).isEqualTo(400);
    assertThat(serve.get("/api/v1/explain?start=1").statusCode()).isEqualTo(400);
    assertThat(serve.get("/api/v1/explain?id=a&start=1&size=x").statusCode()).isEqualTo(400);
  }

  @Test
  void windows_ofSpanAndSize_andSayWhetherSomeMayBeMissing() throws Exception {
    for (int i = 0; i < 20; i++) {
      serve.window("a", START_MS + i * SIZE_MS, i);
    }
    long from = START_MS + 12 * SIZE_MS;
    JsonNode some = ok("windows?id=a&from=" + from + "&to=" + (from + 2 * SIZE_MS));
    assertThat(texts(some.get("windows"), "sum")).containsExactly("12.0", "13.0");
    assertThat(some.get("complete").asBoolean()).isTrue();
    assertThat(ok("windows?id=a&from=0").get("complete").asBoolean()).isFalse();
    assertThat(ok("windows?id=a&size=1h").get("windows")).isEmpty();
    assertThat(ok("windows?id=a&size=10s&from=2027-01-15T07:51:40Z").get("windows")).isNotEmpty();
    assertThat(ok("windows?id=nobody").get("windows")).isEmpty();
  }

  @Test
  void windowsWithoutReadings_haveNoMean() throws Exception {
    serve.window("a", START_MS);
    assertThat(ok("windows?id=a&form=columns").at("/windows/mean").toString()).isEqualTo("[null]");
  }

  @Test
  void groups_haveCountsAndSummaries() throws Exception {
    serve.window("g/1", START_MS, 1);
    serve.status("g/1", SensorState.SENSOR_STATE_SILENT, alarm("hot", true, 1));
    serve.group("g", START_MS);
    serve.group("h", START_MS);

    JsonNode groups = ok("groups?limit=1");
    assertThat(groups.at("/groups/0/group").asText()).isEqualTo("g");
    assertThat(groups.at("/groups/0/sensors").asInt()).isEqualTo(1);
    assertThat(groups.at("/groups/0/silent").asInt()).isEqualTo(1);
    assertThat(groups.at("/groups/0/alarms").asInt()).isEqualTo(1);
    assertThat(groups.at("/groups/0/newest/count").asInt()).isEqualTo(4);
    assertThat(texts(ok(groups.get("next").asText().substring(8)).get("groups"), "group"))
        .containsExactly("h");
    assertThat(ok("group?id=g").get("windows")).hasSize(1);
    problem(404, "/api/v1/group?id=x");
  }

  @Test
  void alarms_activeFirst_thenByPriority() throws Exception {
    serve.status(
        "a", SensorState.SENSOR_STATE_STARTED, alarm("low", true, 5), alarm("x", false, 0));
    serve.status("b", SensorState.SENSOR_STATE_STARTED, alarm("high", true, 1));

    JsonNode alarms = ok("alarms");
    assertThat(texts(alarms.get("alarms"), "rule")).containsExactly("high", "low", "x");
    assertThat(alarms.at("/alarms/0/sensor_id").asText()).isEqualTo("b");
    assertThat(texts(ok("alarms?active=true&priority=5").get("alarms"), "rule"))
        .containsExactly("low");
    assertThat(texts(ok("alarms?prefix=b&rule=high").get("alarms"), "rule"))
        .containsExactly("high");
    String next = ok("alarms?limit=2").get("next").asText();
    assertThat(texts(ok(next.substring(8)).get("alarms"), "rule")).containsExactly("x");
  }

  @Test
  void status_isAsTailPrintsIt() throws Exception {
    serve.status("a", SensorState.SENSOR_STATE_SILENT);
    serve.window("b", START_MS, 1);
    JsonNode status = ok("status?state=silent");
    assertThat(status.at("/status/0/state").asText()).isEqualTo("SENSOR_STATE_SILENT");
    assertThat(status.get("status")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"LATE", "DEAD_LETTERS"})
  void letters_areNewestFirst_andFiltered(Topic topic) throws Exception {
    for (int i = 0; i < 3; i++) {
      serve.letter(topic, "R" + i, "s" + i, "{\"n\":" + i + "}");
    }
    JsonNode all = ok(topic.text() + "?limit=2");
    assertThat(all.at("/records/0/record/n").asInt()).isEqualTo(2);
    JsonNode rest = ok(all.get("next").asText().substring(8));
    assertThat(rest.at("/records/0/record/n").asInt()).isZero();
    assertThat(rest.get("next").isNull()).isTrue();
    assertThat(ok(topic.text() + "?reason=R1&gateway=line-7&sensor=s1").get("records")).hasSize(1);
    assertThat(ok(topic.text() + "?sensor=s9").get("records")).isEmpty();
    assertThat(ok(topic.text() + "?from=" + NOW_MS).get("records")).isEmpty();
  }

  @Test
  void doctor_isThere_orComesLater() throws Exception {
    assertThat(ok("doctor").get("findings")).isEmpty();
    serve.connected = false;
    problem(503, "/api/v1/doctor");
    assertThat(serve.get("/api/v1/doctor").headers().firstValue("Retry-After")).isPresent();
  }

  @Test
  void hostileIds_comeBackAsTheyAre_andNeverAsMarkup() throws Exception {
    String longest = "é".repeat(128);
    serve.window(HOSTILE, START_MS, 1);
    serve.window(longest, START_MS, 1);
    JsonNode found = ok("sensor?id=" + encoded(HOSTILE));
    assertThat(found.get("sensor_id").asText()).isEqualTo(HOSTILE);
    assertThat(ok("windows?id=" + encoded(HOSTILE)).get("windows")).hasSize(1);
    assertThat(ok("sensor?id=" + encoded(longest)).get("sensor_id").asText()).isEqualTo(longest);
    assertThat(texts(ok("sensors?prefix=" + encoded("<img")).get("sensors"), "sensor_id"))
        .containsExactly(HOSTILE);
    HttpResponse<String> raw = serve.get("/api/v1/sensor?id=" + encoded(HOSTILE));
    assertThat(raw.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sensors?limit=0",
        "sensors?limit=1001",
        "sensors?limit=-1",
        "sensors?limit=1e3",
        "sensors?limit=99999999999999999999",
        "sensors?unknown=1",
        "sensors?prefix=a&prefix=b",
        "sensors?state=asleep",
        "sensors?alarm=no",
        "sensors?prefix=%ff",
        "sensors?prefix=%c0%af",
        "overview?x",
        "windows",
        "windows?id=a&from=yesterday",
        "windows?id=a&from=-1",
        "windows?id=a&size=ten",
        "windows?id=a&size=99999999999999999d",
        "windows?id=a&points=1",
        "windows?id=a&form=xml",
        "windows?id=a&form=columns&points=5001",
        "windows?id=a&after=x",
        "alarms?active=perhaps",
        "alarms?priority=x",
        "late?from=x",
        "stream",
        "stream?view=everything",
        "stream?view=sensors&limit=0",
        "stream?id=a&x=1"
      })
  void wrongParameters_areProblemsThatNameThem(String path) throws Exception {
    assertThat(problem(400, "/api/v1/" + path).get("parameter").asText()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v2/overview",
        "/api/v1/sensors/",
        "/favicon.ico",
        "/assets/",
        "/assets/../index.html",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/web/app.js",
        "/..%2f..%2fetc/passwd",
        "/index.html",
        "/assets/x/app.js",
        "//etc/passwd"
      })
  void otherPaths_areNotFound(String path) throws Exception {
    problem(404, path);
  }

  /** Whatever is asked, the answer is whole: 200, or a problem below 500. */
  @Test
  void anyQuery_isAnsweredWhole() throws Exception {
    serve.window("a", START_MS, 1);
    Seeds.forEach(4, this::ask100);
  }

  private void ask100(Random random) throws Exception {
    List<String> paths =
        List.of(
            "overview",
            "sensors",
            "sensor",
            "windows",
            "groups",
            "group",
            "status",
            "alarms",
            "late",
            "dead-letters");
    List<String> names =
        List.of(
            "id", "prefix", "q", "state", "after", "limit", "from", "to", "size", "points", "form",
            "reason");
    List<String> values =
        List.of(
            "",
            "a",
            "0",
            "1",
            "-1h",
            "-9999999999999d",
            "9223372036854775807",
            "columns",
            "%00",
            "%e2%80%ae",
            "%f0%9f%98%80",
            "1s",
            "999999999999999999",
            "silent",
            "..%2f");
    for (int i = 0; i < 100; i++) {
      StringBuilder path = new StringBuilder("/api/v1/" + any(paths, random) + "?");
      for (int j = random.nextInt(4); j >= 0; j--) {
        path.append(any(names, random)).append('=').append(any(values, random)).append('&');
      }
      path.setLength(path.length() - 1);
      HttpResponse<String> response = serve.get(path.toString());
      assertThat(response.statusCode()).as(path + " " + response.body()).isIn(200, 400, 404);
      assertThat(JSON.readTree(response.body()).isObject()).isTrue();
    }
  }

  private static String any(List<String> some, Random random) {
    return some.get(random.nextInt(some.size()));
  }

  @Test
  void partition_ofASensor_isInItsRecords() throws Exception {
    serve.window("a", START_MS, 1);
    assertThat(ok("sensor?id=a").at("/newest/partition").asInt())
        .isEqualTo(SensorPartition.of("a"));
  }
}
