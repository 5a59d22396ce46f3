package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.dev.EmbeddedKafka;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class SendEventsCommandTest {
  @TempDir private Path dir;

  @Test
  void eventsOfAFile_areSentAndCounted_whateverIsMissingIsNamed() throws Exception {
    Path file =
        Files.write(
            dir.resolve("events.jsonl"),
            List.of(
                "{\"key\":\"a\",\"timestamp_ms\":1,\"fields\":{\"likes\":10}}",
                "{\"key\":\"b\",\"timestamp_ms\":2,\"fields\":{\"likes\":11}}",
                "{\"key\":\"b\",\"due_ms\":2}",
                "{\"timestamp_ms\":2}"));
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      String servers = "--bootstrap-servers=" + kafka.bootstrapServers();
      WeirProcess.Ended missing = WeirProcess.run("send", "events", servers, file.toString());
      assertThat(missing.err()).contains("weir.events", "does not exist", "weir topics");
      assertThat(missing.status()).isEqualTo(1);

      try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
        new TopicAdmin(admin, TopicNames.ALL.of(User.EVENTS)).createMissing();
      }
      WeirProcess.Ended sent = WeirProcess.run("send", "events", servers, file.toString());
      assertThat(sent.lines()).containsExactly("sent 2, scheduled 1, rejected 1");
      assertThat(sent.status()).as(sent.err()).isZero();

      Path cut = dir.resolve("cut.gz");
      Files.write(cut, new byte[] {0x1f, (byte) 0x8b, 8});
      WeirProcess.Ended broken =
          WeirProcess.run("send", "events", servers, file.toString(), cut.toString());
      assertThat(broken.lines()).containsExactly("sent 2, scheduled 1, rejected 1");
      assertThat(broken.err())
          .contains(cut + " cannot be read to its end: ")
          .doesNotContain("\tat ");
      assertThat(broken.status()).isEqualTo(1);
    }
  }
}
