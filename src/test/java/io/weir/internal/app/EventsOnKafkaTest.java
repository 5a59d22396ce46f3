package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.Await;
import io.weir.Committed;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import io.weir.v1.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
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

/** {@code weir events} on a real broker, killed in the midst of its work. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class EventsOnKafkaTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());
  private static final int KILLS = Integer.getInteger("weir.kills", 3);
  private static final int KEYS = 40;

  /** Of the second application, which reads the same events and writes elsewhere. */
  private static final String AGAIN = "again";

  private static final Map<Topic, String> TOPICS_AGAIN =
      Map.of(Topic.FOLDED, "again.folded", Topic.SCHEDULED, "again.scheduled");

  @TempDir private Path dir;
  private final Random random = new Random(SEED);
  private final List<Event> sent = new ArrayList<>();
  private final List<Event> scheduled = new ArrayList<>();
  private AppRig rig;
  private KafkaProducer<byte[], byte[]> producer;

  @BeforeEach
  void start() {
    rig = new AppRig(dir);
    TopicNames topics = TopicNames.ALL.of(User.EVENTS);
    new TopicAdmin(rig.admin(), topics).createMissing();
    for (Map.Entry<Topic, String> topic : TOPICS_AGAIN.entrySet()) {
      topics = topics.with(topic.getKey(), topic.getValue());
    }
    new TopicAdmin(rig.admin(), topics).createMissing();
    producer =
        new KafkaProducer<>(rig.client(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterEach
  void stop() {
    producer.close(Duration.ZERO);
    rig.close();
  }

  /**
   * Each event is in one fold, no fold comes twice, each timer comes once, none early; and another
   * application makes the same folds of the same topic.
   */
  @Test
  void killedAgainAndAgain_foldsAndTimersAreThoseOfOnePass() throws Exception {
    try {
      for (int kill = 0; kill <= KILLS; kill++) {
        try (WeirProcess weir = startProcess("events-" + kill, Map.of())) {
          weir.awaitReady();
          int before = folds().size();
          for (int i = 0; i < 20; i++) {
            send();
          }
          if (kill < KILLS) {
            weir.await("folding", () -> folds().size() > before);
            send();
            weir.kill();
          } else {
            long all = sent.size() + scheduled.size();
            weir.await("folding all", () -> count(folds()) >= all);
          }
        }
      }
      check();
      foldAgain();
      assertThat(folds(TOPICS_AGAIN.get(Topic.FOLDED)))
          .containsExactlyInAnyOrderElementsOf(folds());
    } catch (AssertionError e) {
      throw new AssertionError("seed " + SEED + " (-Dweir.seed=" + SEED + ")", e);
    }
  }

  /**
   * The offsets of what is no longer folded expire; the state knows by itself how far it has come.
   */
  @Test
  void foldSwitchedOff_untilItsOffsetsHaveExpired_andOnAgain_foldsEachEventOnce() throws Exception {
    foldAll("before");
    try (WeirProcess weir = startProcess("off", Map.of("WEIR_FOLD", "false"))) {
      weir.awaitReady();
      send();
    }
    deleteOffsets();
    foldAll("after");
    check();
  }

  private void foldAll(String name) throws Exception {
    try (WeirProcess weir = startProcess(name, Map.of())) {
      weir.awaitReady();
      for (int i = 0; i < 10; i++) {
        send();
      }
      long all = sent.size() + scheduled.size();
      weir.await("folding all", () -> count(folds()) >= all);
    }
  }

  private void deleteOffsets() throws Exception {
    while (true) {
      try {
        rig.admin().deleteConsumerGroups(List.of("weir-events")).all().get();
        return;
      } catch (ExecutionException e) {
        Await.pause(); // The process that ended may still be a member.
      }
    }
  }

  /** Killed while it folds what is there, until it has folded all. */
  private void foldAgain() throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("WEIR_EVENTS_APPLICATION_ID", AGAIN);
    TOPICS_AGAIN.forEach((topic, name) -> environment.put("WEIR_TOPIC_" + topic.name(), name));
    String folded = TOPICS_AGAIN.get(Topic.FOLDED);
    try (WeirProcess weir = startProcess(AGAIN + "-0", environment)) {
      weir.await("folding again", () -> !folds(folded).isEmpty());
      weir.kill();
    }
    try (WeirProcess weir = startProcess(AGAIN + "-1", environment)) {
      weir.await("folding all again", () -> count(folds(folded)) >= count(folds()));
    }
  }

  private WeirProcess startProcess(String name, Map<String, String> more) throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("WEIR_BOOTSTRAP_SERVERS", rig.bootstrapServers());
    environment.put("WEIR_EVENTS", "true");
    environment.put("WEIR_FOLD", "true");
    environment.put("WEIR_FOLD_QUIET", "500ms");
    environment.put("WEIR_FOLD_MAX_HOLD", "2s");
    environment.put("WEIR_INSTANCE_ID", "events-0");
    environment.put("WEIR_STATE_DIR", dir + "/state");
    environment.put("WEIR_THREADS", "2");
    environment.putAll(more);
    return WeirProcess.start(
        dir.resolve(name + ".log"), environment, List.of("io.weir.cli.Weir", "events"));
  }

  /** A few events that happened, and a few that are due within ten seconds. */
  private void send() {
    String key = "key-" + random.nextInt(KEYS);
    EventBatch.Builder happened = EventBatch.newBuilder();
    for (int n = random.nextInt(5); n >= 0; n--) {
      happened.addEvents(
          event(key).setTimestampMs(System.currentTimeMillis() - random.nextInt(99)));
    }
    sent.addAll(happened.build().getEventsList());
    append(Topic.EVENTS, key, happened.build());
    Event due =
        event(key)
            .setId("timer-" + scheduled.size())
            .setDueMs(System.currentTimeMillis() + random.nextInt(10_000))
            .build();
    scheduled.add(due);
    append(Topic.SCHEDULED, key, EventBatch.newBuilder().addEvents(due).build());
  }

  private Event.Builder event(String key) {
    Value value = Value.newBuilder().setInt64Value(random.nextInt(100)).build();
    return Event.newBuilder().setKey(key).putFields("f" + random.nextInt(5), value);
  }

  private void append(Topic topic, String key, EventBatch batch) {
    producer.send(
        new ProducerRecord<>(
            topic.defaultName(), SensorPartition.of(key), null, batch.toByteArray()));
  }

  private List<ConsumerRecord<byte[], byte[]>> read(Topic topic) {
    return read(topic.defaultName());
  }

  private List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    return Committed.of(rig.bootstrapServers(), List.of(topic));
  }

  private List<FoldedEvent> folds() {
    return folds(Topic.FOLDED.defaultName());
  }

  private List<FoldedEvent> folds(String topic) {
    List<FoldedEvent> folds = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : read(topic)) {
      try {
        folds.add(FoldedEvent.parseFrom(record.value()));
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }
    return folds;
  }

  private static long count(List<FoldedEvent> folds) {
    return folds.stream().mapToLong(FoldedEvent::getEventCount).sum();
  }

  private void check() throws Exception {
    List<FoldedEvent> folds = folds();
    assertThat(count(folds)).isEqualTo(sent.size() + scheduled.size());
    assertThat(folds)
        .extracting(fold -> fold.getKey() + " " + fold.getOffset() + " " + fold.getIndex())
        .doesNotHaveDuplicates();
    List<String> fired = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : read(Topic.EVENTS)) {
      for (Event event : EventBatch.parseFrom(record.value()).getEventsList()) {
        if (event.getDueMs() > 0) {
          fired.add(event.getId());
          assertThat(record.timestamp()).isGreaterThanOrEqualTo(event.getDueMs());
        }
      }
    }
    assertThat(fired)
        .containsExactlyInAnyOrderElementsOf(scheduled.stream().map(Event::getId).toList());
    assertThat(read(Topic.DEAD_LETTERS)).isEmpty();
  }
}
