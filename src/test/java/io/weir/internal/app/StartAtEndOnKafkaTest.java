package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.internal.registry.ValueFormat;
import io.weir.keyed.KeyContext;
import io.weir.keyed.KeyHandler;
import io.weir.keyed.KeyedApplication;
import io.weir.keyed.Outcome;
import io.weir.keyed.StartAt;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A new application that begins at the end of its topic, and its restarts. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StartAtEndOnKafkaTest {
  private static final String APPLICATION = "newcomer";
  private static final String QUIET = "pump-2";

  @TempDir private Path dir;
  private final List<String> handled = new CopyOnWriteArrayList<>();
  private MeterRegistry registry;
  private AppRig rig;
  private KafkaProducer<byte[], byte[]> producer;

  private final class Noting implements KeyHandler {
    @Override
    public void start(KeyContext key) {}

    @Override
    public Outcome event(KeyContext key, Event event) {
      handled.add(event.getSubject());
      return Outcome.CONTINUE;
    }
  }

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

  @Test
  void newApplication_handlesOnlyWhatComesAfterItsFirstStart_andLosesNothingWhileItIsStopped()
      throws Exception {
    send("pump-1", "history");
    send(QUIET, "history of another partition");
    open(StartAt.END).close();
    assertThat(lossOf(QUIET)).isEmpty();
    assertThat(registry.get("weir.success.age").timeGauge()).isNotNull();

    // It has handled nothing yet, and its partitions have no state.
    send("pump-1", "while it is stopped");
    handling(StartAt.END, 1);
    send("pump-1", "later");
    handling(StartAt.END, 2);

    // By now one partition has a state, and the others have none.
    send(QUIET, "first of another partition");
    handling(StartAt.BEGINNING, 3);
    assertThat(handled)
        .containsExactly("while it is stopped", "later", "first of another partition");
  }

  @SuppressWarnings("try") // It runs while it is open.
  private void handling(StartAt where, int events) throws Exception {
    try (KeyedApplication application = open(where)) {
      Await.until(() -> handled.size() >= events);
    }
  }

  private KeyedApplication open(StartAt where) throws Exception {
    registry = new SimpleMeterRegistry();
    KeyedApplication application =
        KeyedApplication.builder(APPLICATION, Noting::new)
            .startAt(where)
            .registry(registry)
            .environment(
                Map.of(
                    "WEIR_BOOTSTRAP_SERVERS", rig.bootstrapServers(),
                    "WEIR_STATE_DIR", dir.toString(),
                    "WEIR_THREADS", "1"))
            .start();
    Await.until(application::isReady);
    // Nobody reads the registry: a timer refreshes its gauges.
    Await.until(() -> registry.get("weir.partitions").gauge().value() == SensorPartition.COUNT);
    return application;
  }

  private void send(String key, String subject) throws Exception {
    EventBatch batch =
        EventBatch.newBuilder()
            .addEvents(
                Event.newBuilder()
                    .setKey(key)
                    .setSubject(subject)
                    .setTimestampMs(System.currentTimeMillis()))
            .build();
    producer
        .send(
            new ProducerRecord<>(
                Topic.EVENTS.defaultName(), SensorPartition.of(key), null, batch.toByteArray()))
        .get();
  }

  private Optional<LossFinder.Loss> lossOf(String key) {
    return new LossFinder(
            rig.admin(), Topic::defaultName, this::reader, ValueFormat.BARE, List.of())
        .find(APPLICATION, Topic.EVENTS.defaultName(), SensorPartition.of(key));
  }

  private Consumer<byte[], byte[]> reader() {
    Map<String, Object> settings = new HashMap<>(rig.client());
    settings.put("isolation.level", "read_committed");
    settings.put("auto.offset.reset", "none");
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
