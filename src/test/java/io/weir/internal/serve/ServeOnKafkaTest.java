package io.weir.internal.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.Await;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The service over topics of a broker: committed records alone, history, a broker that is away. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ServeOnKafkaTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long START_MS = 1_700_000_000_000L;
  private static final int SENSORS = 50;

  private final HttpClient client = HttpClient.newHttpClient();
  private EmbeddedKafka kafka;
  private Serve serve;

  @BeforeEach
  void start() {
    kafka = EmbeddedKafka.start();
  }

  @AfterEach
  void stop() {
    if (serve != null) {
      serve.close();
    }
    kafka.close();
  }

  private WeirConfig config() {
    return WeirConfig.of(
        new Properties(),
        Map.of(),
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "serve.listen",
            "127.0.0.1:0",
            "serve.start.bytes",
            "0",
            "status",
            "true"));
  }

  private void makeTopics() {
    Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (Admin admin = Admin.create(settings)) {
      new TopicAdmin(admin, TopicNames.DEFAULT.with(Topic.STATUS, "weir.status")).createMissing();
    }
  }

  private KafkaProducer<byte[], byte[]> producer() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("transactional.id", "test");
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String id, byte[] value) {
    byte[] key = id.getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(topic, SensorPartition.of(id), key, value);
  }

  private static ProducerRecord<byte[], byte[]> window(String id, int number, double value) {
    long startMs = START_MS + number * 10_000L;
    WindowSummary summary =
        WindowSummary.newBuilder()
            .setSensorId(id)
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + 10_000)
            .setCount(1)
            .setSum(value)
            .setMin(value)
            .setMax(value)
            .build();
    return record("weir.windows", id, summary.toByteArray());
  }

  private static ProducerRecord<byte[], byte[]> letter() {
    ReadingBatch.Builder batch = ReadingBatch.newBuilder().setGatewayId("line-7");
    for (int i = 0; i < 30; i++) {
      batch.addReadings(Reading.newBuilder().setSensorId("s1").setTimestampMs(i));
    }
    ProducerRecord<byte[], byte[]> letter =
        record("weir.dead-letters", "s1", batch.build().toByteArray());
    letter
        .headers()
        .add(DeadLetterHeaders.REASON, "INVALID_VALUE".getBytes(StandardCharsets.UTF_8));
    return letter;
  }

  private Serve serve() {
    return Serve.start(config(), new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), () -> "{}");
  }

  private JsonNode ask(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + serve.port() + "/api/v1/" + path);
    return JSON.readTree(
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body());
  }

  /** A slow machine may stop a scan before it has read all. */
  private JsonNode askForAll(String path) throws Exception {
    JsonNode answer = ask(path);
    for (int i = 0; i < 20 && !answer.path("complete").asBoolean(); i++) {
      answer = ask(path);
    }
    return answer;
  }

  @Test
  void withoutTopics_itSaysWhatToDo() {
    assertThatThrownBy(this::serve)
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("weir topics");
  }

  @Test
  void committedRecords_areShown_andOlderOnesAreReadFromTheTopic() throws Exception {
    makeTopics();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      producer.beginTransaction();
      for (int i = 0; i < SENSORS; i++) {
        producer.send(window("s" + i, 0, i));
        SensorStatus status =
            SensorStatus.newBuilder()
                .setSensorId("s" + i)
                .setState(SensorState.SENSOR_STATE_STARTED)
                .build();
        producer.send(record("weir.status", "s" + i, status.toByteArray()));
      }
      producer.send(letter());
      producer.commitTransaction();

      serve = serve();
      Await.until(serve::isReady);
      assertThat(ask("overview").at("/sensors/started").asInt()).isEqualTo(SENSORS);
      assertThat(ask("sensor?id=s7").get("newest").isNull()).isTrue();
      JsonNode scanned = askForAll("windows?id=s7&from=" + START_MS);
      assertThat(scanned.get("source").asText()).isEqualTo("topic");
      assertThat(scanned.get("complete").asBoolean()).isTrue();
      assertThat(scanned.at("/windows/0/sum").asDouble()).isEqualTo(7);
      assertThat(serve.scannedBytes()).isPositive();
      JsonNode letters = ask("dead-letters");
      assertThat(letters.at("/records/0/record/headers/weir.reason").asText())
          .isEqualTo("INVALID_VALUE");
      assertThat(letters.at("/records/0/record/readings")).hasSize(10);

      producer.beginTransaction();
      producer.send(window("s7", 1, 1_000));
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      producer.send(window("s7", 2, 2_000));
      producer.send(record("weir.status", "s8", null));
      producer.commitTransaction();
      Await.until(() -> ask("sensor?id=s7").at("/newest/sum").asDouble() == 2_000);
      assertThat(ask("windows?id=s7&from=" + START_MS).get("windows")).hasSize(2);
      Await.until(() -> ask("overview").at("/sensors/started").asInt() == SENSORS - 1);
    }
  }

  @Test
  void brokerThatIsAway_isSaid_andWhatIsHeldIsShown() throws Exception {
    makeTopics();
    serve = serve();
    Await.until(serve::isReady);
    assertThat(ask("overview").get("connected").asBoolean()).isTrue();
    long seenMs = ask("overview").get("as_of_ms").asLong();
    kafka.close();

    Await.until(() -> !ask("overview").get("connected").asBoolean());
    long laterMs = ask("overview").get("as_of_ms").asLong();
    assertThat(laterMs).isGreaterThanOrEqualTo(seenMs);
    assertThat(serve.describe()).contains("Kafka does not answer");
    assertThat(ask("sensors").get("sensors")).isEmpty();
  }
}
