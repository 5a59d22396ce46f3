package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir events} on a broker whose clock is moved. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class DueInAnHourTest {
  private static final long HOUR_MS = 3_600_000;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** What is left of the hour when the process comes back. */
  private static final long LEFT_MS = 4_000;

  private static final String KEY = "line-1";

  @TempDir private Path dir;
  private ChaosCluster cluster;
  private Application events;

  @BeforeEach
  void start() {
    cluster = ChaosCluster.start(1, dir);
    new TopicAdmin(cluster.admin(), TopicNames.ALL.of(User.EVENTS)).createMissing();
    ChaosSettings settings = ChaosSettings.builder(1, TIMEOUT).processes(1, 1, 1).events(1).build();
    events = new EventsApplication(0, settings, cluster.bootstrapServers(), dir);
  }

  @AfterEach
  void stop() {
    events.close();
    cluster.close();
  }

  /** Nothing else is written, and the process is away for half of the hour. */
  @Test
  void eventDueInAnHour_comesInAnHour_onceAndNotEarly() throws Exception {
    start(events);
    long orderedMs = order();
    long dueMs = orderedMs + HOUR_MS;
    cluster.node(0).clock(HOUR_MS / 2);
    events.kill();
    assertThat(fired()).isEmpty();
    cluster.node(0).clock(dueMs - LEFT_MS - System.currentTimeMillis());
    start(events);

    assertThat(Waiting.until(TIMEOUT, () -> !fired().isEmpty())).as("it comes").isTrue();
    events.stop();
    assertThat(fired())
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.timestamp()).isGreaterThanOrEqualTo(dueMs);
              assertThat(batch(record).getEventsList())
                  .singleElement()
                  .satisfies(event -> assertThat(event.getTimestampMs()).isEqualTo(dueMs));
            });
  }

  private static void start(Application events) {
    events.start();
    assertThat(events.awaitRunning(TIMEOUT)).as("it runs").isTrue();
  }

  /** Orders an event that is due an hour later; returns when that was. */
  private long order() throws Exception {
    long nowMs = System.currentTimeMillis();
    Event order = Event.newBuilder().setKey(KEY).setId("service").setDueMs(nowMs + HOUR_MS).build();
    byte[] value = EventBatch.newBuilder().addEvents(order).build().toByteArray();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", cluster.direct()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      String topic = Topic.SCHEDULED.defaultName();
      producer.send(new ProducerRecord<>(topic, SensorPartition.of(KEY), null, value)).get();
    }
    return nowMs;
  }

  /** Records with events that came due. */
  private List<ConsumerRecord<byte[], byte[]>> fired() {
    List<ConsumerRecord<byte[], byte[]>> fired = new ArrayList<>();
    try (CommittedTopic topic = new CommittedTopic(cluster.direct())) {
      topic.read(
          Topic.EVENTS.defaultName(),
          record -> {
            if (batch(record).getEventsCount() > 0) {
              fired.add(record);
            }
          });
    }
    return fired;
  }

  private static EventBatch batch(ConsumerRecord<byte[], byte[]> record) {
    try {
      return EventBatch.parseFrom(record.value());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
