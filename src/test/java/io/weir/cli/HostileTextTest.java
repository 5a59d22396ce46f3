package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.weir.cli.doctor.HostileFindings;
import io.weir.cli.hot.HotReport;
import io.weir.cli.hot.HotRow;
import io.weir.cli.hot.HotText;
import io.weir.cli.output.Messages;
import io.weir.cli.output.Results;
import io.weir.edge.Refusal;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.explain.Explanation;
import io.weir.internal.explain.ExplanationText;
import io.weir.internal.explain.PartitionLog;
import io.weir.internal.text.Printable;
import io.weir.topic.Topic;
import io.weir.v1.WindowSummary;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands that print names which senders chose: no name acts on the terminal or forges a line. */
class HostileTextTest {
  private static final String ID =
      "x\u001b[2J\u001b[H\r\nno findings\u009b31m\u202e\u2028; $(touch pwned) `id` '\"";

  /** Commands that print names from topics, pages or files, each with a case below. */
  private static final Set<String> PRINT_NAMES =
      Set.of(
          "weir tail",
          "weir hot",
          "weir doctor",
          "weir plot",
          "weir edge",
          "weir send events",
          "weir rules test",
          "weir sniff",
          "weir partition",
          "weir explain",
          "weir gateways check");

  /** Commands that print counts, their own arguments and names of settings, topics and files. */
  private static final Set<String> PRINT_NONE =
      Set.of(
          "weir run",
          "weir events",
          "weir events analyze",
          "weir sink",
          "weir collect",
          "weir import",
          "weir serve",
          "weir token new",
          "weir topics",
          "weir plan",
          "weir redrive",
          "weir accept-loss",
          "weir gateway reset",
          "weir keys show",
          "weir keys delete",
          "weir rules check",
          "weir key new",
          "weir key gateway",
          "weir evict",
          "weir completion",
          "weir help");

  @TempDir private Path dir;

  @Test
  void everyCommand_isInOneOfTheSets() {
    Set<String> commands = new TreeSet<>();
    Weir.commandLine().getSubcommands().values().stream()
        .flatMap(CommandTable::withSubcommands)
        .filter(command -> command.userObject().getClass().getName().startsWith("io.weir.cli."))
        .filter(command -> !(command.userObject() instanceof Runnable))
        .forEach(command -> commands.add(command.qualifiedName()));
    Set<String> decided = new TreeSet<>(PRINT_NAMES);
    decided.addAll(PRINT_NONE);
    assertThat(commands).isEqualTo(decided);
  }

  @ParameterizedTest
  @EnumSource(Topic.class)
  void tail_ofEachTopic_printsALineForARecord(Topic topic) {
    ConsumerRecord<byte[], byte[]> record = record(topic);
    assertSafe(
        printed(
            out -> new TailForm.Json(topic, Set.of(), Optional.empty(), true, out).print(record)),
        1);
    if (topic == Topic.WINDOWS) {
      assertSafe(printed(out -> new TailForm.Csv(Optional.empty(), out).print(record)), 1);
    }
  }

  @Test
  void hot_printsALineForASensor() {
    HotRow row = new HotRow(ID, 3, 5, true, 0.1, 0.1);
    HotReport report = new HotReport(64, 10, 60_000, List.of(row), List.of(row));
    String text = printed(out -> HotText.lines(report).forEach(out::line));
    assertSafe(text, HotText.lines(report).size());
    assertThat(text).contains("x\\u001b[2J");
    assertSafe(printed(out -> out.line(HotText.json(report))), 1);
  }

  @Test
  void doctor_printsFindings_andCommandsThatHoldOneWord() {
    List<String> lines = HostileFindings.lines(ID);
    String text = printed(out -> lines.forEach(out::line));
    assertSafe(text, lines.size());
    assertThat(text).contains("--split $'x\\033[2J").doesNotContain("--split x");
  }

  @Test
  void explain_printsALineForABatch() {
    Origin letter = new Origin("weir.dead-letters", 3, 4);
    Explanation.Row row =
        new Explanation.Row(
            5,
            6,
            ID,
            7,
            8,
            Optional.of(letter),
            ID,
            1,
            List.of(),
            Explanation.Fate.REFUSED,
            ID,
            Optional.of(letter),
            0);
    WindowSummary none = WindowSummary.getDefaultInstance();
    Explanation explanation =
        new Explanation(
            ID,
            0,
            10_000,
            "weir.windows",
            3,
            List.of(row),
            List.of(),
            none,
            Explanation.Verdict.MATCHES,
            "",
            List.of(ID),
            PartitionLog.Scan.NOTHING);
    List<String> lines = ExplanationText.lines(explanation);
    assertSafe(printed(out -> lines.forEach(out::line)), lines.size());
  }

  @Test
  void edgeAndSend_printRefusals() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Messages err = new Messages(bytes);
    Refusals refusals = new Refusals(err, "weir edge", "readings");
    refusals.refused(new Refusal(ID, 1));
    refusals.summarize();
    err.printf("weir edge: %s%n", ID);
    err.printf("%s %,d%n", Path.of("x\u001b"), 5);
    err.println((Object) ID);
    assertSafe(bytes.toString(StandardCharsets.UTF_8), 5);
  }

  @Test
  void commandsOnFiles_printNoNameRaw() throws Exception {
    String id = '"' + ID.replace("\r\n", "").replace("\"", "\"\"") + '"';
    Path readings = Files.writeString(dir.resolve("readings.csv"), readings(id));
    Path windows = Files.writeString(dir.resolve("windows.csv"), windows(id));
    Path rules =
        Files.writeString(
            dir.resolve("rules.yaml"), "rules:\n  - name: hot\n    sensors: \"*\"\n    high: 95\n");
    Path gateways =
        Files.writeString(
            dir.resolve("gateways.yaml"), "gateways:\n  - id: line-7\n    sensors: [\"a/*\"]\n");
    Path events = Files.writeString(dir.resolve("events"), "{\"key\":\"\u001b\u009b\u202e\"\n");
    for (List<String> command :
        List.of(
            List.of("sniff", readings.toString()),
            List.of("rules", "test", rules.toString(), readings.toString()),
            List.of("plot", windows.toString()),
            List.of("partition", ID),
            List.of("gateways", "check", gateways.toString(), "--gateway", "line-7", ID),
            List.of("events", "analyze", events.toString()),
            List.of("tail", ID))) {
      WeirProcess.Ended ended = CommandHost.shared().run(command.toArray(String[]::new));
      assertSafe(ended.out(), -1);
      assertSafe(ended.err(), -1);
      assertThat(ended.out() + ended.err()).as("%s", command).isNotEmpty();
    }
  }

  private static String readings(String id) {
    StringBuilder text = new StringBuilder("sensor_id,timestamp_ms,value\n");
    for (int i = 0; i < 100; i++) {
      text.append(id).append(',').append(1_700_000_000_000L + 1_000 * i).append(",99\n");
    }
    return text.toString();
  }

  private static String windows(String id) {
    return "sensor_id,window_start_ms,window_end_ms,count,sum,min,max,revision\n"
        + id
        + ",1700000000000,1700000010000,2,3,1,2,0\n";
  }

  private static String printed(Consumer<Results> command) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Results out = new Results(bytes);
    command.accept(out);
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static void assertSafe(String printed, int lines) {
    assertThat(printed.lines())
        .allSatisfy(line -> assertThat(Printable.line(line)).isEqualTo(line))
        .noneMatch(line -> line.startsWith("no findings"));
    assertThat(lines < 0 ? lines : printed.lines().count()).isEqualTo(lines);
  }

  private static ConsumerRecord<byte[], byte[]> record(Topic topic) {
    Headers headers = new RecordHeaders();
    for (String name : List.of(DeadLetterHeaders.REASON, DeadLetterHeaders.GATEWAY, ID)) {
      headers.add(name, ID.getBytes(StandardCharsets.UTF_8));
    }
    byte[] value = hostile(topic.message(), 4).toByteArray();
    return new ConsumerRecord<>(
        "weir.any",
        3,
        5,
        0,
        TimestampType.LOG_APPEND_TIME,
        0,
        value.length,
        null,
        value,
        headers,
        Optional.empty());
  }

  /** The message with that id in each of its texts. */
  private static Message hostile(Message empty, int depth) {
    Message.Builder message = empty.newBuilderForType();
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      Object value =
          switch (field.getJavaType()) {
            case STRING -> ID;
            case MESSAGE -> depth == 0 ? null : hostile(part(message, field), depth - 1);
            default -> null;
          };
      if (value != null && field.isRepeated()) {
        message.addRepeatedField(field, value);
      } else if (value != null) {
        message.setField(field, value);
      }
    }
    return message.build();
  }

  private static Message part(Message.Builder message, FieldDescriptor field) {
    return message.newBuilderForField(field).build();
  }
}
