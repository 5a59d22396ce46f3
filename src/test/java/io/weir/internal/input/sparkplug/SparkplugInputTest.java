package io.weir.internal.input.sparkplug;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.internal.input.HeldSink;
import io.weir.internal.input.Identities;
import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.mqtt.MqttBroker;
import io.weir.lab.hostile.HostileMessage;
import io.weir.lab.hostile.HostileRow;
import io.weir.lab.hostile.HostileRow.Target;
import io.weir.lab.hostile.HostileTable;
import io.weir.lab.hostile.ScriptedBroker;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class SparkplugInputTest {
  private static final long T = 1_700_000_000_000L;
  private static final String STATE = "spBv1.0/STATE/weir";

  private final HeldSink sink = new HeldSink();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private ScriptedBroker broker;
  private SparkplugInput input;

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

  @Test
  void hostIsOnline_readsEdgeNodes_asksForBirths_andSaysThatItLeaves() throws Exception {
    start(Optional.of("weir"));
    Await.until(() -> broker.published.size() == 1);
    assertThat(broker.subscribed).containsExactly("spBv1.0/+/#", STATE);
    assertThat(broker.published.get(0)).startsWith(STATE + " {\"online\":true,\"timestamp\":");
    assertThat(broker.connects.get(1)).contains(STATE, "{\"online\":false,\"timestamp\":");
    broker.publish("spBv1.0/g/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(1).born("a", 3, 1).build());
    broker.publish("spBv1.0/g/NDATA/n", PayloadBuilder.of(T + 1, 1).aliased(3, 2).build());
    Await.until(() -> sink.taken().size() == 2);
    assertThat(sink.readings()).endsWith("g/n/a@" + (T + 1) + "=2.0");
    broker.publish("spBv1.0/g/NDATA/other", PayloadBuilder.of(T, 1).aliased(3, 2).build());
    Await.until(() -> broker.published.size() == 2);
    assertThat(broker.published.get(1))
        .startsWith("spBv1.0/g/NCMD/other ")
        .contains("Node Control/Rebirth");
    input.close();
    Await.until(() -> broker.published.size() == 3);
    assertThat(broker.published.get(2)).startsWith(STATE + " {\"online\":false,");
  }

  @Test
  void anotherThatSaysOffline_isAnsweredOnANewConnection_andAClearedStateIsSaidAgain()
      throws Exception {
    start(Optional.of("weir"));
    Await.until(() -> broker.published.size() == 1);
    broker.publish(STATE, new byte[0]);
    Await.until(() -> broker.published.size() == 2);
    assertThat(broker.published.get(1)).isEqualTo(broker.published.get(0));
    long since = since(broker.published.get(0));
    broker.publish(STATE, ("{\"online\":false,\"timestamp\":" + (since - 1) + "}").getBytes(UTF_8));
    long later = since + 5_000;
    broker.publish(STATE, ("{\"online\":false,\"timestamp\":" + later + "}").getBytes(UTF_8));
    Await.until(() -> broker.published.size() == 3);
    assertThat(since(broker.published.get(2))).isGreaterThan(later);
  }

  private static long since(String state) {
    return Long.parseLong(state.replaceAll(".*:([0-9]+)}", "$1"));
  }

  @Test
  void suspended_theHostGoesOffline_andComesBackWithoutALoss() throws Exception {
    start(Optional.of("weir"));
    Await.until(() -> broker.published.size() == 1);
    sink.room(false);
    broker.publish("spBv1.0/g/NBIRTH/n", PayloadBuilder.of(T, 0).born("a", 3, 1).build());
    Await.until(() -> broker.published.size() == 2);
    assertThat(broker.published.get(1)).startsWith(STATE + " {\"online\":false,");
    sink.room(true);
    Await.until(() -> broker.published.size() == 3);
    assertThat(broker.published.get(2)).startsWith(STATE + " {\"online\":true,");
    Await.until(() -> sink.taken().size() == 1);
  }

  @Test
  void hostileMessages_leaveANeighbourItsReadings() throws Exception {
    broker.sessionPresent = true;
    broker.keepsMessages = true;
    start(Optional.empty());
    Await.until(broker::isReady);
    for (HostileRow row : HostileTable.rows(Target.SPARKPLUG, 7)) {
      if (row.unusual() == 1) {
        broker.send(HostileMessage.of(row, T));
      }
    }
    byte[] birth = PayloadBuilder.of(T, 0).bdSeq(1).born("a", 3, 1).build();
    broker.send(HostileMessage.of("spBv1.0/neighbour/NBIRTH/n", birth));
    byte[] data = PayloadBuilder.of(T + 1, 1).aliased(3, 2).build();
    broker.send(HostileMessage.of("spBv1.0/neighbour/NDATA/n", data));
    Await.until(
        () -> {
          sink.store();
          return sink.readings().contains("neighbour/n/a@" + (T + 1) + "=2.0");
        });
    assertThat(input.refused()).isNotDone();
  }

  @Test
  void afterACut_aliasesAreNotUsed() throws Exception {
    start(Optional.empty());
    Await.until(broker::isReady);
    broker.publish("spBv1.0/g/NBIRTH/n", PayloadBuilder.of(T, 0).born("a", 3, 1).build());
    Await.until(() -> sink.taken().size() == 1);
    broker.cut();
    Await.until(broker::isReady);
    broker.publish("spBv1.0/g/NDATA/n", PayloadBuilder.of(T, 1).aliased(3, 2).build());
    Await.until(() -> broker.published.size() == 1);
    assertThat(broker.published.get(0)).startsWith("spBv1.0/g/NCMD/n ");
    assertThat(registry.get(SparkplugMetrics.UNRESOLVED).counter().count()).isEqualTo(1);
    assertThat(sink.taken()).hasSize(1);
  }

  @Test
  void topicThatIsTooLong_isRefusedUnread() throws Exception {
    start(Optional.empty());
    Await.until(broker::isReady);
    byte[] body = PayloadBuilder.of(T, 0).born("a", 3, 1).born("b", 4, 1).build();
    broker.publish("spBv1.0/g/NBIRTH/" + "n".repeat(1_024), body);
    broker.publish("spBv1.0/g/NBIRTH/n", body);
    Await.until(() -> sink.taken().size() == 2);
    assertThat(registry.get("weir.edge.refused").counter().count()).isEqualTo(1);
    assertThat(registry.get(SparkplugMetrics.NODES).tag("state", "online").gauge().value())
        .isEqualTo(1);
  }

  private void start(Optional<String> hostId) {
    SparkplugSettings settings =
        new SparkplugSettings(
            new MqttBroker(
                List.of(URI.create("mqtt://127.0.0.1:" + broker.port())),
                MqttBroker.Version.AUTO,
                "weir-test-sparkplug",
                Optional.empty(),
                new MqttBroker.Tls(Optional.empty(), Optional.empty(), Optional.empty()),
                Duration.ZERO,
                Duration.ofSeconds(30)),
            List.of("+"),
            hostId,
            true,
            true,
            100,
            Duration.ofSeconds(5),
            SensorTemplate.parse(SparkplugSettings.DEFAULT_SENSOR_ID, SparkplugSettings.PARTS));
    Identities identities =
        new Identities(
            new IdentitySettings(true, 1 << 23, 0, IdentitySettings.Collisions.COUNT, 16_384));
    input =
        SparkplugInput.start(
            settings,
            new Intake(sink, identities, 256, 200_000_000),
            new InputMetrics(registry),
            new SparkplugMetrics(registry),
            event -> {});
  }
}
