package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.lab.check.GatewayCheck;
import io.weir.lab.check.Rule;
import io.weir.lab.check.RuleResult;
import io.weir.lab.oracle.NaiveWindows;
import io.weir.oracle.SummaryAssert;
import io.weir.topic.SensorPartition;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateways and readers in src/examples, each where this machine can run it. */
class GatewayExamplesTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());

  @TempDir private static Path dir;
  private static RunningWeir weir;

  @AfterAll
  static void stop() {
    if (weir != null) {
      weir.close();
    }
  }

  /** Started by the first test that is not skipped. */
  private static RunningWeir weir() throws IOException {
    if (weir == null) {
      weir = new RunningWeir(dir);
    }
    return weir;
  }

  @Test
  void pythonGateway_thatResends_makesExactWindows() throws Exception {
    String python = Tool.python();
    checkGateway("python", List.of(python, "src/examples/python/gateway.py", descriptors()));
  }

  @Test
  void nodeGateway_thatResends_makesExactWindows() throws Exception {
    String script = Tool.node().resolve("gateway.js").toString();
    checkGateway("node", List.of("node", script, "--proto=proto"));
  }

  @Test
  void gatewayWithConfluentsSerializer_thatResends_makesExactWindows() throws Exception {
    String script = Tool.node().resolve("gateway-confluent.js").toString();
    checkGateway("confluent", List.of("node", script, descriptors(), "--registry=mock://"));
  }

  @Test
  void pythonGateway_thatIsOrdered_keepsWhatItSays() throws Exception {
    String python = Tool.python();
    checkOrdered("python-o", List.of(python, "src/examples/python/gateway.py", descriptors()));
  }

  @Test
  void nodeGateway_thatIsOrdered_keepsWhatItSays() throws Exception {
    String script = Tool.node().resolve("gateway.js").toString();
    checkOrdered("node-o", List.of("node", script, "--proto=proto"));
  }

  @Test
  void gatewayWithConfluentsSerializer_thatIsOrdered_keepsWhatItSays() throws Exception {
    String script = Tool.node().resolve("gateway-confluent.js").toString();
    checkOrdered("confluent-o", List.of("node", script, descriptors(), "--registry=mock://"));
  }

  @Test
  void pythonReader_seesTheLatestSummaries() throws Exception {
    String python = Tool.python();
    GatewayReadings readings = new GatewayReadings("reader", SEED);
    weir().publish("reader", readings.next(3_000));
    Map<NaiveWindows.Key, WindowSummary> summaries =
        weir().summaries("reader", readings.windows().readings());

    Tool.Ended ended =
        Tool.run(
            List.of(
                python,
                "src/examples/python/windows.py",
                descriptors(),
                "--bootstrap-servers=" + weir().bootstrapServers()),
            "");

    assertThat(ended.status()).as(ended.err()).isZero();
    Map<NaiveWindows.Key, WindowSummary> seen = new HashMap<>();
    for (String line : ended.out().lines().toList()) {
      WindowSummary window = summary(line);
      if (window.getSensorId().startsWith("reader/")) {
        seen.put(new NaiveWindows.Key(window.getSensorId(), window.getWindowStartMs()), window);
      }
    }
    assertThat(seen).isEqualTo(summaries);
  }

  @Test
  void pythonReader_countsEachLateReadingOnce_inBothForms() throws Exception {
    checkLateReader(
        "python-copies", List.of(Tool.python(), "src/examples/python/late.py", descriptors()));
  }

  @Test
  void nodeReader_countsEachLateReadingOnce_inBothForms() throws Exception {
    checkLateReader(
        "node-copies", List.of("node", Tool.node().resolve("late.js").toString(), "--proto=proto"));
  }

  /**
   * Two copies of each record, as after a reset, with rows and columns; and one that is no batch.
   * The last offset of each partition is a marker's.
   */
  @Test
  void pythonTableOfSensors_isInWeirsPartitions() throws Exception {
    checkSensors("python.sensors", List.of(Tool.python(), "src/examples/python/sensors.py"));
  }

  @Test
  void nodeTableOfSensors_isInWeirsPartitions() throws Exception {
    checkSensors("node.sensors", List.of("node", Tool.node().resolve("sensors.js").toString()));
  }

  private static void checkSensors(String topic, List<String> program) throws Exception {
    List<String> sensors =
        IntStream.range(0, 200).mapToObj(i -> "boiler-" + i + "/température").toList();
    String lines = String.join("\thall 1\n", sensors) + "\na\tb\tc\n";
    List<String> command =
        with(program, "--bootstrap-servers=" + weir().bootstrapServers(), "--topic=" + topic);
    weir().createTopic(topic, 3);
    assertThat(Tool.run(command, lines).err()).contains("has 3 partitions, not 64");

    command.set(command.size() - 1, "--topic=" + topic + ".64");
    weir().createTopic(topic + ".64", SensorPartition.COUNT);
    Tool.Ended ended = Tool.run(command, lines);

    assertThat(ended.status()).as(ended.err()).isZero();
    Map<String, String> expected = new HashMap<>();
    sensors.forEach(sensor -> expected.put(sensor, "hall 1"));
    expected.put(sensors.get(199), null);
    expected.put("a", "b\tc");
    Map<String, String> found = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : weir().records(topic + ".64")) {
      String sensor = new String(record.key(), StandardCharsets.UTF_8);
      byte[] value = record.value();
      found.put(sensor, value == null ? null : new String(value, StandardCharsets.UTF_8));
      assertThat(record.partition()).as(sensor).isEqualTo(SensorPartition.of(sensor));
    }
    assertThat(found).isEqualTo(expected);
  }

  private static void checkLateReader(String topic, List<String> reader) throws Exception {
    ReadingBatch batch =
        ReadingBatch.newBuilder()
            .addReadings(Reading.newBuilder().setSensorId("a").setTimestampMs(5).setValue(1))
            .addReadings(Reading.newBuilder().setSensorId("a").setTimestampMs(5).setValue(1))
            .addSeries(
                Series.newBuilder()
                    .setSensorId("b")
                    .setStartTimestampMs(5)
                    .addTimestampDeltaMs(0)
                    .addTimestampDeltaMs(1)
                    .addValue(Double.NaN)
                    .addValue(2))
            .build();
    weir().createTopic(topic, 3);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                weir().bootstrapServers(),
                "transactional.id",
                topic,
                "compression.type",
                "gzip"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.initTransactions();
      for (int copy = 0; copy < 3; copy++) {
        producer.beginTransaction();
        for (String source : List.of("7", "8")) {
          producer.send(late(topic, copy < 2 ? source : "12", batch.toByteArray()));
        }
        producer.send(late(topic, "9", new byte[] {1, 2, 3}));
        producer.flush();
        if (copy < 2) {
          producer.commitTransaction();
        } else {
          producer.abortTransaction();
        }
      }
    }

    Tool.Ended ended =
        Tool.run(
            with(reader, "--bootstrap-servers=" + weir().bootstrapServers(), "--topics=" + topic),
            "");

    assertThat(ended.status()).as(ended.err()).isZero();
    assertThat(ended.out().lines())
        .containsExactly(topic + " LATE 8 readings", topic + " LATE 1 records");
  }

  private static ProducerRecord<byte[], byte[]> late(String topic, String source, byte[] value) {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, value);
    record
        .headers()
        .add("__streams.errors.topic", "weir.readings".getBytes(StandardCharsets.UTF_8))
        .add("__streams.errors.partition", "0".getBytes(StandardCharsets.UTF_8))
        .add("__streams.errors.offset", source.getBytes(StandardCharsets.UTF_8));
    return record;
  }

  @Test
  void kcat_sendsABatchAndShowsWhatIsThere() throws Exception {
    Tool.kcat();
    String sensor =
        IntStream.iterate(0, i -> i + 1)
            .mapToObj(i -> "kcat/" + i)
            .filter(id -> SensorPartition.of(id) == 19)
            .findFirst()
            .orElseThrow();
    Files.write(
        dir.resolve("batch.bin"),
        ReadingBatch.newBuilder()
            .addReadings(Reading.newBuilder().setSensorId(sensor).setTimestampMs(1).setValue(2))
            .build()
            .toByteArray());

    List<String> lines = kcatLines();
    assertThat(shell(lines.get(3)).out()).isEmpty();
    assertThat(weir().summaries("kcat", 1)).hasSize(1);
    assertThat(shell(lines.get(0)).out())
        .containsPattern("partition 19 offset \\d+ at \\d+: gateway gateway-7, \\d+ bytes\n");
    assertThat(shell(lines.get(1)).out())
        .containsPattern("\\d+: sensor " + sensor + ", \\d+ bytes\n");
    assertThat(shell(lines.get(2)).out()).doesNotContain("gateway-7");
  }

  /** The lines that the page shows, for this broker. */
  private static List<String> kcatLines() throws IOException {
    String servers = weir().bootstrapServers();
    return Files.readAllLines(Path.of("src/examples/README.md")).stream()
        .filter(line -> line.startsWith("kcat "))
        .map(line -> line.replace("localhost:9092", servers))
        .map(line -> line.replace("batch.bin", dir.resolve("batch.bin").toString()))
        .toList();
  }

  private static Tool.Ended shell(String line) {
    Tool.Ended ended = Tool.run(List.of("sh", "-c", line), "");
    assertThat(ended.status()).as("%s: %s", line, ended.err()).isZero();
    return ended;
  }

  /** The summary in a JSON line. */
  private static WindowSummary summary(String line) throws IOException {
    WindowSummary.Builder summary = WindowSummary.newBuilder();
    try (JsonParser json = new JsonFactory().createParser(line)) {
      json.nextToken();
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String field = json.currentName();
        json.nextToken();
        switch (field) {
          case "sensor_id" -> summary.setSensorId(json.getText());
          case "window_start_ms" -> summary.setWindowStartMs(json.getLongValue());
          case "window_end_ms" -> summary.setWindowEndMs(json.getLongValue());
          case "count" -> summary.setCount(json.getLongValue());
          case "sum" -> summary.setSum(json.getDoubleValue());
          case "min" -> summary.setMin(json.getDoubleValue());
          case "max" -> summary.setMax(json.getDoubleValue());
          case "mean" -> summary.setMean(json.getDoubleValue());
          case "revision" -> summary.setRevision(json.getIntValue());
          case "close_reason" -> summary.setCloseReasonValue(json.getIntValue());
          case "bad_count" -> summary.setBadCount(json.getLongValue());
          case "is_final" -> summary.setIsFinal(json.getBooleanValue());
          default -> throw new AssertionError("a field more: " + field);
        }
      }
    }
    return summary.build();
  }

  /**
   * A gateway that finds no brokers, is started again, and then sends once more what it had sent:
   * its acknowledgement may have been lost.
   */
  private static void checkGateway(String id, List<String> program) throws Exception {
    GatewayReadings readings = new GatewayReadings(id, SEED);
    Path outbox = dir.resolve(id);
    List<String> gateway = new ArrayList<>(program);
    gateway.addAll(List.of("--gateway-id=" + id, "--outbox=" + outbox));
    double duplicatesBefore = weir().duplicates();

    Tool.Ended without =
        Tool.run(
            with(gateway, "--bootstrap-servers=" + nobody(), "--timeout-ms=1000"),
            readings.next(700));
    assertThat(without.status()).as(without.err()).isEqualTo(1);
    Map<String, byte[]> unacknowledged = batches(outbox);
    assertThat(unacknowledged).isNotEmpty();

    List<String> online = with(gateway, "--bootstrap-servers=" + weir().bootstrapServers());
    Tool.Ended second =
        Tool.run(online, readings.next(3_000) + GatewayReadings.BAD_LINES + readings.next(2_000));
    assertThat(second.status()).as(second.err()).isZero();
    assertThat(second.err().lines().filter(line -> line.startsWith("bad line")))
        .hasSameSizeAs(GatewayReadings.BAD_LINES.lines().toList());
    assertThat(batches(outbox)).isEmpty();

    for (Map.Entry<String, byte[]> batch : unacknowledged.entrySet()) {
      Files.write(outbox.resolve(batch.getKey()), batch.getValue());
    }
    Tool.Ended third = Tool.run(online, "");
    assertThat(third.status()).as(third.err()).isZero();
    assertThat(batches(outbox)).isEmpty();

    NaiveWindows expected = readings.windows();
    try {
      SummaryAssert.assertEqual(weir().summaries(id, expected.readings()), expected);
      // More where a gateway or a transaction had to try again.
      assertThat(weir().duplicates() - duplicatesBefore).isGreaterThanOrEqualTo(700);
      assertThat(weir().lateAndDeadLetters()).isZero();
    } catch (AssertionError e) {
      throw new AssertionError("seed " + SEED + " (-Dweir.seed=" + SEED + ")", e);
    }
  }

  /** A gateway with {@code --ordered} that leaves batches behind and is started again. */
  private static void checkOrdered(String id, List<String> program) throws Exception {
    GatewayReadings readings = new GatewayReadings(id, SEED);
    List<String> gateway = with(program, "--ordered", "--gateway-id=" + id);
    gateway.add("--outbox=" + dir.resolve(id));
    String all = inOrderOfTime(readings.next(6_000));
    int cut = all.indexOf('\n', all.length() / 4) + 1;
    Tool.Ended without =
        Tool.run(
            with(gateway, "--bootstrap-servers=" + nobody(), "--timeout-ms=1000"),
            all.substring(0, cut));
    assertThat(without.status()).as(without.err()).isEqualTo(1);
    Tool.Ended online =
        Tool.run(
            with(gateway, "--bootstrap-servers=" + weir().bootstrapServers()), all.substring(cut));
    assertThat(online.status()).as(online.err()).isZero();

    GatewayCheck check = weir().checkOf(id);
    assertThat(check.results())
        .filteredOn(result -> result.rule() == Rule.ATTESTED || result.rule() == Rule.ATTESTED_KEPT)
        .as("seed %d", SEED)
        .hasSize(2)
        .allMatch(RuleResult::isSeen)
        .allMatch(RuleResult::isOk);
    NaiveWindows expected = readings.windows();
    Map<NaiveWindows.Key, WindowSummary> summaries = weir().summaries(id, expected.readings());
    SummaryAssert.assertEqual(summaries, expected);
    assertThat(summaries.values()).anyMatch(WindowSummary::getIsFinal);
  }

  private static String inOrderOfTime(String lines) {
    Pattern time = Pattern.compile("\"timestamp_ms\":(\\d+)");
    return lines
        .lines()
        .sorted(
            Comparator.comparingLong(
                line -> {
                  Matcher found = time.matcher(line);
                  assertThat(found.find()).isTrue();
                  return Long.parseLong(found.group(1));
                }))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static List<String> with(List<String> command, String... more) {
    List<String> longer = new ArrayList<>(command);
    longer.addAll(List.of(more));
    return longer;
  }

  private static String descriptors() throws IOException {
    return "--descriptors=" + weir().descriptors();
  }

  /** Where nobody answers. */
  private static String nobody() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  private static Map<String, byte[]> batches(Path outbox) throws IOException {
    Map<String, byte[]> batches = new HashMap<>();
    try (Stream<Path> files = Files.list(outbox)) {
      for (Path file : files.filter(f -> f.getFileName().toString().contains("-")).toList()) {
        batches.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    return batches;
  }
}
