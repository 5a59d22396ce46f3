package io.weir.internal.input.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.internal.input.HeldSink;
import io.weir.internal.input.Identities;
import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.Rejects;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.influx.InfluxSettings;
import io.weir.internal.input.influx.LineMessages;
import io.weir.lab.hostile.HostileMessage;
import io.weir.lab.hostile.HostileRow;
import io.weir.lab.hostile.HostileRow.Target;
import io.weir.lab.hostile.HostileTable;
import io.weir.lab.hostile.ScriptedBroker;
import io.weir.reading.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The session with a broker that a test directs. */
@Timeout(600)
class MqttInputTest {
  private final HeldSink sink = new HeldSink();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private long ackTimeoutNanos = 200_000_000;
  private int maxSensors = 16_384;
  private MqttBroker.Version version = MqttBroker.Version.AUTO;
  private Duration sessionExpiry = Duration.ofDays(1);
  private ScriptedBroker broker;
  private MqttInput input;

  @TempDir private Path dir;

  @BeforeEach
  void openBroker() throws IOException {
    broker = new ScriptedBroker();
  }

  @AfterEach
  void close() throws IOException {
    if (input != null) {
      input.close();
    }
    broker.close();
  }

  /** The broker refuses version 5: 3.1.1 follows. */
  @Test
  void messageIsAcknowledged_onceItsReadingsAreStored_inTheOrderOfArrival() throws Exception {
    start();
    Await.until(broker::isReady);
    assertThat(broker.versions).containsExactly(5, 4);
    broker.publish(7, "plant/a", "1", false);
    broker.publish(8, "plant/b", "rubbish", false);
    broker.publish(9, "plant/c", "2", false);
    Await.until(() -> sink.taken().size() == 2);
    assertThat(broker.acknowledged).isEmpty();
    sink.store();
    Await.until(() -> broker.acknowledged.size() == 3);
    assertThat(broker.acknowledged).containsExactly(7, 8, 9);
    assertThat(count("weir.edge.refused")).isEqualTo(1);
    assertThat(registry.get("weir.mqtt.messages").tag("qos", "1").counter().count()).isEqualTo(3);
  }

  @Test
  void afterACut_nothingOfTheOldConnectionIsAcknowledged_andTheRepeatCountsOnce() throws Exception {
    start();
    Await.until(broker::isReady);
    String message = "{\"sensor_id\":\"s\",\"timestamp_ms\":1700000000000,\"value\":1}";
    broker.publish(7, "plant/a", message, false);
    Await.until(() -> sink.taken().size() == 1);
    broker.sessionPresent = true;
    broker.cut();
    sink.store();
    Await.until(broker::isReady);
    assertThat(broker.acknowledged).isEmpty();
    broker.publish(7, "plant/a", message, false);
    Await.until(() -> broker.acknowledged.size() == 1);
    assertThat(sink.taken()).hasSize(1);
    assertThat(count("weir.mqtt.sessions.lost")).isZero();
  }

  @Test
  void sessionThatTheBrokerLost_isCounted() throws Exception {
    start();
    Await.until(() -> Files.exists(dir.resolve("mqtt-filters")));
    broker.cut();
    Await.until(() -> count("weir.mqtt.sessions.lost") == 1);
  }

  @Test
  void withoutRoom_theMessageComesAgain() throws Exception {
    start();
    Await.until(broker::isReady);
    sink.room(false);
    broker.publish(7, "plant/a", "1", false);
    Await.until(() -> !broker.isReady());
    assertThat(broker.acknowledged).isEmpty();
    sink.room(true);
    Await.until(broker::isReady);
    broker.publish(7, "plant/a", "1", false);
    Await.until(() -> sink.taken().size() == 1);
    sink.store();
    Await.until(() -> broker.acknowledged.size() == 1);
  }

  @Test
  void retainedMessage_isSkippedAndAcknowledged() throws Exception {
    start();
    Await.until(broker::isReady);
    broker.publish(7, "plant/a", "1", true);
    Await.until(() -> broker.acknowledged.size() == 1);
    assertThat(sink.taken()).isEmpty();
    assertThat(count("weir.mqtt.retained")).isEqualTo(1);
  }

  @Test
  void filterThatWentFromTheSettings_isUnsubscribed() throws Exception {
    Files.write(dir.resolve("mqtt-filters"), List.of("old/#", "plant/#"));
    start();
    Await.until(broker::isReady);
    assertThat(broker.unsubscribed).containsExactly("old/#");
    assertThat(broker.subscribed).containsExactly("plant/#");
    Await.until(() -> Files.readAllLines(dir.resolve("mqtt-filters")).equals(List.of("plant/#")));
  }

  /** Brokers pass it on as it came: Mosquitto does not look at the topic of the answer. */
  @ParameterizedTest
  @ValueSource(strings = {"080003612f23", "080000", "0102"})
  void messageThatCannotBeReadInVersion5_isReadIn3_andTheNextOnesToo(String property)
      throws Exception {
    broker.takesVersion5 = true;
    broker.sessionPresent = true;
    start();
    Await.until(broker::isReady);
    byte[] bytes = HexFormat.of().parseHex(property);
    byte[] properties = new byte[bytes.length + 1];
    properties[0] = (byte) bytes.length;
    System.arraycopy(bytes, 0, properties, 1, bytes.length);
    broker.publish(7, "plant/a", properties, "1");
    Await.until(() -> broker.versions.equals(List.of(5, 4)) && broker.isConnected());
    broker.publish(7, "plant/a", properties, "1");
    broker.publish(8, "plant/b", properties, "2");
    Await.until(() -> sink.taken().size() == 2);
    sink.store();
    Await.until(() -> broker.acknowledged.size() == 2);
    assertThat(input.refused()).isNotDone();
  }

  @Test
  void messageThatComesToEachConnectionOfVersion5_endsTheSession_whereNoOtherIsAllowed()
      throws Exception {
    version = MqttBroker.Version.V5;
    broker.takesVersion5 = true;
    broker.sessionPresent = true;
    broker.property = HexFormat.of().parseHex("020102");
    start();
    Await.until(() -> broker.connects.stream().anyMatch(MqttInputTest::isClean));
    assertThat(isClean(broker.connects.get(1))).isFalse();
    broker.sessionPresent = false;
    broker.property = null;
    Await.until(broker::isReady);
    assertThat(isClean(broker.connects.get(broker.connects.size() - 1))).isFalse();
    broker.publish(7, "plant/a", "1", false);
    Await.until(() -> sink.taken().size() == 1);
  }

  /** The broker does not send them again, and the session has the messages of others. */
  @Test
  void largeMessagesOfVersion3WithQos0_leaveTheSession() throws Exception {
    broker.sessionPresent = true;
    start();
    Await.until(broker::isReady);
    for (int i = 1; i <= 3; i++) {
      broker.publishTooMuch();
      int ended = i;
      // Versions 5 and 3.1.1, and for each message one that looks for others, and the next.
      Await.until(() -> broker.connects.size() == 2 + 2 * ended && broker.isConnected());
    }
    assertThat(count("weir.mqtt.unreadable")).isEqualTo(3);
    broker.publish(7, "plant/a", "1", false);
    Await.until(() -> sink.taken().size() == 1);
    assertThat(broker.connects).noneMatch(MqttInputTest::isClean);
    assertThat(count("weir.mqtt.sessions.lost")).isZero();
  }

  @Test
  void retainedMessageOfVersion3ThatIsTooLarge_endsOneConnection() throws Exception {
    broker.sessionPresent = true;
    start();
    Await.until(broker::isReady);
    broker.retainedTooLarge = true;
    broker.keepsMessages = true;
    broker.publishTooMuch();
    Await.until(() -> broker.connects.size() == 4 && broker.isConnected());
    broker.send(HostileMessage.of("plant/a", new byte[] {'1'}));
    Await.until(() -> sink.taken().size() == 1);
    sink.store();
    Await.until(() -> broker.acknowledged.size() == 1);
    assertThat(broker.subscribed).containsExactly("plant/#");
    assertThat(count("weir.mqtt.unreadable")).isEqualTo(1);
  }

  /** It comes before the answer to each subscription, so that none was ever granted. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void retainedMessageOfVersion3ThatIsTooLarge_doesNotEndEachFirstConnection(long days)
      throws Exception {
    sessionExpiry = Duration.ofDays(days);
    broker.sessionPresent = true;
    broker.retainedLarge = true;
    broker.keepsMessages = true;
    start();
    broker.send(HostileMessage.of("plant/a", new byte[] {'1'}));
    // Its time is that of its arrival: with each connection it is another reading.
    Await.until(
        () -> {
          sink.store();
          return broker.acknowledged.contains(1);
        });
    assertThat(count("weir.mqtt.unreadable")).isEqualTo(2);
    assertThat(broker.subscribed).hasSize(3);
  }

  /** The broker has stored it for the session, with messages of others. */
  @ParameterizedTest
  @CsvSource({"9, 0, 1", "0, 9, 1", "0, 9, 2"})
  void messageOfVersion3ThatCannotBeRead_isSkipped_andTheSessionGoesOn(
      int large, int wildcard, int qos) throws Exception {
    broker.wildcardQos = qos;
    broker.sessionPresent = true;
    broker.largeId = large;
    broker.wildcardId = wildcard;
    start();
    Await.until(() -> broker.acknowledged.contains(9));
    Await.until(() -> broker.subscribed.size() > 0 && broker.isReady());
    broker.publish(7, "plant/a", "1", false);
    Await.until(() -> sink.taken().size() == 1);
    sink.store();
    Await.until(() -> broker.acknowledged.contains(7));
    assertThat(broker.connects).noneMatch(MqttInputTest::isClean);
    assertThat(count("weir.mqtt.unreadable")).isPositive();
    assertThat(count("weir.mqtt.sessions.lost")).isZero();
  }

  /** Stored before the first connection: the broker sends it before the subscription. */
  @Test
  void storedMessageThatCannotBeReadInVersion5_isReadIn3_andLeavesTheSession() throws Exception {
    broker.takesVersion5 = true;
    broker.sessionPresent = true;
    broker.property = HexFormat.of().parseHex("020102");
    start();
    Await.until(() -> sink.taken().size() == 1);
    sink.store();
    Await.until(() -> broker.acknowledged.contains(5));
    assertThat(broker.versions).startsWith(5, 4);
    assertThat(broker.connects).noneMatch(MqttInputTest::isClean);
  }

  private static boolean isClean(String connect) {
    return (connect.charAt(7) & 2) != 0;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void hostileMessages_leaveANeighbourItsReadings(boolean version5) throws Exception {
    broker.takesVersion5 = version5;
    broker.sessionPresent = true;
    broker.keepsMessages = true;
    ackTimeoutNanos = 60_000_000_000L;
    start();
    Await.until(broker::isReady);
    int honest = 0;
    for (HostileRow row : HostileTable.rows(Target.MQTT, 7)) {
      // With QoS 2 the client must answer twice.
      if (row.unusual() > 1 && !row.toString().contains("MESSAGE_QOS 2")) {
        continue;
      }
      String neighbour = "plant/neighbour/" + honest++;
      broker.send(HostileMessage.of(row, 1_700_000_000_000L));
      broker.send(HostileMessage.of(neighbour, new byte[] {'7'}));
      Await.until(
          () -> {
            sink.store();
            return sink.taken().stream()
                .anyMatch(each -> each.reading().sensorId().equals(neighbour));
          });
    }
    assertThat(honest).isGreaterThan(50);
    assertThat(input.refused()).isNotDone();
    assertThat(broker.connects).noneMatch(MqttInputTest::isClean);
  }

  /** Of an edge with room for 40 sensors in each partition. */
  @Test
  void topicsOfOnePublisher_leaveRoomForTheSensorsOfOthers() throws Exception {
    maxSensors = 40;
    start();
    Await.until(broker::isReady);
    broker.publish(1, "plant/neighbour/1", "1", false);
    StringBuilder many = new StringBuilder("{\"x\":1");
    for (int i = 0; i < 5_000; i++) {
      many.append(",\"").append(i).append("\":1");
    }
    broker.publish(2, "plant/greedy/1", many + "}", false);
    Await.until(() -> count("weir.edge.refused") > 0);
    double refused = count("weir.edge.refused");
    assertThat(refused).isGreaterThan(5_000 - 64 * 31);
    for (int i = 0; i < 100; i++) {
      broker.publish(3 + i, "plant/neighbour/" + i, "2", false);
    }
    Await.until(
        () ->
            sink.readings().stream().filter(each -> each.startsWith("plant/neighbour")).count()
                == 101);
    assertThat(count("weir.edge.refused")).isEqualTo(refused);
  }

  /** It is charged before it is decoded, and the limit is 1 MiB. */
  @Test
  void messagesThatWait_areNotReadFromTheConnection() throws Exception {
    start();
    Await.until(broker::isReady);
    String kilobytes = "\"" + "x".repeat(100_000) + "\"";
    broker.publish(1, "plant/a", "1", false);
    CompletableFuture<Void> sent =
        CompletableFuture.runAsync(
            () -> {
              for (int id = 2; id < 200; id++) {
                try {
                  broker.publish(id, "plant/b", "{\"t\":" + kilobytes + "}", false);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
    Await.until(() -> registry.get("weir.mqtt.pending").gauge().value() == 6);
    assertThat(broker.acknowledged).isEmpty();
    Await.until(() -> sink.taken().size() == 1);
    sink.store();
    Await.until(() -> broker.acknowledged.size() == 199);
    sent.get();
    assertThat(broker.versions).containsExactly(5, 4);
  }

  /** Else it would come again for ever. */
  @Test
  void messageThatFindsRoomSlowly_isStoredWhole() throws Exception {
    ackTimeoutNanos = 1_000_000_000;
    sink.pause(400_000_000);
    start();
    Await.until(broker::isReady);
    broker.publish(7, "plant/a", "{\"a\":1,\"b\":2,\"c\":3,\"d\":4}", false);
    Await.until(() -> sink.taken().size() == 4);
    sink.store();
    Await.until(() -> broker.acknowledged.size() == 1);
    assertThat(broker.versions).containsExactly(5, 4);
  }

  @Test
  void refusedCredentials_endTheInputWithOneLine() throws Exception {
    broker.connectCode = 5;
    start();
    assertThat(input.refused().get())
        .hasMessageContaining("NOT_AUTHORIZED")
        .hasMessageContaining("weir.mqtt.user");
  }

  @Test
  void refusedFilter_endsTheInputWithOneLine() throws Exception {
    broker.subscribeCode = 0x80;
    start();
    assertThat(input.refused().get())
        .hasMessageContaining("plant/#")
        .hasMessageContaining("weir.mqtt.topics");
  }

  private double count(String name) {
    return registry.find(name).counters().stream().mapToDouble(each -> each.count()).sum();
  }

  private void start() {
    MqttSettings settings =
        new MqttSettings(
            new MqttBroker(
                List.of(URI.create("mqtt://127.0.0.1:" + broker.port())),
                version,
                "weir-test",
                Optional.empty(),
                new MqttBroker.Tls(Optional.empty(), Optional.empty(), Optional.empty()),
                sessionExpiry,
                Duration.ofSeconds(30)),
            List.of("plant/#"),
            false,
            MqttSettings.Payload.AUTO,
            Optional.empty(),
            List.of(),
            1 << 20,
            dir.resolve("mqtt-filters"));
    Identities identities =
        new Identities(
            new IdentitySettings(true, 1 << 23, 0, IdentitySettings.Collisions.COUNT, maxSensors));
    input =
        MqttInput.start(
            settings,
            new Intake(sink, identities, 256, ackTimeoutNanos),
            new Limits(1 << 20, 10_000, 256),
            new LineMessages(
                new InfluxSettings(
                    SensorTemplate.parse("{series} {field}", InfluxSettings.PARTS),
                    InfluxSettings.MissingTime.ARRIVAL,
                    List.of()),
                new Rejects(Optional.empty())),
            new InputMetrics(registry),
            new MqttMetrics(registry));
  }
}
