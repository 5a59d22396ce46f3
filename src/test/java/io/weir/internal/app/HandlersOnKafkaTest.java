package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.weir.Committed;
import io.weir.keyed.CountingProgram;
import io.weir.keyed.KeyedApplication;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs with handlers on a real broker: two that are killed, and the example. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HandlersOnKafkaTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());
  private static final int KILLS = Integer.getInteger("weir.keyed.kills", 2);
  private static final int KEYS = 40;
  private static final int PARTITIONS = 4;

  @TempDir private Path dir;
  private final Random random = new Random(SEED);
  private final Map<String, List<String>> sent = new LinkedHashMap<>();
  private final Set<String> failing = new HashSet<>();
  private final List<ConsumerRecord<byte[], byte[]>> handled = new ArrayList<>();
  private Committed outputs;
  private int subjects;
  private AppRig rig;
  private KafkaProducer<byte[], byte[]> producer;

  @BeforeEach
  void start() {
    rig = new AppRig(dir);
    new TopicAdmin(rig.admin(), TopicNames.ALL.of(User.HANDLER)).createMissing();
    producer =
        new KafkaProducer<>(rig.client(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterEach
  void stop() {
    producer.close(Duration.ZERO);
    rig.close();
  }

  /** In order, each once, none early, whatever is killed. */
  @Test
  void twoProcesses_killedAgainAndAgain_handleEachEventOnceAndInOrder() throws Exception {
    create(CountingProgram.OUT);
    outputs = new Committed(rig.bootstrapServers(), List.of(CountingProgram.OUT));
    WeirProcess[] processes = new WeirProcess[2];
    try {
      for (int i = 0; i < 2; i++) {
        processes[i] = counting(i, 0);
      }
      for (WeirProcess process : processes) {
        process.awaitReady();
      }
      for (int kill = 1; kill <= KILLS; kill++) {
        int before = handled().size();
        send(20);
        WeirProcess.await("handling", () -> handled().size() > before, processes);
        send(10);
        processes[kill % 2].kill();
        processes[kill % 2] = counting(kill % 2, kill).awaitReady();
      }
      send(20);
      long all = 2 * sent.values().stream().mapToLong(List::size).sum() - 2L * failing.size();
      WeirProcess.await(
          "handling all " + all,
          () -> handled().size() >= all && deadLetters().size() >= failing.size(),
          processes);
      check(all);
    } catch (AssertionError e) {
      throw new AssertionError("-Dweir.seed=" + SEED + ": " + e.getMessage(), e);
    } finally {
      outputs.close();
      for (WeirProcess process : processes) {
        if (process != null) {
          process.close();
        }
      }
    }
  }

  private WeirProcess counting(int member, int number) throws Exception {
    return program(
        "counting-" + member + "-" + number,
        "counting-" + member,
        WeirProcess.classPath(),
        CountingProgram.class.getName());
  }

  private WeirProcess program(String log, String instance, String classPath, String main)
      throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("WEIR_BOOTSTRAP_SERVERS", rig.bootstrapServers());
    environment.put("WEIR_INSTANCE_ID", instance);
    environment.put("WEIR_STATE_DIR", dir.resolve(instance).toString());
    environment.put("WEIR_THREADS", "3");
    return WeirProcess.start(
        dir.resolve(log + ".log"), environment, List.of("-cp", classPath, main));
  }

  private void create(String topic) {
    KafkaFutures.await(
        rig.admin().createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1))).all());
  }

  /** Batches of a few events of a key. */
  private void send(int batches) {
    for (int n = 0; n < batches; n++) {
      String key = "key-" + random.nextInt(KEYS);
      EventBatch.Builder batch = EventBatch.newBuilder();
      for (int i = random.nextInt(4); i >= 0; i--) {
        String subject = "event-" + subjects++;
        sent.computeIfAbsent(key, any -> new ArrayList<>()).add(subject);
        boolean fails = random.nextInt(12) == 0;
        if (fails) {
          failing.add(subject);
        }
        batch.addEvents(event(key).setSubject(subject).setType(fails ? "x" : "count"));
      }
      append(key, batch.build());
    }
  }

  private static Event.Builder event(String key) {
    return Event.newBuilder().setKey(key).setTimestampMs(System.currentTimeMillis());
  }

  private void append(String key, EventBatch batch) {
    producer.send(
        new ProducerRecord<>(
            Topic.EVENTS.defaultName(), SensorPartition.of(key), null, batch.toByteArray()));
  }

  /** All so far. */
  private List<ConsumerRecord<byte[], byte[]>> handled() {
    handled.addAll(outputs.upToNow());
    return handled;
  }

  private List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    return Committed.of(rig.bootstrapServers(), List.of(topic));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void check(long all) {
    Map<String, List<String>> numbers = new HashMap<>();
    Map<String, List<String>> events = new HashMap<>();
    List<String> timers = new ArrayList<>();
    List<ConsumerRecord<byte[], byte[]>> records = handled();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      String key = text(record.key());
      String[] parts = text(record.value()).split(" ");
      numbers.computeIfAbsent(key, any -> new ArrayList<>()).add(parts[0]);
      long dueMs = Long.parseLong(parts[2]);
      if (dueMs == 0) {
        events.computeIfAbsent(key, any -> new ArrayList<>()).add(parts[1]);
      } else {
        timers.add(parts[1]);
        assertThat(record.timestamp()).as("early").isGreaterThanOrEqualTo(dueMs);
      }
    }
    assertThat(records).hasSize((int) all);
    numbers.forEach(
        (key, found) ->
            assertThat(found)
                .as(key)
                .containsExactlyElementsOf(
                    Stream.iterate(1, n -> n + 1).limit(found.size()).map(n -> "" + n).toList()));
    Map<String, List<String>> good = new HashMap<>();
    sent.forEach(
        (key, its) -> good.put(key, its.stream().filter(s -> !failing.contains(s)).toList()));
    good.values().removeIf(List::isEmpty);
    assertThat(events).as("in order").isEqualTo(good);
    assertThat(timers)
        .containsExactlyInAnyOrderElementsOf(good.values().stream().flatMap(List::stream).toList());
    assertThat(deadLetters()).containsExactlyInAnyOrderElementsOf(failing);
  }

  /** A dead letter is in the transaction of its own partition. */
  private List<String> deadLetters() {
    List<String> subjectsOfDeadLetters = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : read(Topic.DEAD_LETTERS.defaultName())) {
      assertThat(text(record.headers().lastHeader("weir.reason").value())).isEqualTo("HANDLER");
      batch(record).getEventsList().forEach(event -> subjectsOfDeadLetters.add(event.getSubject()));
    }
    return subjectsOfDeadLetters;
  }

  private static EventBatch batch(ConsumerRecord<byte[], byte[]> record) {
    try {
      return EventBatch.parseFrom(record.value());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  /** As docs/handlers.md has it: built, started, ended by SIGTERM. */
  @Test
  void commissioning_endsWithAResult() throws Exception {
    create("commissioned");
    Path classes = compile(Path.of("src/examples/java/commissioning/Commissioning.java"));
    String classPath = WeirProcess.classPath() + File.pathSeparator + classes;
    try (WeirProcess process =
        program("example", "example", classPath, "commissioning.Commissioning")) {
      process.awaitReady();
      reading("pump-1", false, 1); // waits
      reading("pump-1", true, 2);
      reading("pump-1", false, Double.NaN); // no number: a dead letter
      reading("pump-1", false, 3);
      reading("pump-2", true, 1);
      process.await("commissioned", () -> read("commissioned").size() == 2);
      Map<String, Long> results = new HashMap<>();
      read("commissioned")
          .forEach(
              record -> results.put(text(record.key()), ByteBuffer.wrap(record.value()).getLong()));
      assertThat(results).isEqualTo(Map.of("pump-1", 3L, "pump-2", -1L));
      assertThat(deadLetters()).hasSize(1);
      assertThat(process.metric("weir_handlers_failures_total")).isEqualTo(1);
      assertThat(process.terminate()).isEqualTo(143);
      assertThat(process.log()).contains("pump-1 has ended: DONE").doesNotContain("ERROR");
    }
  }

  private void reading(String sensor, boolean start, double value) {
    Value number =
        Double.isNaN(value)
            ? Value.newBuilder().setStringValue("n/a").build()
            : Value.newBuilder().setDoubleValue(value).build();
    Event event =
        event(sensor).setType("reading").setStart(start).putFields("value", number).build();
    append(sensor, EventBatch.newBuilder().addEvents(event).build());
  }

  private Path compile(Path source) throws Exception {
    Path classes = Files.createDirectories(dir.resolve("classes"));
    String libraries =
        Stream.of(KeyedApplication.class, MessageLite.class, Serde.class)
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
