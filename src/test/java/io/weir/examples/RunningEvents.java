package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.internal.app.EventApplication;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.EventMeters;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** {@code weir events} on a broker, for publishers that are other programs. */
final class RunningEvents implements AutoCloseable {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(240);

  private final EmbeddedKafka kafka = EmbeddedKafka.start();
  private final StreamsApplication application;

  RunningEvents(Path dir) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      new TopicAdmin(admin, TopicNames.ALL.of(User.EVENTS)).createMissing();
    }
    Map<String, String> options =
        Map.of(
            "bootstrap.servers", bootstrapServers(),
            "events", "true",
            "fold", "true",
            "fold.quiet", "300ms",
            "fold.max.hold", "2s",
            "threads", "1",
            "http.port", "0",
            "state.dir", dir.resolve("events-state").toString());
    application =
        EventApplication.start(
            WeirConfig.of(new Properties(), Map.of(), options),
            new EventMeters(new SimpleMeterRegistry()));
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** The folds of keys that begin so, when as many events are in them as there must be. */
  List<FoldedEvent> folds(String prefix, long events) throws Exception {
    long start = System.nanoTime();
    while (true) {
      List<FoldedEvent> folds = new ArrayList<>();
      for (ConsumerRecord<byte[], byte[]> record : read(Topic.FOLDED)) {
        FoldedEvent fold = FoldedEvent.parseFrom(record.value());
        if (fold.getKey().startsWith(prefix)) {
          folds.add(fold);
        }
      }
      long found = folds.stream().mapToLong(FoldedEvent::getEventCount).sum();
      if (found >= events) {
        return folds;
      }
      assertThat(application.ended()).isNotDone();
      assertThat(System.nanoTime() - start)
          .as("%d of %d events", found, events)
          .isLessThan(TIMEOUT_NANOS);
      Await.pause();
    }
  }

  /** The ids of events of such keys that came due; none of them early. */
  List<String> fired(String prefix) throws Exception {
    List<String> ids = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : read(Topic.EVENTS)) {
      for (Event event : EventBatch.parseFrom(record.value()).getEventsList()) {
        if (event.getKey().startsWith(prefix) && event.getDueMs() > 0) {
          assertThat(record.timestamp()).isGreaterThanOrEqualTo(event.getDueMs());
          ids.add(event.getId());
        }
      }
    }
    return ids;
  }

  long deadLetters() {
    return read(Topic.DEAD_LETTERS).size();
  }

  private List<ConsumerRecord<byte[], byte[]>> read(Topic topic) {
    List<TopicPartition> partitions =
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(number -> new TopicPartition(topic.defaultName(), number))
            .toList();
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers(), "isolation.level", "read_committed");
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, bytes, bytes)) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
      }
      return records;
    }
  }

  @Override
  public void close() {
    application.close();
    kafka.close();
  }
}
