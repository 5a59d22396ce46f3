package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.internal.ops.Meters;
import io.weir.lab.ThreeBrokers;
import io.weir.topic.TooFewBrokersException;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.topic.TopicOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that is away must not decide how many copies there will be for ever. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ReplicationOnKafkaTest {
  @TempDir private Path dir;

  /**
   * A broker that has stopped is known to the cluster: three replicas are made, one joins later.
   */
  @Test
  void brokerThatIsDown_makesNoTopicWithFewerReplicas() throws Exception {
    try (ThreeBrokers brokers = new ThreeBrokers()) {
      brokers.startOne();
      brokers.startOne();
      brokers.startOne();
      brokers.stopLast();
      try (Admin admin = admin(brokers)) {
        awaitAlive(admin, 2);
        new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();

        assertThat(replicas(admin, TopicNames.DEFAULT.all())).containsOnly(3);
        try (StreamsApplication weir =
            WeirApplication.start(config(brokers.bootstrapServers()), measures())) {
          assertThat(weir.ended()).isNotDone();
          assertThat(replicas(admin, List.of(AppRig.CHANGELOG))).containsOnly(3);
          assertThat(new TopicAdmin(admin, TopicNames.DEFAULT).verifyChangelog(AppRig.CHANGELOG))
              .isEmpty();
        }
      }
    }
  }

  /** One that never ran is known by its address alone: nothing is made. */
  @Test
  void brokersThatAreMissing_refuseTopicsAndStart_andNothingIsMade() throws Exception {
    try (ThreeBrokers brokers = new ThreeBrokers()) {
      brokers.startOne();
      brokers.startOne();
      try (Admin admin = admin(brokers)) {
        TopicAdmin topics =
            new TopicAdmin(
                admin, TopicNames.DEFAULT, config(brokers.allBootstrapServers()).topicOptions());
        assertThatThrownBy(topics::createMissing)
            .isInstanceOf(TooFewBrokersException.class)
            .hasMessageContaining("3 replicas")
            .hasMessageContaining("2 brokers")
            .hasMessageContaining("weir.replication.factor=2");
        assertThat(admin.listTopics().names().get()).isEmpty();

        new TopicAdmin(admin, TopicNames.DEFAULT, TopicOptions.DEFAULT.withReplicationFactor(1))
            .createMissing();
        assertThatThrownBy(
                () ->
                    WeirApplication.start(config(brokers.allBootstrapServers()), measures())
                        .close())
            .isInstanceOf(StartRefusedException.class)
            .hasMessageContaining(AppRig.CHANGELOG)
            .hasMessageContaining("3 replicas");
        assertThat(admin.listTopics().names().get())
            .isEqualTo(Set.copyOf(TopicNames.DEFAULT.all()));
      }
    }
  }

  private static Admin admin(ThreeBrokers brokers) {
    return Admin.create(Map.of("bootstrap.servers", brokers.bootstrapServers()));
  }

  private static void awaitAlive(Admin admin, int brokers) throws Exception {
    Await.until(() -> admin.describeCluster().nodes().get().size() == brokers);
  }

  private WeirConfig config(String bootstrapServers) {
    return WeirConfig.of(
        new Properties(),
        Map.of(),
        Map.of("bootstrap.servers", bootstrapServers, "state.dir", dir + "/state", "threads", "1"));
  }

  private static Meters measures() {
    return new Meters(new SimpleMeterRegistry());
  }

  private static List<Integer> replicas(Admin admin, List<String> topics) throws Exception {
    Await.until(() -> admin.listTopics().names().get().containsAll(topics));
    return admin.describeTopics(topics).allTopicNames().get().values().stream()
        .flatMap(topic -> topic.partitions().stream())
        .map(partition -> partition.replicas().size())
        .distinct()
        .toList();
  }
}
