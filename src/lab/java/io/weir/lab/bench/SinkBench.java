package io.weir.lab.bench;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.sink.Sink;
import io.weir.internal.sink.SinkSchema;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.EmbeddedPostgres;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.postgresql.PGConnection;

/**
 * {@code weir sink} beside COPY into a temporary table and INSERT ... ON CONFLICT of the same rows,
 * which is what psql would be given: in turn, on one server. Kafka, PostgreSQL's client and the
 * sink share this machine.
 */
public final class SinkBench {
  private static final int SENSORS = 10_000;
  private static final long WINDOW_MS = 10_000;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final String COLUMNS =
      "sensor_id, window_start, window_end, count, sum, min, max, bad_count, revision,"
          + " close_reason, is_final, topic_generation, kafka_offset";
  private static final String MERGE =
      """
      insert into weir_windows as t (%1$s) select %1$s from staging
      on conflict (sensor_id, window_start, window_end) do update set
        count = excluded.count, sum = excluded.sum, min = excluded.min, max = excluded.max,
        bad_count = excluded.bad_count, revision = excluded.revision,
        close_reason = excluded.close_reason, is_final = excluded.is_final,
        topic_generation = excluded.topic_generation, kafka_offset = excluded.kafka_offset
      where (t.topic_generation, t.kafka_offset) < (excluded.topic_generation, excluded.kafka_offset)"""
          .formatted(COLUMNS);

  private final int rows;
  private final int rounds;
  private final long nowMs = System.currentTimeMillis() / WINDOW_MS * WINDOW_MS;

  /**
   * @param rows windows, at least 20,000
   * @param rounds how often each is measured
   */
  public SinkBench(int rows, int rounds) {
    this.rows = rows;
    this.rounds = rounds;
  }

  /**
   * Measures; returns the lines of the result. Takes a few seconds a round and 100,000 rows.
   *
   * @param log where it says what it does
   */
  public List<String> run(PrintWriter log) {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(0, Map.of("max_wal_size", "4GB"))) {
      fill(kafka);
      List<Double> copies = new ArrayList<>();
      List<Double> sinks = new ArrayList<>();
      List<Double> ratios = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        copies.add(copy(postgres, schema(postgres, "copy" + round)));
        sinks.add(sink(kafka, schema(postgres, "sink" + round), round));
        log.printf(
            Locale.ROOT,
            "round %d: COPY and INSERT %,.0f rows/s, weir sink %,.0f, ratio %.2f%n",
            round + 1,
            copies.get(round),
            sinks.get(round),
            sinks.get(round) / copies.get(round));
        log.flush();
        ratios.add(sinks.get(round) / copies.get(round));
      }
      double copy = Spread.of(array(copies)).median();
      double sink = Spread.of(array(sinks)).median();
      Spread ratio = Spread.of(array(ratios));
      return List.of(
          String.format(Locale.ROOT, "COPY and INSERT ... ON CONFLICT  %,10.0f rows/s", copy),
          String.format(Locale.ROOT, "weir sink                        %,10.0f rows/s", sink),
          String.format(
              Locale.ROOT,
              "ratio within a round             %10.2f  (%.2f - %.2f) target 0.8 or more",
              ratio.median(),
              ratio.least(),
              ratio.most()));
    } catch (SQLException | IOException e) {
      throw new IllegalStateException("PostgreSQL: " + e.getMessage(), e);
    }
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** A schema of its own with empty tables; returns its address. */
  private static String schema(EmbeddedPostgres postgres, String name) throws SQLException {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("create schema " + name);
    }
    String url = postgres.jdbcUrl() + "&currentSchema=" + name;
    SinkSchema.init(config(Map.of("sink.jdbc.url", url)).sink());
    return url;
  }

  private double copy(EmbeddedPostgres postgres, String url) throws SQLException, IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      WindowSummary window = window(i);
      text.append(window.getSensorId())
          .append('\t')
          .append(Instant.ofEpochMilli(window.getWindowStartMs()))
          .append('\t')
          .append(Instant.ofEpochMilli(window.getWindowEndMs()))
          .append('\t')
          .append(window.getCount())
          .append('\t')
          .append(window.getSum())
          .append('\t')
          .append(window.getMin())
          .append('\t')
          .append(window.getMax())
          .append("\t0\t0\tEVENT_TIME\tf\t1\t")
          .append(i)
          .append('\n');
    }
    byte[] lines = text.toString().getBytes(StandardCharsets.UTF_8);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("create temporary table staging (like weir_windows)");
      connection.setAutoCommit(false);
      long startNanos = System.nanoTime();
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("copy staging (" + COLUMNS + ") from stdin", new ByteArrayInputStream(lines));
      statement.execute(MERGE);
      connection.commit();
      return perSecond(rows, startNanos);
    }
  }

  private double sink(EmbeddedKafka kafka, String url, int round) {
    WeirConfig config =
        config(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "application.id",
                "bench" + round,
                "sink.jdbc.url",
                url));
    try (Sink sink = Sink.start(config, false)) {
      // From the first read on: joining the group is no part of the pace.
      while (sink.partitions() == 0) {
        look(sink);
      }
      long startNanos = System.nanoTime();
      while (sink.counters().records(Topic.WINDOWS) < rows) {
        look(sink);
      }
      return perSecond(rows, startNanos);
    }
  }

  private static void look(Sink sink) {
    if (sink.ended().isDone()) {
      throw new IllegalStateException("the sink ended: " + sink.ended().join().orElse(""));
    }
    LockSupport.parkNanos(LOOK_NANOS);
  }

  private static double perSecond(long count, long startNanos) {
    return count * 1e9 / (System.nanoTime() - startNanos);
  }

  private static WeirConfig config(Map<String, String> settings) {
    return WeirConfig.of(new Properties(), Map.of(), settings);
  }

  private void fill(EmbeddedKafka kafka) {
    Map<String, Object> client =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "compression.type", "lz4");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < rows; i++) {
        WindowSummary window = window(i);
        producer.send(
            new ProducerRecord<>(
                TopicNames.DEFAULT.windows(),
                SensorPartition.of(window.getSensorId()),
                window.getSensorId().getBytes(StandardCharsets.UTF_8),
                window.toByteArray()));
      }
    }
  }

  private WindowSummary window(int i) {
    long startMs = nowMs - WINDOW_MS * (rows / SENSORS - i / SENSORS);
    return WindowSummary.newBuilder()
        .setSensorId("plant-1/line-" + i % 7 + "/sensor-" + i % SENSORS)
        .setWindowStartMs(startMs)
        .setWindowEndMs(startMs + WINDOW_MS)
        .setCount(10)
        .setSum(i * 0.1)
        .setMin(i % 100 * 0.01)
        .setMax(i % 100 * 0.02)
        .setCloseReason(CloseReason.CLOSE_REASON_EVENT_TIME)
        .build();
  }
}
