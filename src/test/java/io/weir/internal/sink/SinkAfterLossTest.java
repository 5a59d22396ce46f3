package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.internal.app.WeirConfig;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.EmbeddedPostgres;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that forgets what it had said is committed, while the sink lives on. */
@Timeout(600)
class SinkAfterLossTest {
  /** Nothing but the last commits' own writing brings them to the disk. */
  private static final Map<String, String> FORGETFUL =
      Map.of(
          "synchronous_commit", "off",
          "wal_writer_delay", "10s",
          "bgwriter_delay", "10s",
          "checkpoint_timeout", "1h",
          "autovacuum", "off");

  private static final String SENSOR = "boiler";
  private static final int FIRST = 5;
  private static final int LOST = 20;
  private static final int AFTER = 5;

  @Test
  void rowsThatACrashTook_areWrittenAgain() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(0, FORGETFUL)) {
      Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
      try (Admin admin = Admin.create(client)) {
        new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
      }
      WeirConfig config =
          WeirConfig.of(
              new Properties(),
              Map.of(),
              Map.of(
                  "bootstrap.servers", kafka.bootstrapServers(),
                  "sink.jdbc.url", postgres.jdbcUrl(),
                  "sink.flush.interval", "20ms"));
      SinkSchema.init(config.sink());
      try (KafkaProducer<byte[], byte[]> producer =
              new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
          Sink sink = Sink.start(config, false)) {
        produce(producer, 0, FIRST);
        await(sink, postgres, FIRST);
        checkpoint(postgres);
        produce(producer, FIRST, LOST);
        await(sink, postgres, FIRST + LOST);

        postgres.kill();
        postgres.restart();
        produce(producer, FIRST + LOST, AFTER);

        await(sink, postgres, FIRST + LOST + AFTER);
        assertThat(sink.counters().reconnects()).isPositive();
      }
    }
  }

  /** What was committed so far is kept. */
  private static void checkpoint(EmbeddedPostgres postgres) throws SQLException {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("checkpoint");
    }
  }

  private static void produce(KafkaProducer<byte[], byte[]> producer, int from, int count) {
    for (int i = from; i < from + count; i++) {
      byte[] window =
          WindowSummary.newBuilder()
              .setSensorId(SENSOR)
              .setWindowStartMs(10_000L * i)
              .setWindowEndMs(10_000L * (i + 1))
              .setCount(1)
              .build()
              .toByteArray();
      producer.send(
          new ProducerRecord<>(
              TopicNames.DEFAULT.windows(), SensorPartition.of(SENSOR), null, window));
    }
    producer.flush();
  }

  private static void await(Sink sink, EmbeddedPostgres postgres, int rows) {
    while (rows(postgres) != rows) {
      assertThat(sink.ended()).isNotDone();
      Await.pause();
    }
  }

  private static long rows(EmbeddedPostgres postgres) {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select count(*) from weir_windows")) {
      result.next();
      return result.getLong(1);
    } catch (SQLException e) {
      return -1;
    }
  }
}
