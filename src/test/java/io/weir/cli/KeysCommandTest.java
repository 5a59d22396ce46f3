package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.Committed;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key of a running application, shown and deleted. */
class KeysCommandTest {
  private static final String KEY = "post_1";

  @TempDir private Path dir;

  /** The state is a text with a letter for each event. */
  private static final class Letters implements KeyHandler {
    @Override
    public void start(KeyContext key) {
      key.schedule("silence", Duration.ofHours(1));
    }

    @Override
    public Outcome event(KeyContext key, Event event) {
      String before = key.state(Serdes.String());
      key.setState(Serdes.String(), (before == null ? "" : before) + event.getType());
      key.emit("handled", key.key(), key.state(Serdes.String()));
      return Outcome.CONTINUE;
    }
  }

  @Test
  void key_isShown_andDeletedBetweenTheEventsAroundTheOrder() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, TopicNames.ALL).createMissing();
      KafkaFutures.await(admin.createTopics(List.of(new NewTopic("handled", 1, (short) 1))).all());
      MeterRegistry registry = new SimpleMeterRegistry();
      try (KeyedApplication application =
          KeyedApplication.builder("posts", Letters::new)
              .setting("bootstrap.servers", kafka.bootstrapServers())
              .setting("state.dir", dir.toString())
              .environment(Map.of())
              .registry(registry)
              .output("handled", new StringSerializer(), new StringSerializer())
              .start()) {
        send(kafka, "a");
        send(kafka, "b");
        await(kafka, application, 2);
        assertThat(registry.get("weir.handlers.calls").tag("call", "event").counter().count())
            .isEqualTo(2);
        while (registry.get("weir.partitions").gauge().value() < SensorPartition.COUNT) {
          Await.pause(); // It is refreshed every few seconds.
        }
        WeirProcess.Ended shown = keys(kafka, "show", "posts", KEY);
        assertThat(shown.out())
            .contains("key\tpost_1\n", "state bytes\t2\n", "state\tab\n", "timer\tsilence\t")
            .contains("partition\t" + SensorPartition.of(KEY) + "\n", "waiting events\t0\n");
        WeirProcess.Ended deleted = keys(kafka, "delete", "posts", KEY);
        assertThat(deleted.out()).startsWith("post_1\t" + SensorPartition.of(KEY) + "\t");
        send(kafka, "c");
        assertThat(await(kafka, application, 3)).containsExactly("a", "ab", "c");
        WeirProcess.Ended unknown = keys(kafka, "delete", "posts", "post_2");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err()).contains("key post_2 is not alive in application posts");
      }
    }
  }

  private static void send(EmbeddedKafka kafka, String type) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      Event event = Event.newBuilder().setKey(KEY).setType(type).setTimestampMs(1).build();
      byte[] batch = EventBatch.newBuilder().addEvents(event).build().toByteArray();
      producer.send(new ProducerRecord<>("weir.events", SensorPartition.of(KEY), null, batch));
    }
  }

  private static List<String> await(EmbeddedKafka kafka, KeyedApplication application, int count)
      throws Exception {
    List<String> handled = new ArrayList<>();
    while (handled.size() < count) {
      assertThat(application.ended()).isNotDone();
      Await.longPause();
      handled.clear();
      Committed.afterTransactions(kafka.bootstrapServers(), List.of("handled"))
          .forEach(record -> handled.add(new String(record.value(), StandardCharsets.UTF_8)));
    }
    return handled;
  }

  private static WeirProcess.Ended keys(EmbeddedKafka kafka, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("keys"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--bootstrap-servers", kafka.bootstrapServers()));
    return CommandHost.shared().run(all.toArray(new String[0]));
  }
}
