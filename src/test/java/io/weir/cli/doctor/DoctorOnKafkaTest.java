package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.WeirConfig;
import io.weir.cli.Exposition;
import io.weir.cli.hot.HotReport;
import io.weir.cli.hot.HotRow;
import io.weir.deadletter.DeadLetterHeaders;
import io.weir.dev.EmbeddedKafka;
import io.weir.topic.TopicAdmin;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Each trouble, made on a broker, is found; where there is none, nothing is. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(120)
class DoctorOnKafkaTest {
  private static final byte[] VALUE = {1};

  private static EmbeddedKafka kafka;
  private static Admin admin;
  private static KafkaProducer<byte[], byte[]> producer;

  @BeforeAll
  static void start() {
    kafka =
        EmbeddedKafka.start(
            EmbeddedKafka.Options.DEFAULT.withOverrides(
                Map.of(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                    "allow.everyone.if.no.acl.found",
                    "true")));
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    producer = producer(Map.of());
    new TopicAdmin(admin, config("app").topics()).createMissing();
  }

  @AfterAll
  static void stop() {
    producer.close();
    admin.close();
    kafka.close();
  }

  private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("linger.ms", 0);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static WeirConfig config(String applicationId) {
    return config(applicationId, Map.of());
  }

  private static WeirConfig config(String applicationId, Map<String, String> more) {
    Properties properties = new Properties();
    properties.putAll(more);
    properties.setProperty("weir.bootstrap.servers", kafka.bootstrapServers());
    properties.setProperty("weir.application.id", applicationId);
    return WeirConfig.of(properties, Map.of(), Map.of());
  }

  private static Examination examine(String applicationId) {
    return examine(applicationId, Map.of(), Optional.empty());
  }

  private static Examination examine(
      String applicationId, Map<String, Exposition> metrics, Optional<HotReport> hot) {
    return examine(config(applicationId), new Pages(metrics, hot, Map.of()));
  }

  private static Examination examine(WeirConfig config, Pages pages) {
    return Examination.of(
        admin,
        config,
        () -> {},
        () -> consumer(Map.of("isolation.level", "read_committed")),
        pages);
  }

  private static KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("enable.auto.commit", "false");
    settings.put("auto.offset.reset", "earliest");
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static void send(String topic, int partition, int records) throws Exception {
    for (int i = 0; i < records - 1; i++) {
      producer.send(new ProducerRecord<>(topic, partition, null, VALUE));
    }
    producer.send(new ProducerRecord<>(topic, partition, null, VALUE)).get();
    producer.flush();
  }

  private static void commit(String group, String topic, int partition, long offset)
      throws Exception {
    admin
        .alterConsumerGroupOffsets(
            group, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
        .all()
        .get();
  }

  private static void set(String topic, String key, String value) throws Exception {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }

  private static Finding only(List<Finding> findings) {
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }

  @Test
  @Order(1)
  void healthyCluster_hasNothingWrong() {
    Doctor.Diagnosis diagnosis =
        Doctor.withAll(System::currentTimeMillis).examine(examine("healthy"));

    assertThat(diagnosis.findings()).isEmpty();
    assertThat(diagnosis.notLooked()).isEmpty();
    assertThat(DoctorText.lines(diagnosis)).containsExactly("nothing wrong");
  }

  @Test
  @Order(2)
  void batchesThatNobodyReads_areFound() throws Exception {
    send("weir.readings", 0, 20);

    Finding finding = only(new GroupCheck().look(examine("nobody")));
    assertThat(finding.severity()).isEqualTo(Severity.BROKEN);
    assertThat(finding.what()).contains("nobody is in the group nobody", "20 records");
  }

  @Test
  @Order(3)
  void memberThatIsFrozen_isNamedWithItsPartitions() throws Exception {
    try (KafkaConsumer<byte[], byte[]> frozen =
        consumer(Map.of("group.id", "frozen", "client.id", "weir-3"))) {
      frozen.subscribe(List.of("weir.readings"));
      while (frozen.assignment().isEmpty()) {
        frozen.poll(Duration.ofMillis(100));
      }

      Finding finding = only(new GroupCheck().look(examine("frozen")));
      assertThat(finding.severity()).isEqualTo(Severity.BROKEN);
      assertThat(finding.what()).contains("stand still", "0 (weir-3 on ");
    }
  }

  @Test
  @Order(4)
  void stateThatIsGone_isFound() throws Exception {
    commit("lost", "weir.readings", 0, 5);

    Finding finding = only(new StateCheck().look(examine("lost")));
    assertThat(finding.severity()).isEqualTo(Severity.BROKEN);
    assertThat(finding.what()).contains("lost-", "changelog is not there", ": 0");
  }

  @Test
  @Order(5)
  void readingsDeletedBeforeTheyWereRead_areFound_andThoseNearIt() throws Exception {
    commit("overrun", "weir.readings", 0, 5);
    commit("near", "weir.readings", 0, 9);
    admin
        .deleteRecords(
            Map.of(new TopicPartition("weir.readings", 0), RecordsToDelete.beforeOffset(8)))
        .all()
        .get();

    Finding overrun = only(new RetentionCheck().look(examine("overrun")));
    assertThat(overrun.severity()).isEqualTo(Severity.BROKEN);
    assertThat(overrun.what()).contains("partition 0 lacks 3");
    Finding near = only(new RetentionCheck().look(examine("near")));
    assertThat(near.severity()).isEqualTo(Severity.RISK);
  }

  @Test
  @Order(6)
  void partitionThatLagsAlone_isNamedWithItsHeaviestSensor() throws Exception {
    send("weir.readings", 3, 1_200);
    HotRow row = new HotRow("vib-1", 3, 6_000_000, false, 0.97, 0.6);
    HotReport hot = new HotReport(64, 10_000_000, 1, List.of(row), List.of());
    Examination of = examine("lagging", Map.of(), Optional.of(hot));

    Finding lag = only(new LagCheck().look(of));
    assertThat(lag.what()).contains("3 by 1200 records (heaviest: vib-1)");
    Finding sensor = only(new HotCheck().look(of));
    assertThat(sensor.what()).contains("sensor vib-1 gives 60 %", "partition 3");
  }

  @Test
  @Order(7)
  void throughputThatHasReachedItsEnd_isFound() throws Exception {
    plateau(1_100, 1);
    Runnable work =
        () -> {
          try {
            plateau(20, 10);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        };

    Examination of = Examination.of(admin, config("plateau"), work, () -> null, Pages.NONE);
    Finding finding = only(new LagCheck().look(of));
    assertThat(finding.what()).contains("lag grows although all is at work");
    assertThat(finding.why()).contains("plateau");
  }

  /** More than half of the partitions get records, and are read up to an offset. */
  private static void plateau(int records, long readUpTo) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
    for (int partition = 20; partition < 64; partition++) {
      send("weir.readings", partition, records);
      read.put(new TopicPartition("weir.readings", partition), new OffsetAndMetadata(readUpTo));
    }
    admin.alterConsumerGroupOffsets("plateau", read).all().get();
  }

  @Test
  @Order(8)
  void transactionThatStaysOpen_isFoundWithWhatItBlocks() throws Exception {
    try (KafkaProducer<byte[], byte[]> open =
        producer(Map.of("transactional.id", "somebody", "transaction.timeout.ms", 60_000))) {
      open.initTransactions();
      open.beginTransaction();
      open.send(new ProducerRecord<>("weir.windows", 7, null, VALUE)).get();

      Finding finding = only(new TransactionsCheck().look(examine("blocked")));
      assertThat(finding.what()).contains("weir.windows-7", "offset 0", "somebody");
      open.abortTransaction();
    }
    while (!new TransactionsCheck().look(examine("blocked")).isEmpty()) {
      Thread.onSpinWait(); // Its end is written after the producer was notified of it.
    }
  }

  @Test
  @Order(9)
  void deadLetters_areReportedByReasonAndGateway() throws Exception {
    letter("FENCED", "line-7");
    letter("FENCED", "line-7");
    letter("FUTURE_TIMESTAMP", "line-8");
    letter("UNDECODABLE", "");
    letter("INVALID_VALUE", "line-9");

    List<Finding> findings =
        new DeadLettersCheck(System::currentTimeMillis).look(examine("letters"));
    assertThat(findings).hasSize(4);
    assertThat(found(findings, "FENCED").what()).contains("2 dead letters", "line-7 2");
    assertThat(found(findings, "FENCED").why()).contains("two processes");
    assertThat(found(findings, "FUTURE_TIMESTAMP").why()).contains("clock is ahead");
    assertThat(found(findings, "FUTURE_TIMESTAMP").what()).contains("line-8");
    assertThat(found(findings, "UNDECODABLE").what()).contains("(not known) 1");
    assertThat(found(findings, "INVALID_VALUE").severity()).isEqualTo(Severity.RISK);
  }

  private static void letter(String reason, String gateway) throws Exception {
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>("weir.dead-letters", 1, null, VALUE);
    letter
        .headers()
        .add(DeadLetterHeaders.REASON, reason.getBytes(StandardCharsets.UTF_8))
        .add(DeadLetterHeaders.GATEWAY, gateway.getBytes(StandardCharsets.UTF_8));
    producer.send(letter).get();
  }

  private static Finding found(List<Finding> findings, String reason) {
    return findings.stream().filter(f -> f.what().contains(reason)).findFirst().orElseThrow();
  }

  @Test
  @Order(10)
  void twoProcessesWithOneGatewayId_areNamed_andOneThatWasStartedAgainIsNot() throws Exception {
    for (int sequence = 1; sequence <= 4; sequence++) {
      batch("line-4", 100, sequence);
      batch("line-4", 200, sequence);
      batch("line-5", 100, sequence);
    }
    for (int sequence = 1; sequence <= 4; sequence++) {
      batch("line-5", 200, sequence);
    }

    assertThat(only(new GatewayIdsCheck().look(examine("ids"))).what())
        .isEqualTo("two processes publish in turns under one gateway id: line-4");
  }

  private static void batch(String gateway, long boot, long sequence) throws Exception {
    ReadingBatch batch =
        ReadingBatch.newBuilder()
            .setGatewayId(gateway)
            .setBootId(boot)
            .setSequence(sequence)
            .build();
    producer.send(new ProducerRecord<>("weir.readings", 9, null, batch.toByteArray())).get();
  }

  @Test
  @Order(10)
  void clocks_thatDiffer_areFound() {
    long behindMs = System.currentTimeMillis() - 600_000;
    Exposition page = new Exposition("weir_append_time_back_total 3.0\n");

    List<Finding> findings =
        new ClockCheck(() -> behindMs)
            .look(examine("clocks", Map.of("10.0.0.1:8080", page), Optional.empty()));
    assertThat(findings).hasSize(2);
    assertThat(findings.get(0).what()).contains("ahead of this machine");
    assertThat(findings.get(1).what()).contains("went back 3 times");
    assertThat(new ClockCheck(System::currentTimeMillis).look(examine("clocks"))).isEmpty();
  }

  @Test
  @Order(11)
  void processes_thatAreShortOfMemory_orHaveMuchLate_areFound() {
    Exposition page =
        new Exposition(
            """
            jvm_gc_live_data_size_bytes 90.0
            jvm_gc_max_data_size_bytes 100.0
            weir_threads_died_total 1.0
            weir_readings_total{outcome="aggregated",reason=""} 900.0
            weir_readings_total{outcome="late",reason=""} 100.0
            """);
    List<Finding> findings =
        new ProcessCheck()
            .look(examine("processes", Map.of("10.0.0.1:8080", page), Optional.empty()));

    assertThat(findings).extracting(Finding::what).anySatisfy(w -> assertThat(w).contains("90 %"));
    assertThat(findings)
        .extracting(Finding::what)
        .anySatisfy(w -> assertThat(w).contains("10.0 %"));
    assertThat(findings).extracting(Finding::what).anySatisfy(w -> assertThat(w).contains("died"));
  }

  @Test
  @Order(12)
  void changelogThatIsMuchLargerThanTheState_isFound() throws Exception {
    Examination bare = examine("fat");
    String changelog = bare.changelog();
    admin.createTopics(List.of(new NewTopic(changelog, 64, (short) 1))).all().get();
    send(changelog, 0, 2_000);
    Exposition page = new Exposition("weir_sensors 1.0\n");
    Examination of = examine("fat", Map.of("10.0.0.1:8080", page), Optional.empty());

    assertThat(only(new ChangelogCheck(100).look(of)).what()).contains(changelog, "1 sensors");
    assertThat(new ChangelogCheck().look(of)).isEmpty();
    // It was not made as Kafka Streams would have: its policy deletes state.
    assertThat(new TopicsCheck().look(of))
        .anySatisfy(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.BROKEN);
              assertThat(finding.what()).contains(changelog, "cleanup.policy");
            });
  }

  @Test
  @Order(13)
  void replicasThatDoNotFollow_areFound() {
    Examination cluster = examine("replicas");
    Node node = new Node(1, "a", 1);
    Node other = new Node(2, "b", 1);
    List<TopicPartitionInfo> partitions = new ArrayList<>();
    partitions.add(new TopicPartitionInfo(0, node, List.of(node, other), List.of(node)));
    partitions.add(new TopicPartitionInfo(1, null, List.of(node, other), List.of()));
    Examination of =
        new Examination(
            admin,
            cluster.config(),
            Map.of("weir.readings", new TopicDescription("weir.readings", false, partitions)),
            cluster.programs(),
            cluster.reader(),
            Pages.NONE);

    List<Finding> findings = new ReplicasCheck().look(of);
    assertThat(findings.get(0).what()).contains("without a leader", "weir.readings-1");
    assertThat(findings.get(1).what()).contains("behind", "weir.readings-0");
    assertThat(new ReplicasCheck().look(cluster)).isEmpty();
  }

  @Test
  @Order(14)
  void quotaOfEverybody_thatThrottlesWeir_isFound() throws Exception {
    Map<String, String> everybody = new HashMap<>();
    everybody.put(ClientQuotaEntity.CLIENT_ID, null);
    quota(everybody, 1_000_000.0);
    try {
      while (new QuotasCheck().look(examine("quotas")).isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(only(new QuotasCheck().look(examine("quotas"))).what())
          .contains("consumer_byte_rate", "1000000");
    } finally {
      quota(everybody, null);
    }
  }

  private static void quota(Map<String, String> entity, Double rate) throws Exception {
    admin
        .alterClientQuotas(
            List.of(
                new ClientQuotaAlteration(
                    new ClientQuotaEntity(entity),
                    List.of(new ClientQuotaAlteration.Op("consumer_byte_rate", rate)))))
        .all()
        .get();
  }

  @Test
  @Order(15)
  void clusterOfAnOldVersion_isFound() {
    assertThat(only(new VersionsCheck(Short.MAX_VALUE).look(examine("old"))).check())
        .isEqualTo("versions");
  }

  @Test
  @Order(16)
  void topicThatAsksForMoreReplicasThanItHas_isFound() throws Exception {
    set("weir.late", "min.insync.replicas", "2");
    List<Finding> findings = new ReplicasCheck().look(examine("least"));
    while (findings.isEmpty()) {
      findings = new ReplicasCheck().look(examine("least"));
    }
    set("weir.late", "min.insync.replicas", "1");

    assertThat(only(findings).severity()).isEqualTo(Severity.BROKEN);
    assertThat(only(findings).what()).contains("64 partitions", "min.insync.replicas", "weir.late");
  }

  @Test
  @Order(17)
  void eventsAndSink_areLookedAt_whereTheyAreSwitchedOn() throws Exception {
    WeirConfig config =
        config(
            "both",
            Map.of("weir.events", "true", "weir.sink.jdbc.url", "jdbc:postgresql://localhost/w"));
    new TopicAdmin(admin, config.topics()).createMissing();
    send("weir.scheduled", 2, 30);
    send("weir.scheduled", 3, 1_100);
    send("weir.windows", 5, 40);
    commit("weir-events", "weir.scheduled", 2, 10);
    admin
        .deleteRecords(
            Map.of(new TopicPartition("weir.scheduled", 2), RecordsToDelete.beforeOffset(20)))
        .all()
        .get();

    Examination of = examine(config, Pages.NONE);
    assertThat(new GroupCheck().look(of))
        .extracting(Finding::what)
        .anySatisfy(what -> assertThat(what).contains("in the group weir-events, and 1110 records"))
        .anySatisfy(what -> assertThat(what).contains("in the group both-sink"));
    assertThat(only(new RetentionCheck().look(of)).what())
        .contains("weir.scheduled", "weir events", "partition 2 lacks 10");
    assertThat(only(new StateCheck().look(of)).what())
        .contains("weir-events-weir-timers-changelog is not there", ": 2");
    assertThat(new LagCheck().look(of))
        .extracting(Finding::what)
        .anySatisfy(what -> assertThat(what).startsWith("weir events: a few").contains("1100"));
  }

  /** Last: it leaves rights by which the others could not look. */
  @Test
  @Order(19)
  void rightsThatAreTooWide_orMissing_areFound() throws Exception {
    allow("weir.late", "User:ANONYMOUS", AclOperation.WRITE, AclPermissionType.DENY);
    allow("weir.late", "User:*", AclOperation.READ, AclPermissionType.ALLOW);
    allow("weir.windows", "User:*", AclOperation.ALL, AclPermissionType.ALLOW);
    allow(ResourceType.GROUP, "rights", "User:*", AclOperation.READ, AclPermissionType.ALLOW);
    allow(
        ResourceType.TRANSACTIONAL_ID,
        "rights-x",
        "User:*",
        AclOperation.WRITE,
        AclPermissionType.ALLOW);
    List<Finding> findings = new RightsCheck().look(examine("rights"));
    while (findings.size() < 4) {
      findings = new RightsCheck().look(examine("rights"));
    }

    assertThat(findings).hasSize(4);
    assertThat(findings.get(0).what()).contains("WRITE on weir.late");
    assertThat(findings.get(1).severity()).isEqualTo(Severity.BROKEN);
    assertThat(findings)
        .extracting(Finding::what)
        .contains(
            "everybody (User:*) may ALL on topics weir.windows",
            "everybody (User:*) may READ on group rights",
            "everybody (User:*) may WRITE on transactional ids rights-x");
  }

  private static void allow(
      String topic, String principal, AclOperation operation, AclPermissionType permission)
      throws Exception {
    allow(ResourceType.TOPIC, topic, principal, operation, permission);
  }

  private static void allow(
      ResourceType type,
      String name,
      String principal,
      AclOperation operation,
      AclPermissionType permission)
      throws Exception {
    admin
        .createAcls(
            List.of(
                new AclBinding(
                    new ResourcePattern(type, name, PatternType.LITERAL),
                    new AccessControlEntry(principal, "*", operation, permission))))
        .all()
        .get();
  }

  @Test
  @Order(18)
  void topicsThatAreNotAsPlanned_areFound_theWorstFirst() throws Exception {
    set("weir.readings", "message.timestamp.type", "CreateTime");
    set("weir.windows", "retention.ms", "60000");
    set("weir.late", "retention.bytes", "-1");
    Examination of = examine("topics");
    Doctor doctor = new Doctor(List.of(new TopicsCheck()));
    Doctor.Diagnosis diagnosis = doctor.examine(of);
    while (diagnosis.findings().size() < 3) {
      diagnosis = doctor.examine(of);
    }

    assertThat(diagnosis.findings().get(0).severity()).isEqualTo(Severity.BROKEN);
    assertThat(diagnosis.findings().get(0).what()).contains("message.timestamp.type=CreateTime");
    assertThat(diagnosis.findings().get(1).severity()).isEqualTo(Severity.RISK);
    assertThat(diagnosis.findings().get(1).what()).contains("weir.windows", "retention.ms=60000");
    assertThat(diagnosis.findings().get(1).why()).contains("deleted before");
    assertThat(diagnosis.findings().get(2).what()).contains("weir.late", "retention.bytes=-1");
    assertThat(diagnosis.findings().get(2).why()).contains("more is kept");
    String text = String.join("\n", DoctorText.lines(diagnosis));
    assertThat(text).startsWith("BROKEN  topics: weir.readings").endsWith("3 findings");
  }
}
