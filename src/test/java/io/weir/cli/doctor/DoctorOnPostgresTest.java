package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.Await;
import io.weir.cli.pages.Exposition;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.collect.CollectSchema;
import io.weir.internal.collect.Collector;
import io.weir.internal.ops.CollectMeters;
import io.weir.internal.ops.ServiceMeters;
import io.weir.internal.ops.SinkMeters;
import io.weir.internal.sink.Sink;
import io.weir.internal.sink.SinkSchema;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.EmbeddedPostgres;
import io.weir.lab.chaos.WrongClock;
import io.weir.topic.TopicAdmin;
import io.weir.v1.WindowSummary;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Each trouble of {@code weir sink} and {@code weir collect}, made between a real Kafka and a real
 * PostgreSQL. That rows of the outbox wait, or are held back, for more than five minutes takes as
 * long: {@link DoctorOnPagesTest} has a page that says so.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(120)
class DoctorOnPostgresTest {
  private static final int PARTITION = 4;
  private static final long TIMEOUT_NANOS = Duration.ofSeconds(30).toNanos();

  private static final WrongClock CLOCK = new WrongClock();
  private static EmbeddedKafka kafka;
  private static EmbeddedPostgres postgres;
  private static Admin admin;
  private static KafkaProducer<byte[], byte[]> producer;
  private static WeirConfig config;

  /** A registry keeps no hold on what it measures. */
  private static final List<ServiceMeters> METERS = new ArrayList<>();

  private static Sink sink;
  private static Collector collector;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start(EmbeddedKafka.Options.DEFAULT, CLOCK);
    postgres = EmbeddedPostgres.start();
    Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
    admin = Admin.create(client);
    producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
    Properties settings = new Properties();
    settings.setProperty("weir.bootstrap.servers", kafka.bootstrapServers());
    settings.setProperty("weir.sink.jdbc.url", postgres.jdbcUrl());
    settings.setProperty("weir.collect.jdbc.url", postgres.jdbcUrl());
    settings.setProperty("weir.gateway.id", "db");
    settings.setProperty("weir.sink.flush.interval", "20ms");
    config = WeirConfig.of(settings, Map.of(), Map.of());
    new TopicAdmin(admin, config.topics()).createMissing();
    SinkSchema.init(config.sink());
    CollectSchema.init(config.collect(), false);
  }

  @AfterAll
  static void stop() throws Exception {
    if (collector != null) {
      collector.close();
    }
    if (sink != null) {
      sink.close();
    }
    producer.close();
    admin.close();
    postgres.close();
    kafka.close();
  }

  @Test
  @Order(1)
  void rowsThatASinkRejected_areFound_andRecordsThatItSkipped() throws Exception {
    try (Sink first = Sink.start(config, false)) {
      PrometheusMeterRegistry page = page(first);
      send(new byte[] {1, 2, 3});
      await(page, "weir sink rejected 1 {reason=\"UNDECODABLE\"} since the start");
    }
    for (int i = 0; i < 4; i++) {
      send(window(i));
    }
    TopicPartition partition = new TopicPartition("weir.windows", PARTITION);
    admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(3))).all().get();

    sink = Sink.start(config, true);
    await(page(sink), "weir sink skipped 2 offsets that were deleted before they were written");
  }

  @Test
  @Order(2)
  void recordThatWaitsLong_isFound() throws Exception {
    PrometheusMeterRegistry page = page(sink);
    try (Connection other = postgres.connect();
        Statement lock = other.createStatement()) {
      other.setAutoCommit(false);
      lock.execute("lock table weir_windows in exclusive mode");
      CLOCK.wrongBy(-Duration.ofMinutes(10).toMillis()); // That of the broker, which appends it.
      send(window(9));
      CLOCK.wrongBy(0);
      await(page, "the oldest record or row for weir sink waits for 6");
    }
  }

  @Test
  @Order(3)
  void collectorsOfWhichNoneCollects_areFound() {
    collector = Collector.start(config);
    await(collector::isActive);
    try (Collector second = Collector.start(config)) {
      await(second::isConnected);

      await(page(second), "no process of weir collect in --url is active");
      assertThat(look(page(collector), page(second))).isEmpty();
    }
  }

  /** Last: there is no PostgreSQL afterwards. */
  @Test
  @Order(4)
  void databaseThatIsAway_isFound_bySinkAndCollector() {
    postgres.kill();
    send(window(10));

    await(page(sink), "weir sink has no connection to its database");
    await(page(collector), "weir collect has no connection to its database");
  }

  /** The page of its metrics. */
  private static PrometheusMeterRegistry page(Sink of) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    METERS.add(new SinkMeters(of, config.sink().topics(), registry));
    return registry;
  }

  private static PrometheusMeterRegistry page(Collector of) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    METERS.add(new CollectMeters(of, registry));
    return registry;
  }

  private static void send(byte[] value) {
    producer.send(new ProducerRecord<>("weir.windows", PARTITION, null, value));
    producer.flush();
  }

  private static byte[] window(int number) {
    return WindowSummary.newBuilder()
        .setSensorId("boiler")
        .setWindowStartMs(10_000L * number)
        .setWindowEndMs(10_000L * (number + 1))
        .setCount(1)
        .build()
        .toByteArray();
  }

  private static void await(BooleanSupplier condition) {
    long endNanos = System.nanoTime() + TIMEOUT_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(endNanos);
      Await.pause();
    }
  }

  /** Looks at the page until there is such a finding. */
  private static void await(PrometheusMeterRegistry page, String words) {
    long endNanos = System.nanoTime() + TIMEOUT_NANOS;
    List<String> found = look(page);
    while (found.stream().noneMatch(what -> what.contains(words))) {
      assertThat(System.nanoTime()).as("%s, and there is %s", words, found).isLessThan(endNanos);
      Await.pause();
      found = look(page);
    }
  }

  private static List<String> look(PrometheusMeterRegistry... pages) {
    Map<String, Exposition> metrics = new TreeMap<>();
    Stream.of(pages)
        .forEach(page -> metrics.put("10.0.0." + metrics.size(), new Exposition(page.scrape())));
    Examination of =
        new Examination(
            null,
            null,
            Map.of(),
            Set.of(),
            List.of(),
            null,
            new Pages(metrics, Optional.empty(), Map.of()));
    return new PostgresCheck().look(of).stream().map(Finding::what).toList();
  }
}
