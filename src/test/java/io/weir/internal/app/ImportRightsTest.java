package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.internal.imports.ImportJob;
import io.weir.internal.imports.ImportSettings;
import io.weir.internal.imports.RecordReader;
import io.weir.internal.text.RecordText;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.reading.Limits;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An import with the rights that are published: enough, and each of them needed. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class ImportRightsTest {
  private static final TopicNames TOPICS = TopicNames.DEFAULT;
  private static final String OF_USER = "of-the-import-1";

  @TempDir private Path dir;

  @Test
  void leastRights_areEnough_andEachOfThemIsNeeded() throws Exception {
    List<Acl> rights =
        Acl.ofImport("weir-import-t", List.of("raw"), ImportSettings.PROGRESS, TOPICS);
    try (SecureCluster cluster = SecureCluster.start(dir)) {
      new TopicAdmin(cluster.admin(), TOPICS).createMissing();
      cluster.admin().createTopics(List.of(new NewTopic("raw", 1, (short) 1))).all().get();
      cluster.addUser("importer", OF_USER);
      cluster.allow("importer", rights);
      for (Acl right : rights) {
        if (right.operation() == AclOperation.CREATE) {
          assertNeeded(cluster, right); // Later the topic is there.
        }
      }

      assertThat(outcome(cluster)).isEqualTo("imported");

      for (Acl right : rights) {
        // It reads the control topic only where records were deleted.
        if (right.operation() != AclOperation.CREATE && !right.name().equals(TOPICS.control())) {
          assertNeeded(cluster, right);
        }
      }
      assertThat(outcome(cluster)).isEqualTo("imported");
    }
  }

  private static void assertNeeded(SecureCluster cluster, Acl right) throws Exception {
    cluster.forbid("importer", right);
    assertThat(outcome(cluster))
        .as("without %s", right)
        .matches("(?is).*(authori[sz]|access denied|right).*");
    cluster.allow("importer", List.of(right));
  }

  /** What becomes of a record more: it is imported, or the reason why the import ended. */
  private static String outcome(SecureCluster cluster) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", cluster.openBootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      // One of them is a dead letter.
      producer.send(new ProducerRecord<>("raw", "a", "{\"value\":1}"));
      producer.send(new ProducerRecord<>("raw", "a", "{\"value\":"));
    }
    WeirConfig config =
        WeirConfig.of(
            new Properties(), cluster.environment("importer", OF_USER), Map.of("import.name", "t"));
    ImportSettings settings = ImportSettings.of(config, List.of("raw"), Optional.empty());
    RecordText text =
        RecordText.json(
            MappingOptions.ofRecords(Map.of("sensor-id", "{key}")),
            Limits.DEFAULT,
            RecordText.Time.TEXT_OR_RECORD,
            1_000);
    RecordReader.Way way = new RecordReader.Way(text, Optional.empty());
    RecordReader reader = new RecordReader(value -> way, Optional.empty(), false);
    try (ImportJob job = ImportJob.start(config, settings, reader, false)) {
      Await.until(() -> job.ended().isDone() || job.status().total().refused() > 0);
      return job.ended().isDone() ? job.ended().join().orElse("ended") : "imported";
    } catch (StartRefusedException e) {
      return e.getMessage();
    }
  }
}
