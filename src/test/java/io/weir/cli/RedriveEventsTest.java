package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.Committed;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.redrive.DeadLetterTopic;
import io.weir.keyed.EndReason;
import io.weir.keyed.KeyContext;
import io.weir.keyed.KeyHandler;
import io.weir.keyed.KeyedApplication;
import io.weir.keyed.Outcome;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters of events, sent again on a broker. */
class RedriveEventsTest {
  private static final int DEAD_LETTERS = 3_000;
  private static final String MARKS = "weir.dead-letters.redriven";

  @TempDir private Path dir;
  private EmbeddedKafka kafka;
  private Admin admin;

  @BeforeEach
  void start() {
    kafka = EmbeddedKafka.start();
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    new TopicAdmin(admin, TopicNames.ALL).createMissing();
  }

  @AfterEach
  void stop() {
    admin.close();
    kafka.close();
  }

  private static Event event(String key, long expiresMs) {
    return Event.newBuilder()
        .setKey(key)
        .setTimestampMs(1_700_000_000_000L)
        .setExpiresMs(expiresMs)
        .build();
  }

  private static void dead(
      DeadLetterTopic topic, int partition, String reason, String origin, Event event) {
    Headers headers = DeadLetterHeaders.of(new Origin(origin, partition, 7));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, reason);
    DeadLetterHeaders.add(headers, DeadLetterHeaders.APPLICATION, "posts");
    topic.record(
        partition, headers, EventBatch.newBuilder().addEvents(event).build().toByteArray());
  }

  @Test
  void killedInTheMiddle_andRunAgain_sendsEachEventOnce_toThePartitionOfItsKey() throws Exception {
    try (DeadLetterTopic dead =
        new DeadLetterTopic(kafka.bootstrapServers(), "weir.dead-letters")) {
      for (int i = 0; i < DEAD_LETTERS; i++) {
        dead(dead, i % 64, i % 2 == 0 ? "HANDLER" : "MISROUTED", "weir.events", event("k" + i, 0));
      }
      dead(dead, 1, "HANDLER_RETRY", "weir.events", event("again", 0));
      dead(dead, 1, "MISSING_KEY", "weir.events", event("", 0));
      dead(dead, 1, "FENCED", "weir.events", event("fenced", 0));
      dead(dead, 1, "EXPIRED_EVENT", "weir.scheduled", event("expired", 5));
      dead.commit();
    }
    WeirProcess.Ended notRunning = redrive("events");
    assertThat(notRunning.status()).isEqualTo(1);
    assertThat(notRunning.err()).contains("3,000 records: of an application that does not run");
    assertThat(committed("weir.events")).isEmpty();

    Process killed = start("events", "--yes");
    while (!isMarked()) {
      assertThat(killed.isAlive()).isTrue();
      Await.pause();
    }
    killed.destroyForcibly().waitFor();

    WeirProcess.Ended again = redrive("events", "--yes");
    assertThat(again.out())
        .contains("matching " + (DEAD_LETTERS + 4) + " records")
        .contains(" skipped 4;")
        .contains(" events in ")
        .doesNotContain("sent before 0");
    assertThat(again.err())
        .contains("set --reason EXPIRED_EVENT", "come again", "refused as a whole");
    List<String> keys = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : committed("weir.events")) {
      EventBatch batch = EventBatch.parseFrom(record.value());
      assertThat(batch.getBootId()).isZero();
      for (Event event : batch.getEventsList()) {
        assertThat(record.partition()).isEqualTo(SensorPartition.of(event.getKey()));
        keys.add(event.getKey());
      }
    }
    assertThat(keys).hasSize(DEAD_LETTERS).doesNotHaveDuplicates();

    assertThat(redrive("events", "--yes", "--reason", "EXPIRED_EVENT").out())
        .contains("= sent 1 +");
    List<ConsumerRecord<byte[], byte[]>> due = committed("weir.scheduled");
    assertThat(due).hasSize(1);
    assertThat(EventBatch.parseFrom(due.get(0).value()).getEvents(0).getExpiresMs()).isZero();
    WeirProcess.Ended all = redrive("events", "--yes", "--reason", "EXPIRED_EVENT,HANDLER");
    assertThat(all.status()).isEqualTo(1);
    assertThat(all.err()).contains("all matching records were sent before");
    assertThat(redrive("dead-letters", "--reason", "HANDLER").status()).isEqualTo(2);
  }

  /** Counts; fails first. */
  private static final class Account implements KeyHandler {
    private final Optional<List<String>> failsOnce;

    Account(Optional<List<String>> failsOnce) {
      this.failsOnce = failsOnce;
    }

    @Override
    public void start(KeyContext key) {}

    @Override
    public Outcome event(KeyContext key, Event event) {
      key.emit("handled", key.key(), event.getType());
      if (failsOnce.isPresent() && !failsOnce.get().contains(event.getType())) {
        failsOnce.get().add(event.getType());
        throw new IllegalStateException("no server");
      }
      return Outcome.CONTINUE;
    }

    @Override
    public void end(KeyContext key, EndReason reason) {}
  }

  private KeyedApplication application(String id, Optional<List<String>> failsOnce) {
    return KeyedApplication.builder(id, () -> new Account(failsOnce))
        .retry(1)
        .setting("bootstrap.servers", kafka.bootstrapServers())
        .setting("state.dir", dir.resolve(id).toString())
        .environment(Map.of())
        .output("handled", new StringSerializer(), new StringSerializer())
        .start();
  }

  @Test
  void onlyTheApplicationThatFailed_handlesItAgain_once() throws Exception {
    KafkaFutures.await(admin.createTopics(List.of(new NewTopic("handled", 1, (short) 1))).all());
    List<String> failed = new java.util.concurrent.CopyOnWriteArrayList<>();
    try (KeyedApplication first = application("first", Optional.of(failed));
        KeyedApplication second = application("second", Optional.empty())) {
      send("post");
      while (committed("weir.dead-letters").isEmpty() || committed("handled").isEmpty()) {
        assertThat(first.ended()).isNotDone();
        assertThat(second.ended()).isNotDone();
        Await.longPause();
      }
      assertThat(redrive("events").out()).contains("= sent 1 +");
      assertThat(redrive("events").status()).isEqualTo(1);
      while (committed("handled").size() < 2) {
        assertThat(first.ended()).isNotDone();
        Await.longPause();
      }
      // Behind the copy, in the same partition: both have passed it when they have handled this.
      failed.add("last");
      send("last");
      while (committed("handled").size() < 4) {
        assertThat(second.ended()).isNotDone();
        Await.longPause();
      }
      assertThat(committed("handled")).hasSize(4);
      assertThat(committed("weir.dead-letters")).hasSize(1);
    }
  }

  private void send(String type) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      Event event = event("account_1", 0).toBuilder().setType(type).build();
      byte[] batch = EventBatch.newBuilder().addEvents(event).build().toByteArray();
      producer.send(
          new ProducerRecord<>("weir.events", SensorPartition.of("account_1"), null, batch));
    }
  }

  /** Batches; without ticks. */
  private List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
    return Committed.afterTransactions(kafka.bootstrapServers(), List.of(topic)).stream()
        .filter(record -> record.value().length > 0)
        .toList();
  }

  private boolean isMarked() throws Exception {
    return admin.listTopics().names().get().contains(MARKS) && !committed(MARKS).isEmpty();
  }

  private WeirProcess.Ended redrive(String... arguments) throws Exception {
    return CommandHost.shared().run(words(arguments));
  }

  private Process start(String... arguments) throws Exception {
    return WeirProcess.start(words(arguments));
  }

  private String[] words(String... arguments) {
    List<String> all = new ArrayList<>(List.of("redrive"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--bootstrap-servers", kafka.bootstrapServers()));
    return all.toArray(new String[0]);
  }
}
