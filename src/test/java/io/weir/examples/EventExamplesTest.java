package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.weir.edge.EventPublisher;
import io.weir.v1.FoldedEvent;
import io.weir.v1.FoldedField;
import io.weir.v1.Value;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs in src/examples that publish events, with {@code weir events} behind them. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class EventExamplesTest {
  private static final int EVENTS = 2_500;
  private static final int KEYS = 50;
  private static final List<String> BAD_LINES =
      List.of(
          "rubbish",
          "[]",
          "{\"timestamp_ms\":1700000000000}",
          "{\"key\":\"python/bad\"}",
          "{\"key\":\"python/bad\",\"timestamp_ms\":true}",
          "{\"key\":\"python/bad\",\"timestamp_ms\":-1}",
          "{\"key\":\"python/bad\",\"timestamp_ms\":1,\"fields\":{\"a\":[1]}}",
          "{\"key\":\"python/bad\",\"timestamp_ms\":1,\"fields\":{\"a\":NaN}}",
          "{\"key\":\"python/bad\",\"timestamp_ms\":1,\"unknown\":1}",
          "{\"key\":\"\\ud800\",\"timestamp_ms\":1}",
          "{\"key\":\"" + "k".repeat(257) + "\",\"timestamp_ms\":1}",
          "{\"key\":\"python/bad\",\"due_ms\":1,\"every_ms\":999}",
          "{\"key\":\"python/bad\",\"timestamp_ms\":1,\"fie");

  @TempDir private static Path dir;
  private static RunningEvents weir;

  @AfterAll
  static void stop() {
    if (weir != null) {
      weir.close();
    }
  }

  /** Started by the first test that is not skipped. */
  private static RunningEvents weir() {
    if (weir == null) {
      weir = new RunningEvents(dir);
    }
    return weir;
  }

  /** What happened, what was replaced and comes once, and 500 events that became one. */
  @Test
  void javaProgram_publishesSchedulesCancelsAndFolds() throws Exception {
    Path classes = compile(Path.of("src/examples/java/publishing/PublishEvents.java"));
    Tool.Ended ended =
        Tool.run(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                "publishing.PublishEvents",
                weir().bootstrapServers(),
                dir.resolve("java").toString()),
            "");
    assertThat(ended.status()).as(ended.err()).isZero();

    List<FoldedEvent> folds = weir().folds("line-1", 3);
    assertThat(folds.stream().mapToLong(FoldedEvent::getEventCount).sum()).isEqualTo(3);
    assertThat(last(folds, "recipe").getStringValue()).isEqualTo("B7");
    assertThat(last(folds, "good").getInt64Value()).isEqualTo(499);
    assertThat(last(folds, "scrap").getInt64Value()).isEqualTo(500);
    assertThat(weir().fired("line-1")).containsExactly("temperature");
    assertThat(weir().deadLetters()).isZero();
  }

  /** It finds no brokers, is started again, and then sends once more what it had sent. */
  @Test
  void pythonProgram_thatResends_publishesEachEventOnce() throws Exception {
    List<String> program = python();
    Tool.Ended without = run(program, nobody(), lines(0, 700), "--timeout-ms=1000");
    assertThat(without.status()).as(without.err()).isEqualTo(1);
    Map<Path, byte[]> unacknowledged = batches(dir.resolve("python"));
    assertThat(unacknowledged).isNotEmpty();

    String servers = weir().bootstrapServers();
    String more = lines(700, EVENTS) + String.join("\n", BAD_LINES) + "\n" + kinds() + timers();
    Tool.Ended online = run(program, servers, more, "--timeout-ms=120000");
    assertThat(online.status()).as(online.err()).isZero();
    assertThat(online.err().lines().filter(line -> line.startsWith("bad line")))
        .hasSameSizeAs(BAD_LINES);
    assertThat(batches(dir.resolve("python"))).isEmpty();
    for (Map.Entry<Path, byte[]> batch : unacknowledged.entrySet()) {
      Files.write(batch.getKey(), batch.getValue());
    }
    Tool.Ended again =
        run(program, servers, "{\"key\":\"python/end\",\"timestamp_ms\":1}", "--timeout-ms=120000");
    assertThat(again.status()).as(again.err()).isZero();

    List<FoldedEvent> folds = weir().folds("python/", EVENTS + 5);
    assertThat(folds.stream().mapToLong(FoldedEvent::getEventCount).sum()).isEqualTo(EVENTS + 5);
    checkLast(folds);
    checkKinds(folds);
    assertThat(weir().fired("python/")).containsExactlyInAnyOrder("past", "replaced", "bare");
    assertThat(weir().deadLetters()).isZero();
  }

  private static List<String> python() {
    return List.of(
        Tool.python(),
        "src/examples/python/events.py",
        "--descriptors=proto/weir/v1/weir.v1.binpb",
        "--gateway-id=python",
        "--outbox=" + dir.resolve("python"));
  }

  private static Tool.Ended run(
      List<String> program, String servers, String input, String... more) {
    List<String> command = new ArrayList<>(program);
    command.add("--bootstrap-servers=" + servers);
    command.addAll(List.of(more));
    return Tool.run(command, input);
  }

  private static String lines(int from, int to) {
    return Stream.iterate(from, i -> i < to, i -> i + 1)
        .map(
            i ->
                "{\"key\":\"python/é%d\",\"type\":\"count\",\"timestamp_ms\":%d,\"fields\":{\"n\":%d}}%n"
                    .formatted(i % KEYS, 1_700_000_000_000L + i, i))
        .collect(Collectors.joining());
  }

  private static String kinds() {
    return "{\"key\":\"python/kinds\",\"timestamp_ms\":1,\"fields\":{\"int\":9223372036854775807,"
        + "\"large\":9223372036854775808,\"double\":0.5,\"bool\":true,\"text\":\"\\u0000é\","
        + "\"null\":null}}\n";
  }

  /**
   * Three come due: one in the past, one that replaced another, one that has no time but due_ms.
   */
  private static String timers() {
    return String.join(
        "\n",
        "{\"key\":\"python/t\",\"id\":\"past\",\"due_ms\":1,\"timestamp_ms\":1}",
        "{\"key\":\"python/t\",\"id\":\"replaced\",\"due_ms\":4100000000000}",
        "{\"key\":\"python/t\",\"id\":\"replaced\",\"due_ms\":1700000000000}",
        "{\"key\":\"python/t\",\"id\":\"cancelled\",\"due_ms\":4100000000000}",
        "{\"key\":\"python/t\",\"id\":\"cancelled\",\"cancel\":true}",
        "{\"key\":\"python/u\",\"id\":\"bare\",\"due_ms\":1700000000000}\n");
  }

  private static void checkLast(List<FoldedEvent> folds) {
    for (int key = 0; key < KEYS; key++) {
      String name = "python/é" + key;
      List<FoldedEvent> its = folds.stream().filter(fold -> fold.getKey().equals(name)).toList();
      assertThat(its.stream().mapToLong(FoldedEvent::getEventCount).sum()).isEqualTo(EVENTS / KEYS);
      assertThat(last(its, "n").getInt64Value()).isEqualTo(EVENTS - KEYS + key);
    }
  }

  private static void checkKinds(List<FoldedEvent> folds) {
    assertThat(last(folds, "int").getInt64Value()).isEqualTo(Long.MAX_VALUE);
    assertThat(last(folds, "large").getDoubleValue()).isEqualTo(0x1p63);
    assertThat(last(folds, "double").getDoubleValue()).isEqualTo(0.5);
    assertThat(last(folds, "bool").getBoolValue()).isTrue();
    assertThat(last(folds, "text").getStringValue()).isEqualTo("\0é");
    assertThat(last(folds, "null").getNullValue()).isTrue();
  }

  /** The newest value of a field over some folds. */
  private static Value last(List<FoldedEvent> folds, String field) {
    return folds.stream()
        .filter(fold -> fold.containsFields(field))
        .map(fold -> fold.getFieldsOrThrow(field))
        .max((a, b) -> Long.compare(a.getLastTimestampMs(), b.getLastTimestampMs()))
        .map(FoldedField::getLast)
        .orElseThrow();
  }

  private static Map<Path, byte[]> batches(Path outbox) throws IOException {
    try (Stream<Path> files = Files.walk(outbox)) {
      return files
          .filter(file -> file.getFileName().toString().matches("\\d+-\\d+"))
          .collect(Collectors.toMap(file -> file, EventExamplesTest::bytes));
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Where nobody answers. */
  private static String nobody() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  private static Path compile(Path source) throws Exception {
    Path classes = Files.createDirectories(dir.resolve("classes"));
    String libraries =
        Stream.of(EventPublisher.class, MessageLite.class, Utils.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
            .map(url -> new File(url.getPath()).toString())
            .collect(Collectors.joining(File.pathSeparator));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "--release",
                "17",
                "-proc:none",
                "-Xlint:all,-classfile",
                "-Werror",
                "-cp",
                libraries,
                "-d",
                classes.toString(),
                source.toString());
    assertThat(status).isZero();
    return classes;
  }
}
