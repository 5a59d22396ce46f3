package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static io.weir.internal.topology.Batches.sensor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Parser;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.registry.FakeRegistry;
import io.weir.internal.registry.ProtobufSerializer;
import io.weir.internal.registry.RegistryException;
import io.weir.internal.registry.RegistrySettings;
import io.weir.internal.registry.Schema;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.MessageIndexes;
import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import io.weir.reading.RejectReason;
import io.weir.signing.SigningPolicy;
import io.weir.topic.LatestForm;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowKey;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The topology with a schema registry: what it writes, what it accepts, and what it waits for. */
@Timeout(60)
class FramedTopologyTest {
  private static final long T = 1_700_000_000_000L;
  private static final String A = sensor(0);
  private static final byte[] KEY = {'g'};
  private static final long TIMEOUT_MS = 150_000;

  private final FakeRegistry registry = FakeRegistry.start();
  private final List<Runnable> atEachPause = new ArrayList<>();
  private long nowMs;
  private final WeirDriver weir = new WeirDriver(settings(Map.of()));

  @AfterEach
  void close() {
    weir.close();
    registry.close();
  }

  private Map<String, Object> registrySettings() {
    return Map.of(RegistrySettings.URL, registry.url(), RegistrySettings.MAX_RETRIES, 0);
  }

  private TopologySettings settings(Map<String, Object> more) {
    return settings(more, TopicNames.DEFAULT);
  }

  private TopologySettings settings(Map<String, Object> more, TopicNames topics) {
    Map<String, Object> values = new HashMap<>(registrySettings());
    values.putAll(more);
    return new TopologySettings(
        topics,
        WeirDriver.SPEC,
        Limits.DEFAULT,
        GatewayRules.of(300_000),
        WindowLimits.ofSensors(1_000_000),
        Duration.ofMinutes(5).toMillis(),
        1 << 20,
        1 << 20,
        ValueFormat.of(values),
        new WaitLimit(TIMEOUT_MS, () -> nowMs, this::pause),
        LatestForm.OFF,
        StatusPlan.OFF,
        SigningPolicy.OFF);
  }

  private void pause(long ms) {
    nowMs += ms;
    atEachPause.forEach(Runnable::run);
  }

  private byte[] framed(ReadingBatch batch) {
    try (ProtobufSerializer<ReadingBatch> serializer = new ProtobufSerializer<>()) {
      serializer.configure(registrySettings(), false);
      return serializer.serialize(WeirDriver.READINGS, batch);
    }
  }

  /** The message in a value that must be framed with the newest id of its topic's subject. */
  private <T> T unframed(String topic, Parser<T> parser, byte[] value) throws Exception {
    int id = registry.schemas().latest(topic + "-value").id();
    byte[] head = Frame.head(id, MessageIndexes.FIRST);
    assertThat(value).startsWith(head);
    return parser.parseFrom(value, head.length, value.length - head.length);
  }

  private void assertUnknown(byte[] value, Headers headers, String why) {
    weir.send(T, KEY, value, headers);
    assertThat(weir.deadLetters())
        .singleElement()
        .satisfies(
            deadLetter -> {
              assertThat(deadLetter.reason()).isEqualTo(RejectReason.UNKNOWN_SCHEMA);
              assertThat(deadLetter.value()).isEqualTo(value);
              assertThat(deadLetter.header("__streams.errors.message")).contains(why);
            });
  }

  @Test
  void framesAndBareBatches_mixed_makeFramedWindowsLateAndDeadLetters() throws Exception {
    weir.send(T, KEY, framed(batch(reading(A, T, 1))));
    weir.send(T, KEY, batch(reading(A, T + 1, 2)).toByteArray());
    weir.send(T, KEY, framed(batch(reading(A, T + 20_000, 3))));
    weir.send(T, KEY, framed(batch(reading(A, T, 4), reading(A, T + 20_000, Double.NaN))));

    WindowSummary window =
        unframed(WeirDriver.WINDOWS, WindowSummary.parser(), weir.windowValues().get(0));
    assertThat(window.getCount()).isEqualTo(2);
    assertThat(window.getSum()).isEqualTo(3);
    byte[] late = weir.late().get(0).value();
    assertThat(unframed(WeirDriver.LATE, ReadingBatch.parser(), late).getReadings(0).getValue())
        .isEqualTo(4);
    byte[] deadLetter = weir.deadLetters().get(0).value();
    assertThat(unframed(WeirDriver.DEAD_LETTERS, ReadingBatch.parser(), deadLetter).getReadings(0))
        .satisfies(refused -> assertThat(refused.getValue()).isNaN());
    assertThat(registry.requests().stream().filter(r -> r.startsWith("GET /schemas/"))).hasSize(1);
  }

  @Test
  void lastSummaries_haveFramedValuesAndBareKeys_orJsonWithoutASchema() throws Exception {
    for (LatestForm form : List.of(LatestForm.PROTOBUF, LatestForm.JSON)) {
      TopologySettings settings =
          Variant.of(
              settings(Map.of(), TopicNames.DEFAULT.with(Topic.LATEST, "weir.latest")), form);
      try (WeirDriver latest = new WeirDriver(settings)) {
        latest.send(T, KEY, framed(batch(reading(A, T, 1), reading(A, T + 20_000, 2))));
        TestRecord<byte[], byte[]> record = latest.read("weir.latest").get(0);
        if (form == LatestForm.PROTOBUF) {
          assertThat(WindowKey.parseFrom(record.key()).getSensorId()).isEqualTo(A);
          assertThat(unframed("weir.latest", WindowSummary.parser(), record.value()).getSensorId())
              .isEqualTo(A);
          registry.schemas().delete("weir.latest-value");
        } else {
          assertThat(record.key()).asString().startsWith("{\"sensor_id\":\"");
          assertThat(record.value()).asString().startsWith("{\"sensor_id\":\"");
          assertThatThrownBy(() -> registry.schemas().latest("weir.latest-value"))
              .isInstanceOf(RegistryException.class);
        }
      }
    }
  }

  @Test
  void schemaThatTheRegistryDoesNotHave_orThatIsNoReadingBatch_isUnknown() {
    byte[] payload = batch(reading(A, T, 1)).toByteArray();
    byte[] absent = Frame.join(Frame.head(4_711, MessageIndexes.FIRST), payload);
    assertUnknown(absent, new RecordHeaders(), "404");

    int windowId = registry.schemas().latest(WeirDriver.WINDOWS + "-value").id();
    byte[] window = Frame.join(Frame.head(windowId, MessageIndexes.FIRST), payload);
    assertUnknown(window, new RecordHeaders(), "has message weir.v1.WindowSummary");

    int avroId = registry.schemas().register("avro", new Schema("AVRO", "\"int\"", List.of()));
    byte[] avro = Frame.join(Frame.head(avroId, MessageIndexes.FIRST), payload);
    assertUnknown(avro, new RecordHeaders(), "has message (unknown)");

    byte[] guid = new byte[18];
    guid[0] = 1;
    assertUnknown(payload, new RecordHeaders().add(FrameHead.HEADER, guid), "404");
    assertThat(weir.counts().undecodable).isEqualTo(4);
    assertThat(weir.counts().aggregated).isZero();
  }

  @Test
  void guidInTheHeader_isChecked_whereTheRegistryKnowsGuids() {
    byte[] payload = batch(reading(A, T, 1)).toByteArray();
    byte[] guid = new byte[18];
    guid[0] = 1;
    Headers headers = new RecordHeaders().add(FrameHead.HEADER, guid);
    weir.send(T, KEY, payload, headers);
    assertThat(weir.deadLetters()).hasSize(1);

    registry.forgetGuids();
    try (WeirDriver older = new WeirDriver(settings(Map.of()))) {
      older.send(T, KEY, payload, headers);
      older.send(T, KEY, payload, headers);
      assertThat(older.deadLetters()).isEmpty();
      assertThat(older.counts().aggregated).isEqualTo(2);
    }
    assertThat(nowMs).isZero();
  }

  @Test
  void outageOfAMinute_losesNothingAndDeadLettersNothing() {
    byte[] before = framed(batch(reading(A, T, 1)));
    registry.goAway();
    atEachPause.add(
        () -> {
          if (nowMs == 60_000) {
            registry.comeBack();
          }
        });
    weir.send(T, KEY, before);
    weir.send(T, KEY, batch(reading(A, T + 20_000, 2)).toByteArray());

    assertThat(nowMs).isEqualTo(60_000);
    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().aggregated).isEqualTo(2);
    assertThat(weir.windowValues()).hasSize(1);
  }

  @Test
  void outageOfARegistry_doesNotConcernIdsThatAreKnownNorBareBatches() {
    byte[] known = framed(batch(reading(A, T, 1)));
    weir.send(T, KEY, known);
    registry.goAway();
    weir.send(T, KEY, known);
    weir.send(T, KEY, batch(reading(A, T + 20_000, 2)).toByteArray());
    assertThat(nowMs).isZero();
    assertThat(weir.counts().aggregated).isEqualTo(3);
  }

  @Test
  void outageBeyondTimeout_failsWithoutAWordOnAnyTopic_andIsReadAgain() {
    byte[] value = framed(batch(reading(A, T, 1)));
    registry.goAway();
    assertThatThrownBy(() -> weir.send(T, KEY, value))
        .hasStackTraceContaining("a record waited 150 s for the schema registry")
        .hasStackTraceContaining("connection refused");
    assertThat(nowMs).isEqualTo(TIMEOUT_MS);
    assertThat(weir.deadLetters()).isEmpty();

    registry.comeBack();
    weir.send(T, KEY, value);
    assertThat(weir.counts().aggregated).isOne();
  }

  @Test
  void refusedCredentials_areNoVerdictOnARecord() {
    byte[] value = framed(batch(reading(A, T, 1)));
    registry.refuse(true);
    atEachPause.add(() -> registry.refuse(nowMs < 30_000));
    weir.send(T, KEY, value);
    assertThat(nowMs).isEqualTo(30_000);
    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().aggregated).isOne();
  }

  @Test
  void waitThatIsEnded_givesUp() {
    byte[] value = framed(batch(reading(A, T, 1)));
    TopologySettings own = settings(Map.of());
    try (WeirDriver closing = new WeirDriver(own)) {
      registry.goAway();
      atEachPause.add(own.registryWait()::end);
      assertThatThrownBy(() -> closing.send(T, KEY, value))
          .hasStackTraceContaining(RegistryException.class.getName())
          .hasStackTraceContaining("will be read again");
      assertThat(nowMs).isEqualTo(1_000);
    }
  }

  @Test
  void serdeNamedByASetting_readsAndWritesInPlaceOfWeirsOwn() {
    Map<String, Object> swapped = Map.of("weir.serde.class", ReversedSerde.class.getName());
    try (WeirDriver own = new WeirDriver(settings(swapped))) {
      ReversedSerde reversed = new ReversedSerde();
      own.send(T, KEY, reversed.serializer().serialize("t", batch(reading(A, T, 7))));
      own.send(T, KEY, reversed.serializer().serialize("t", batch(reading(A, T + 20_000, 1))));
      own.send(T, KEY, new byte[] {1, 2, 3});

      byte[] value = own.windowValues().get(0);
      reversed.configure(Map.of("specific.protobuf.value.type", WindowSummary.class), false);
      WindowSummary window = (WindowSummary) reversed.deserializer().deserialize("t", value);
      assertThat(window.getSum()).isEqualTo(7);
      assertThat(own.deadLetters())
          .singleElement()
          .satisfies(l -> assertThat(l.reason()).isEqualTo(RejectReason.UNDECODABLE));
    }
  }
}
