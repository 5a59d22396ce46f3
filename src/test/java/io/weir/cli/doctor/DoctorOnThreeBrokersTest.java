package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.Meters;
import io.weir.lab.GroupLag;
import io.weir.lab.chaos.ChaosCluster;
import io.weir.reading.Reading;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults that one broker alone cannot have. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(300)
class DoctorOnThreeBrokersTest {
  private static final int PARTITIONS = 64;
  private static final int THIRD = 3;

  @TempDir private static Path dir;
  private static ChaosCluster cluster;

  @BeforeAll
  static void start() {
    cluster = ChaosCluster.start(THIRD, dir);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  @Order(1)
  void brokerThatStartsAgain_isNamedMeanwhile_andNothingIsBroken_norWrongAfterwards()
      throws Exception {
    try (Admin admin = admin(cluster, 20_000);
        StreamsApplication weir =
            WeirApplication.start(config("weir"), new Meters(new SimpleMeterRegistry()));
        ReadingPublisher gateway =
            ReadingPublisher.start(
                PublisherSettings.builder("line-7").bootstrapServers(cluster.direct()).build())) {
      Flow flow = new Flow(gateway, new GroupLag(admin, "weir", "weir.readings"));
      awaitFindings(admin, flow, List.of());

      cluster.node(1).kill();
      awaitFindings(admin, flow, List.of("replicas"));
      assertThat(visit(admin, flow).findings())
          .filteredOn(finding -> finding.check().equals("replicas"))
          .extracting(Finding::what)
          .allSatisfy(what -> assertThat(what).contains("replicas behind, on broker 2: weir"));

      cluster.node(1).startIfDead();
      awaitFindings(admin, flow, List.of());
      assertThat(weir.ended()).isNotDone();
    }
  }

  /** Visits until only these checks find something; meanwhile nothing else may be broken. */
  private static void awaitFindings(Admin admin, Flow flow, List<String> checks) throws Exception {
    List<Finding> findings;
    do {
      Await.longPause();
      Doctor.Diagnosis diagnosis = visit(admin, flow);
      findings = diagnosis.findings();
      assertThat(findings)
          .filteredOn(finding -> finding.severity() == Severity.BROKEN)
          .allSatisfy(finding -> assertThat(finding.what()).contains("without a leader"));
      assertThat(findings)
          .allSatisfy(finding -> assertThat(finding.check()).isIn("replicas", "group"));
    } while (!findings.stream().map(Finding::check).toList().equals(checks));
  }

  private static Doctor.Diagnosis visit(Admin admin, Flow flow) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", cluster.direct(), "enable.auto.commit", "false");
    Examination of =
        Examination.of(
            admin,
            config("weir"),
            flow,
            () ->
                new KafkaConsumer<>(
                    settings, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
            () -> Pages.NONE);
    return Doctor.withAll(System::currentTimeMillis).examine(of);
  }

  /** A reading of each of many sensors, until they are read, or for ten seconds. */
  private record Flow(ReadingPublisher gateway, GroupLag lag) implements Runnable {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    @Override
    public void run() {
      for (int sensor = 0; sensor < 1_000; sensor++) {
        gateway.offer(new Reading("s-" + sensor, System.currentTimeMillis(), sensor));
      }
      try {
        gateway.flush(LONGEST);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      Map<TopicPartition, Long> ends = lag.ends();
      long endNanos = System.nanoTime() + LONGEST.toNanos();
      while (lag.recordsBefore(ends) > 0 && System.nanoTime() < endNanos) {
        Await.pause();
      }
    }
  }

  @Test
  @Order(2)
  void brokerWithAClockAhead_andThoseThatAreGone_areFound() throws Exception {
    try (Admin admin = admin(cluster, 20_000)) {
      assertThat(new ReplicasCheck().look(examine(admin, cluster))).isEmpty();

      cluster.node(0).clock(Duration.ofMinutes(10).toMillis());
      ClockCheck clocks = new ClockCheck(System::currentTimeMillis);
      List<Finding> ahead = List.of();
      // A broker takes a clock as soon as it reads the order.
      while (ahead.isEmpty()) {
        Await.pause();
        sendToAll(cluster);
        ahead = clocks.look(examine(admin, cluster));
      }
      assertThat(ahead.get(0).what()).contains("ahead of this machine's clock");

      moveToThird(cluster, "weir.late");
      List<Finding> unlike = List.of();
      while (unlike.isEmpty()) {
        Await.pause();
        unlike = lackOfReplicas(admin);
      }
      assertThat(unlike.get(0).what()).contains("weir.late: found 1 replica", "expected 3");
      assertThat(unlike.get(0).why()).contains("the loss of a broker may lose data");
      cluster.node(THIRD - 1).kill();
      List<Finding> found = List.of();
      while (found.size() < 2 || !found.get(0).what().startsWith("64 ")) {
        Await.pause();
        found = new ReplicasCheck().look(examine(admin, cluster));
      }
      assertThat(found.get(0).severity()).isEqualTo(Severity.BROKEN);
      assertThat(found.get(0).what())
          .contains("partitions without a leader that answers: weir.late-0");
      assertThat(found.get(1).severity()).isEqualTo(Severity.RISK);
      assertThat(found.get(1).what())
          .contains("partitions with replicas behind, on broker 3: weir");

      // The broker that is left does not learn that the second is gone: two of three have to agree.
      String group = coordinatedBy(1, admin);
      cluster.node(0).kill();
      try (Admin impatient = admin(cluster, 3_000)) {
        Examination outage = examine(impatient, cluster, group);
        assertThat(new ReplicasCheck().look(outage).get(0).what())
            .contains("partitions without a leader that answers: weir.");
        assertThat(new GroupCheck().look(outage))
            .extracting(Finding::what)
            .containsExactly("the coordinator of the group " + group + " does not answer");
      }
    }
  }

  /** None as long as a broker that is asked has not yet learned of a topic that was made again. */
  private static List<Finding> lackOfReplicas(Admin admin) {
    try {
      return new TopicsCheck()
          .look(examine(admin, cluster)).stream()
              .filter(finding -> finding.what().contains("1 replica"))
              .toList();
    } catch (UnknownTopicOrPartitionException e) {
      return List.of();
    }
  }

  /** A name for a group whose coordinator is a certain broker. */
  private static String coordinatedBy(int broker, Admin admin) throws Exception {
    String topic = "__consumer_offsets";
    List<TopicPartitionInfo> partitions =
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions();
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "plant-" + i)
        .filter(
            group ->
                partitions.get(Utils.abs(group.hashCode()) % partitions.size()).leader().id()
                    == broker)
        .findFirst()
        .orElseThrow();
  }

  /** Does not wait long for a partition whose leader went away after it was asked for. */
  private static Admin admin(ChaosCluster cluster, int timeoutMs) {
    return Admin.create(
        Map.of(
            "bootstrap.servers",
            cluster.direct(),
            "request.timeout.ms",
            Math.min(5_000, timeoutMs),
            "default.api.timeout.ms",
            timeoutMs));
  }

  private static Examination examine(Admin admin, ChaosCluster cluster) {
    return examine(admin, cluster, "weir");
  }

  private static Examination examine(Admin admin, ChaosCluster cluster, String group) {
    return Examination.of(admin, config(group), () -> {}, () -> null, () -> Pages.NONE);
  }

  private static WeirConfig config(String group) {
    Properties settings = new Properties();
    settings.setProperty("weir.bootstrap.servers", cluster.direct());
    settings.setProperty("weir.application.id", group);
    settings.setProperty("weir.http.port", "0");
    settings.setProperty("weir.threads", "1");
    settings.setProperty("weir.state.dir", dir.resolve("state").toString());
    return WeirConfig.of(settings, Map.of(), Map.of());
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
