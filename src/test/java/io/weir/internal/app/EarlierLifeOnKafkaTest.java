package io.weir.internal.app;

import static io.weir.internal.app.OneSensor.READINGS;
import static io.weir.internal.app.OneSensor.TOPICS;
import static io.weir.internal.app.OneSensor.latest;
import static io.weir.internal.app.OneSensor.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.registry.ValueFormat;
import io.weir.internal.topology.WeirTopology;
import io.weir.topic.TopicNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an earlier life of an application wrote, before a reset, and what the one that runs does.
 */
class EarlierLifeOnKafkaTest {
  @TempDir Path dir;

  /** "first" has published 5. "second" (a new application id) has read offset 0, not offset 1. */
  @Test
  void windowThatAnEarlierLifePublished_isNotReplacedByAPart_whenTheLossIsAccepted()
      throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      long startMs = System.currentTimeMillis() / 10_000 * 10_000 - 60_000;
      send(rig, startMs, startMs + 1, startMs + 2);
      readAll(rig, "second");
      send(rig, startMs + 3, startMs + 4, startMs + 20_000);
      send(rig, startMs + 40_000);
      readAll(rig, "first");
      assertThat(latest(rig, startMs).getCount()).isEqualTo(5);

      rig.admin().deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(2))).all().get();
      readAll(rig, "second");
      assertThat(latest(rig, startMs).getCount()).as("withheld").isEqualTo(5);

      accept(rig, "second");
      readAll(rig, "second");
      assertThat(latest(rig, startMs).getCount()).as("after accept-loss").isEqualTo(5);
    }
  }

  /** "first" has published 2 of windows of 10 s. "second" has windows of 20 s. */
  @Test
  void windowOfAnotherLength_isNoRecordOfAWindow_whenTheLossIsAccepted() throws Exception {
    Map<String, String> longer = Map.of("window.size", "20s", "allowed.lateness", "0ms");
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      long startMs = System.currentTimeMillis() / 20_000 * 20_000 - 60_000;
      send(rig, startMs, startMs + 1);
      readAll(rig, "second", longer);
      send(rig, startMs + 12_000);
      send(rig, startMs + 15_000);
      readAll(rig, "first");
      assertThat(latest(rig, startMs).getCount()).isEqualTo(2);
      rig.admin().deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(2))).all().get();
      readAll(rig, "second", longer);

      accept(rig, "second");
      readAll(rig, "second", longer);
      assertThat(latest(rig, startMs).getWindowEndMs()).isEqualTo(startMs + 20_000);
      assertThat(latest(rig, startMs).getCount()).isEqualTo(2);

      LossFinder otherNames =
          new LossFinder(
              rig.admin(),
              topic -> "plant." + topic,
              () -> reader(rig),
              ValueFormat.BARE,
              List.of());
      assertThatThrownBy(() -> otherNames.find("second", READINGS.topic(), READINGS.partition()))
          .isInstanceOf(StartRefusedException.class)
          .hasMessageContaining("set weir.topic.readings");
    }
  }

  /** Stopped for longer than offsets are kept; nobody has published the window. */
  @Test
  void openWindowOfAStateWhoseOffsetsExpired_isEmitted_whenTheLossIsAccepted() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      long startMs = System.currentTimeMillis() / 10_000 * 10_000 - 60_000;
      send(rig, startMs, startMs + 1);
      readAll(rig, "first");
      rig.admin().deleteConsumerGroups(List.of("first")).all().get();
      send(rig, startMs + 20_000);
      send(rig, startMs + 20_001);
      rig.admin().deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(2))).all().get();
      readAll(rig, "first");
      assertThat(latest(rig, startMs)).as("withheld").isNull();

      assertThat(loss(rig, "first").windows().waiting()).isEqualTo(1);
      accept(rig, "first");
      readAll(rig, "first");
      assertThat(latest(rig, startMs).getCount()).isEqualTo(2);
    }
  }

  /** The same with readings behind the cut: a redrive as documented, without --force. */
  @Test
  void windowThatAnEarlierLifePublished_isNotReplacedByAPart_byARedrive() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      long startMs = System.currentTimeMillis() / 10_000 * 10_000 - 60_000;
      send(rig, startMs - 30_000);
      readAll(rig, "second");
      send(rig, startMs, startMs + 1, startMs + 2);
      send(rig, startMs + 3, startMs + 4, startMs + 20_000);
      readAll(rig, "first");
      assertThat(latest(rig, startMs).getCount()).isEqualTo(5);

      rig.admin().deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(2))).all().get();
      readAll(rig, "second");
      accept(rig, "second");
      readAll(rig, "second");
      assertThat(latest(rig, startMs).getCount()).as("withheld").isEqualTo(5);
      assertThat(redrive(rig, "second", "late", "--reason", "WITHHELD"))
          .contains("2 withheld readings were not sent");
      readAll(rig, "second");
      assertThat(latest(rig, startMs).getCount()).as("after the redrive").isEqualTo(5);
    }
  }

  /** A reset with a longer lateness has counted it; the application has the same id, or another. */
  @ParameterizedTest
  @ValueSource(strings = {"first", "second"})
  void lateReadingThatAResetHasCounted_isNotRedriven(String afterReset) throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      long startMs = System.currentTimeMillis() / 10_000 * 10_000 - 60_000;
      send(rig, startMs);
      send(rig, startMs + 20_000);
      send(rig, startMs + 1);
      readAll(rig, "first", "0ms");
      assertThat(latest(rig, startMs).getCount()).isEqualTo(1);
      if (afterReset.equals("first")) {
        reset(rig, "first");
      }
      readAll(rig, afterReset, "1h");
      assertThat(latest(rig, startMs).getCount()).isEqualTo(2);

      assertThat(redrive(rig, afterReset, "late")).contains(" sent 0 ", "no record was sent");
      readAll(rig, afterReset, "1h");
      assertThat(latest(rig, startMs).getCount()).as("after the redrive").isEqualTo(2);
    }
  }

  /** The state was lost, and retention has deleted what it had read. */
  @Test
  void readingThatOnlyALostStateHasRefused_isRedriven_andCountsOnce() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      long startMs = System.currentTimeMillis() / 10_000 * 10_000 + 60_000;
      send(rig, startMs);
      readAll(rig, "first", Map.of("max.future.skew", "1s"));
      send(rig, startMs - 120_000);
      reset(rig, "first");
      rig.admin().deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(1))).all().get();
      readAll(rig, "first");

      assertThat(redrive(rig, "first", "dead-letters")).contains(" sent 1 ");
      readAll(rig, "first");
      assertThat(latest(rig, startMs)).as("withheld").isNull();
      accept(rig, "first");
      readAll(rig, "first");
      assertThat(redrive(rig, "first", "late", "--reason", "WITHHELD", "--returned"))
          .contains("; 2 readings");
      readAll(rig, "first");
      assertThat(latest(rig, startMs).getCount()).isEqualTo(1);
    }
  }

  /** Such as {@code kafka-consumer-groups --reset-offsets}: its own windows stay its own. */
  @Test
  void windowsOfTheState_areNotLeft_whereAToolHasSetTheOffsets() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      long startMs = System.currentTimeMillis() / 10_000 * 10_000 - 60_000;
      send(rig, startMs);
      send(rig, startMs + 20_000);
      readAll(rig, "first");
      assertThat(latest(rig, startMs).getCount()).isEqualTo(1);
      send(rig, startMs + 20_001);
      send(rig, startMs + 20_002);
      rig.admin().deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(3))).all().get();
      rig.admin()
          .alterConsumerGroupOffsets("first", Map.of(READINGS, new OffsetAndMetadata(2)))
          .all()
          .get();
      readAll(rig, "first");

      assertThat(loss(rig, "first").windows().left().size()).isZero();
    }
  }

  /** As the runbook says: the group and the changelog are deleted. */
  private static void reset(AppRig rig, String applicationId) throws Exception {
    rig.admin().deleteConsumerGroups(List.of(applicationId)).all().get();
    rig.admin()
        .deleteTopics(List.of(StreamsInput.changelog(applicationId, WeirTopology.STORE)))
        .all()
        .get();
  }

  private String redrive(AppRig rig, String applicationId, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of("io.weir.cli.Weir", "redrive"));
    command.addAll(List.of(options));
    command.add("--yes"); // Nobody has started it for good.
    command.addAll(List.of("--bootstrap-servers", rig.bootstrapServers()));
    command.addAll(List.of("--application-id", applicationId));
    Path out = dir.resolve("redrive.txt");
    Process redrive =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    int status = redrive.waitFor();
    String said = Files.readString(out);
    assertThat(status).as(said).isEqualTo(said.contains(" sent 0 ") ? 1 : 0);
    return said;
  }

  private static LossFinder.Loss loss(AppRig rig, String applicationId) {
    return new LossFinder(
            rig.admin(), TopicNames.ALL::of, () -> reader(rig), ValueFormat.BARE, List.of())
        .find(applicationId, READINGS.topic(), READINGS.partition())
        .orElseThrow();
  }

  private static void accept(AppRig rig, String applicationId) {
    LossFinder.Loss loss = loss(rig, applicationId);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(rig.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      LossOrder.write(
          producer,
          TOPICS.control(),
          applicationId,
          READINGS.topic(),
          READINGS.partition(),
          loss,
          new byte[16],
          true);
    }
  }

  private static Consumer<byte[], byte[]> reader(AppRig rig) {
    Map<String, Object> settings = new HashMap<>(rig.client());
    settings.put("isolation.level", "read_committed");
    settings.put("auto.offset.reset", "none");
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static void readAll(AppRig rig, String applicationId) throws Exception {
    readAll(rig, applicationId, "0ms");
  }

  private static void readAll(AppRig rig, String applicationId, String lateness) throws Exception {
    readAll(rig, applicationId, Map.of("allowed.lateness", lateness));
  }

  private static void readAll(AppRig rig, String applicationId, Map<String, String> options)
      throws Exception {
    Map<String, String> all = new HashMap<>(options);
    all.put("idle.timeout", "10m");
    OneSensor.readAll(rig, applicationId, all);
  }
}
