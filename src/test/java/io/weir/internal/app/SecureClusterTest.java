package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.ops.Meters;
import io.weir.internal.wire.ResetMark;
import io.weir.lab.AuditTally;
import io.weir.lab.Auditor;
import io.weir.reading.Quality;
import io.weir.topic.OwnTopics;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicDifference;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** TLS, passwords in files, and exactly the rights that are published: no more, and none less. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class SecureClusterTest {
  private static final String SENSOR = "boiler-3/temperature";
  private static final long FIRST_MS = System.currentTimeMillis() - Duration.ofHours(10).toMillis();

  @TempDir private Path dir;
  private int rounds;

  @Test
  void leastRights_areEnough_andEachOfThemIsNeeded() throws Exception {
    List<Acl> rights = Acl.ofRun("weir", TopicNames.DEFAULT);
    try (SecureCluster cluster = SecureCluster.start(dir)) {
      createTopicsAsTheirUser(cluster);
      cluster.addUser("weir", "of-weir-1");
      cluster.addUser("gateway", "of-the-gateway-1");
      cluster.allow("weir", rights);
      cluster.allow("gateway", Acl.ofEdge(TopicNames.DEFAULT));

      List<Acl> creations =
          rights.stream().filter(right -> right.operation() == AclOperation.CREATE).toList();
      assertThat(creations).hasSize(1);
      assertNeeded(cluster, creations.get(0)); // Later the changelog is there.

      publish(cluster);
      try (StreamsApplication weir = start(config(cluster, "weir", "of-weir-1"))) {
        awaitOutputs(cluster, weir);
      }

      List<Acl> others = new ArrayList<>(rights);
      others.removeAll(creations);
      for (Acl right : others) {
        assertNeeded(cluster, right);
      }
    }
  }

  /** With a gateway's credential nobody gives orders. */
  @Test
  void orders_areTheOperatorsAlone() throws Exception {
    try (SecureCluster cluster = SecureCluster.start(dir)) {
      createTopicsAsTheirUser(cluster);
      cluster.addUser("operator", "of-the-operator-1");
      cluster.addUser("gateway", "of-the-gateway-1");
      cluster.allow("operator", Acl.ofGatewayReset(TopicNames.DEFAULT));
      cluster.allow("gateway", Acl.ofEdge(TopicNames.DEFAULT));

      assertThat(reset(config(cluster, "operator", "of-the-operator-1"))).isZero();
      assertThatThrownBy(() -> reset(config(cluster, "gateway", "of-the-gateway-1")))
          .hasMessageContaining("nothing was ordered")
          .hasMessageContaining("weir.control");
    }
  }

  private static long reset(WeirConfig config) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            config.kafka().forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
      return new GatewayResets(producer, config.topics())
          .reset("line-7", new byte[ResetMark.NONCE_BYTES]);
    }
  }

  @Test
  void gatewayThatMayNotReadDeadLetters_saysSoOnce_andSends() throws Exception {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(ReadingPublisher.class);
    log.start();
    logger.setLevel(Level.WARN);
    logger.addAppender(log);
    try (SecureCluster cluster = SecureCluster.start(dir)) {
      createTopicsAsTheirUser(cluster);
      cluster.addUser("gateway", "of-the-gateway-1");
      cluster.allow("gateway", Acl.ofEdge(TopicNames.DEFAULT));

      try (ReadingPublisher publisher = publisher(cluster)) {
        Await.until(() -> !log.list.isEmpty());
        publisher.offer(new io.weir.reading.Reading(SENSOR, FIRST_MS, 1.0, Quality.GOOD));
        publisher.flush();
      }

      assertThat(log.list)
          .singleElement()
          .extracting(ILoggingEvent::getFormattedMessage)
          .asString()
          .contains("line-7", "READ on topic weir.dead-letters");

      cluster.allow("gateway", Acl.ofNoticingRefusals(TopicNames.DEFAULT));
      try (ReadingPublisher publisher = publisher(cluster)) {
        Await.until(() -> publisher.watchesDeadLetters());
      }
    } finally {
      logger.detachAppender(log);
      logger.setLevel(null);
    }
  }

  @Test
  void wrongPassword_refusesTheStart_andIsNotShown() throws Exception {
    try (SecureCluster cluster = SecureCluster.start(dir)) {
      cluster.addUser("weir", "of-weir-1");

      assertThatThrownBy(() -> start(config(cluster, "weir", "hunter2")).close())
          .hasMessageContaining("invalid credentials")
          .hasMessageNotContaining("hunter2");
    }
  }

  private void createTopicsAsTheirUser(SecureCluster cluster) throws Exception {
    cluster.addUser("topics", "of-the-topics-1");
    cluster.allow("topics", Acl.ofTopics(TopicNames.DEFAULT, OwnTopics.NONE));
    WeirConfig config = config(cluster, "topics", "of-the-topics-1");
    try (Admin admin = Admin.create(config.kafka().forAdmin())) {
      TopicAdmin topics = new TopicAdmin(admin, TopicNames.DEFAULT);
      assertThat(topics.createMissing()).isEqualTo(TopicNames.DEFAULT.all());
      assertThat(topics.verify()).noneMatch(TopicDifference::isFatal);
    }
  }

  /** Without it nothing works, and the message names it; with it back it works. */
  private void assertNeeded(SecureCluster cluster, Acl right) throws Exception {
    cluster.forbid("weir", right);
    writeForAllOutputs(cluster);
    String reason = failure(config(cluster, "weir", "of-weir-1"));
    assertThat(reason).as("without %s", right).contains(right.name(), right.operation().name());
    cluster.allow("weir", List.of(right));
  }

  private static String failure(WeirConfig config) throws Exception {
    try (StreamsApplication weir = start(config)) {
      return weir.ended().get(2, TimeUnit.MINUTES).orElseThrow();
    } catch (StartRefusedException e) {
      return e.getMessage();
    }
  }

  private static StreamsApplication start(WeirConfig config) {
    return WeirApplication.start(config, new Meters(new SimpleMeterRegistry()));
  }

  private WeirConfig config(SecureCluster cluster, String user, String password) throws Exception {
    Map<String, String> environment = new HashMap<>(cluster.environment(user, password));
    environment.put("WEIR_STATE_DIR", dir.resolve("state").toString());
    environment.put("WEIR_THREADS", "1");
    environment.putAll(AppRig.SHORT_SESSION);
    environment.put("KAFKA_COMMIT_INTERVAL_MS", "100");
    return WeirConfig.of(new Properties(), environment, Map.of());
  }

  private void publish(SecureCluster cluster) throws Exception {
    try (ReadingPublisher publisher = publisher(cluster)) {
      publisher.offer(new io.weir.reading.Reading(SENSOR, FIRST_MS, 1.0, Quality.GOOD));
      publisher.flush();
    }
  }

  private ReadingPublisher publisher(SecureCluster cluster) throws Exception {
    WeirConfig config = config(cluster, "gateway", "of-the-gateway-1");
    return ReadingPublisher.start(
        Publishers.spooling(config, "line-7").watchDeadLetters("weir.dead-letters").build());
  }

  /** Readings that close a window, one that is late, and a record that is none. */
  private void writeForAllOutputs(SecureCluster cluster) throws Exception {
    rounds++;
    long timeMs = FIRST_MS + Duration.ofMinutes(rounds).toMillis();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", cluster.openBootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (byte[] value :
          List.of(batch(timeMs), batch(timeMs + 30_000), batch(FIRST_MS), new byte[] {1, 2, 3})) {
        int partition = SensorPartition.of(SENSOR);
        producer
            .send(new ProducerRecord<>(TopicNames.DEFAULT.readings(), partition, null, value))
            .get();
      }
    }
  }

  private static byte[] batch(long timeMs) {
    Reading reading =
        Reading.newBuilder().setSensorId(SENSOR).setTimestampMs(timeMs).setValue(1).build();
    return ReadingBatch.newBuilder().addReadings(reading).build().toByteArray();
  }

  /** Waits until something has come out everywhere. */
  private static void awaitOutputs(SecureCluster cluster, StreamsApplication weir) {
    Map<String, Object> open = Map.of("bootstrap.servers", cluster.openBootstrapServers());
    try (Auditor auditor = Auditor.start(open, TopicNames.DEFAULT, window -> {})) {
      AuditTally tally = auditor.tally();
      while (tally.inWindows() == 0 || tally.late() == 0 || tally.poisonRecords() == 0) {
        assertThat(weir.ended().getNow(Optional.of("")).filter(why -> !why.isEmpty())).isEmpty();
        Await.pause();
        tally = auditor.tally();
      }
    }
  }
}
