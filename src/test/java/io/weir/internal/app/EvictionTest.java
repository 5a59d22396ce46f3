package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.lab.EmbeddedKafka;
import io.weir.topic.KafkaFutures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class EvictionTest {
  @Test
  void membersOfAnInstance_areThoseOfItsThreads_andNoOthers() {
    List<String> names = List.of("weir-1-12", "weir-1-2", "weir-11-1", "my-weir-1-1", "weir-1");

    assertThat(new Eviction(null, "weir").membersOf("weir-1", names))
        .containsExactly("weir-1-12", "weir-1-2");
  }

  @Test
  void instanceThatIsNotThere_isSaid_withThoseThatAre() {
    Eviction eviction = new Eviction(null, "weir");

    assertThatThrownBy(() -> eviction.membersOf("weir-7", List.of("weir-1-1", "weir-0-2")))
        .hasMessage("group weir has no static members of weir-7; others: weir-0, weir-1");
    assertThatThrownBy(() -> eviction.membersOf("weir-7", List.of()))
        .hasMessage("group weir has no static members of weir-7");
  }

  /** Its session has half an hour to go, and its partitions are another's at once. */
  @Test
  void memberThatIsGone_givesItsPartitionsUp() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      KafkaFutures.await(admin.createTopics(List.of(new NewTopic("readings", 2, (short) 1))).all());
      KafkaConsumer<byte[], byte[]> gone = member(kafka, "weir-1-1");
      awaitPartitions(gone, 2);
      gone.close(); // With a name it is expected back.

      assertThat(new Eviction(admin, "weir").evict("weir-1")).containsExactly("weir-1-1");
      try (KafkaConsumer<byte[], byte[]> other = member(kafka, "weir-0-1")) {
        awaitPartitions(other, 2);
      }
    }
  }

  private static void awaitPartitions(KafkaConsumer<byte[], byte[]> member, int count) {
    while (member.assignment().size() < count) {
      member.poll(Duration.ofMillis(100));
    }
  }

  private static KafkaConsumer<byte[], byte[]> member(EmbeddedKafka kafka, String name) {
    KafkaConsumer<byte[], byte[]> member =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                "weir",
                "group.instance.id",
                name,
                "session.timeout.ms",
                1_800_000),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    member.subscribe(List.of("readings"));
    return member;
  }
}
