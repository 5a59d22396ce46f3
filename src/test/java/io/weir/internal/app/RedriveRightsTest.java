package io.weir.internal.app;

import static io.weir.internal.redrive.DeadLetterTopic.batch;
import static io.weir.internal.redrive.DeadLetterTopic.reading;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.redrive.DeadLetterTopic;
import io.weir.internal.redrive.Lives;
import io.weir.internal.redrive.RecordFilter;
import io.weir.internal.redrive.Redrive;
import io.weir.internal.redrive.RedriveListener;
import io.weir.internal.redrive.RedriveReport;
import io.weir.internal.redrive.RedriveRequest;
import io.weir.internal.redrive.ResendOutcome;
import io.weir.internal.registry.ValueFormat;
import io.weir.reading.Limits;
import io.weir.reading.RejectReason;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A redrive with the rights that are published: enough, and each of them needed. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class RedriveRightsTest {
  private static final TopicNames TOPICS = TopicNames.DEFAULT;

  private static final ReadingBatch SEQUENCED =
      batch("gw", reading("a", 6, 1)).toBuilder().setBootId(7).setSequence(1).build();

  @TempDir private Path dir;

  @Test
  void leastRights_areEnough_andEachOfThemIsNeeded() throws Exception {
    List<Acl> rights = Acl.ofRedrive("weir", Topic.DEAD_LETTERS, TOPICS);
    try (SecureCluster cluster = SecureCluster.start(dir)) {
      new TopicAdmin(cluster.admin(), TOPICS).createMissing();
      cluster.addUser("operator", "of-the-operator-1");
      cluster.allow("operator", rights);
      DeadLetterTopic.commitLives(cluster.admin(), "weir", TOPICS.readings());
      resetGateway(cluster);
      for (Acl right : rights) {
        if (right.operation() == AclOperation.CREATE) {
          assertNeeded(cluster, right); // Later the marks are there.
        }
      }

      writeDeadLetter(cluster, 1);
      assertThat(redrive(cluster).records(ResendOutcome.SENT)).isEqualTo(3);

      for (Acl right : rights) {
        if (right.operation() != AclOperation.CREATE) {
          assertNeeded(cluster, right);
        }
      }
    }
  }

  private void assertNeeded(SecureCluster cluster, Acl right) throws Exception {
    cluster.forbid("operator", right);
    writeDeadLetter(cluster, right.hashCode());
    assertThatThrownBy(() -> redrive(cluster))
        .as("without %s", right)
        .isInstanceOf(KafkaException.class)
        .hasMessageMatching("(?is).*(authori[sz]|access denied).*");
    cluster.allow("operator", List.of(right));
  }

  private static void writeDeadLetter(SecureCluster cluster, double value) {
    try (DeadLetterTopic records =
        new DeadLetterTopic(cluster.openBootstrapServers(), TOPICS.deadLetters())) {
      records
          .dead(5, RejectReason.MISROUTED, batch("gw", reading("a", 5, value)))
          .dead(5, RejectReason.FUTURE_BOOT, SEQUENCED)
          .commit();
    }
  }

  /** From then on a redrive looks through the readings. */
  private static void resetGateway(SecureCluster cluster) {
    ByteArraySerializer to = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(Map.of("bootstrap.servers", cluster.openBootstrapServers()), to, to)) {
      new GatewayResets(producer, TOPICS).reset("gw", new byte[16]);
    }
  }

  private RedriveReport redrive(SecureCluster cluster) throws Exception {
    Map<String, String> environment =
        new HashMap<>(cluster.environment("operator", "of-the-operator-1"));
    KafkaSettings kafka = WeirConfig.of(new Properties(), environment, Map.of()).kafka();
    Map<String, Object> reader = new HashMap<>(kafka.forConsumer());
    reader.put("isolation.level", "read_committed");
    ByteArrayDeserializer from = new ByteArrayDeserializer();
    ByteArraySerializer to = new ByteArraySerializer();
    try (Admin admin = Admin.create(kafka.forAdmin())) {
      Redrive.Clients clients =
          new Redrive.Clients(
              new TopicAdmin(admin, TOPICS.ofRedrive(Topic.DEAD_LETTERS)),
              () -> new KafkaConsumer<>(reader, from, from),
              kafka.forProducer(),
              settings -> new KafkaProducer<>(settings, to, to),
              ValueFormat.BARE,
              new Lives("weir", RunningLives.of(admin, "weir", TOPICS.readings()), true));
      RedriveRequest request =
          new RedriveRequest(
              TOPICS.deadLetters(),
              TOPICS.readings(),
              Optional.of(TOPICS.control()),
              Optional.empty(),
              RecordFilter.ALL,
              Limits.DEFAULT,
              0,
              false,
              false,
              false);
      return new Redrive(request, clients, System::currentTimeMillis)
          .run(
              new RedriveListener() {
                @Override
                public void progress(RedriveReport soFar) {}

                @Override
                public boolean isStopped() {
                  return false;
                }
              });
    }
  }
}
