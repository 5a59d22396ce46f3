package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.WeirConfig;
import io.weir.dev.chaos.ChaosCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults that one broker alone cannot have. */
@Timeout(180)
class DoctorOnThreeBrokersTest {
  private static final int PARTITIONS = 64;
  private static final int THIRD = 3;

  @TempDir private Path dir;

  @Test
  void brokerWithAClockAhead_andOneThatIsGone_areFound() throws Exception {
    try (ChaosCluster cluster = ChaosCluster.start(THIRD, dir)) {
      assertThat(new ReplicasCheck().look(examine(cluster))).isEmpty();

      cluster.node(0).clock(Duration.ofMinutes(10).toMillis());
      ClockCheck clocks = new ClockCheck(System::currentTimeMillis);
      List<Finding> ahead = List.of();
      // A broker takes a clock as soon as it reads the order.
      while (ahead.isEmpty()) {
        sendToAll(cluster);
        ahead = clocks.look(examine(cluster));
      }
      assertThat(ahead.get(0).what()).contains("ahead of this machine's clock");

      moveToThird(cluster, "weir.late");
      cluster.node(THIRD - 1).kill();
      List<Finding> found = List.of();
      while (found.size() < 2 || !found.get(0).what().startsWith("64 ")) {
        found = new ReplicasCheck().look(examine(cluster));
      }
      assertThat(found.get(0).severity()).isEqualTo(Severity.BROKEN);
      assertThat(found.get(0).what()).contains("partitions without a leader: weir.late-0");
      assertThat(found.get(1).severity()).isEqualTo(Severity.RISK);
      assertThat(found.get(1).what()).contains("partitions with replicas behind: weir.");
    }
  }

  private static Examination examine(ChaosCluster cluster) {
    Properties settings = new Properties();
    settings.setProperty("weir.bootstrap.servers", cluster.direct());
    WeirConfig config = WeirConfig.of(settings, Map.of(), Map.of());
    return Examination.of(cluster.admin(), config, () -> {}, () -> null, Pages.NONE);
  }

  private static void sendToAll(ChaosCluster cluster) {
    Map<String, Object> settings = Map.of("bootstrap.servers", cluster.direct());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        producer.send(new ProducerRecord<>("weir.readings", partition, null, DoctorRig.VALUE));
      }
    }
  }

  /** Made again, with all of its partitions on the third broker alone. */
  private static void moveToThird(ChaosCluster cluster, String topic) throws Exception {
    cluster.admin().deleteTopics(List.of(topic)).all().get();
    Map<Integer, List<Integer>> replicas = new HashMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      replicas.put(partition, List.of(THIRD));
    }
    NewTopic alone = new NewTopic(topic, replicas).configs(Map.of("min.insync.replicas", "1"));
    cluster.admin().createTopics(List.of(alone)).all().get();
  }
}
