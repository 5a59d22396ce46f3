package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.edge.KafkaBatchSender.TopicCheck;
import io.weir.lab.EmbeddedKafka;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TopicCheckTest {
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start();
    KafkaRig.createTopic(kafka.bootstrapServers(), "right", Map.of());
    try (Admin admin = Admin.create(settings())) {
      admin
          .createTopics(
              List.of(new NewTopic("wide", 128, (short) 1), new NewTopic("created", 64, (short) 1)))
          .all()
          .get();
      // Made is not yet known to the broker.
      Set<String> known = Set.of();
      while (!known.containsAll(List.of("right", "wide", "created"))) {
        known = admin.listTopics().names().get();
      }
    }
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void topicAsWeirMakesIt_isRight() {
    assertThatCode(() -> TopicCheck.check(settings(), "right")).doesNotThrowAnyException();
  }

  @Test
  void absentTopic_isNamedAndNotMade() throws Exception {
    assertThatThrownBy(() -> TopicCheck.check(settings(), "absent"))
        .hasMessageContaining("'absent' does not exist")
        .hasMessageContaining("weir topics");
    try (Admin admin = Admin.create(settings())) {
      assertThat(admin.listTopics().names().get()).doesNotContain("absent");
    }
  }

  @Test
  void topicWithOtherPartitionsOrTimestamps_isRefused() {
    assertThatThrownBy(() -> TopicCheck.check(settings(), "wide"))
        .hasMessageContaining("128 partitions and must have 64");
    assertThatThrownBy(() -> TopicCheck.check(settings(), "created"))
        .hasMessageContaining("message.timestamp.type CreateTime");
  }

  private static Map<String, Object> settings() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }
}
