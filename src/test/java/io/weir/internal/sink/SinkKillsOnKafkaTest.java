package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.summary.WindowKey;
import io.weir.topic.SensorPartition;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The sink between a real Kafka and a real PostgreSQL, with kills of all sorts; {@code
 * -Dweir.sink.kills=100} for more of them.
 */
@Timeout(1_800)
class SinkKillsOnKafkaTest extends SinkOnKafkaFixture {
  private static final int KILLS = Integer.getInteger("weir.sink.kills", 5);

  @Test
  void table_isWhatTheTopicSaysLast_whateverIsKilled() throws Exception {
    Random random = new Random(SEED);
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      start();
      start();
      for (int kill = 0; kill < KILLS; kill++) {
        produce(producer, random, 20);
        kill(random, kill % 4);
        produce(producer, random, 20);
      }
    }
    awaitAll(windows);

    try (Connection connection = connect()) {
      Map<WindowKey, WindowSummary> found = SummaryTable.read(connection, "weir_windows");
      assertThat(found).as("seed %s", SEED).isEqualTo(latest());
      assertThat(found).hasSizeGreaterThan(100);
    }
    assertThat(query("select count(*) from weir_sink_rejects")).isZero();
  }

  @Test
  void status_isWhatTheTopicSaysLast_whateverIsKilled() throws Exception {
    Random random = new Random(SEED);
    Map<String, SensorStatus> expected = new TreeMap<>();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      start();
      for (int kill = 0; kill < KILLS; kill++) {
        produceStatus(producer, random, expected);
        kill(random, kill % 4);
        produceStatus(producer, random, expected);
      }
    }
    awaitAll(status);

    try (Connection connection = connect()) {
      assertThat(StatusTable.read(connection)).as("seed %s", SEED).isEqualTo(expected);
    }
    assertThat(expected).isNotEmpty();
    assertThat(query("select count(*) from weir_sink_rejects")).isZero();
  }

  /** As PostgreSQL says it: SQLSTATE 53100, until somebody makes room. */
  @Test
  void fullDisk_isWaitedFor_andNothingIsLost() throws Exception {
    Random random = new Random(SEED);
    Sink sink = start();
    execute(
        "create function no_room() returns trigger language plpgsql as $$ begin"
            + " raise exception 'could not extend file' using errcode = '53100'; end $$");
    execute(
        "create trigger full_disk before insert on weir_windows"
            + " for each statement execute function no_room()");
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      produce(producer, random, 50);
      awaitWaiting(sink, "SQLSTATE 53100");
      produce(producer, random, 50);
    }
    assertThat(query("select count(*) from weir_windows")).isZero();
    assertThat(query("select coalesce(sum(next_offset), 0) from weir_sink_offsets")).isZero();

    execute("drop trigger full_disk on weir_windows");
    awaitAll(windows);

    try (Connection connection = connect()) {
      assertThat(SummaryTable.read(connection, "weir_windows"))
          .as("seed %s", SEED)
          .isEqualTo(latest());
    }
    assertThat(query("select count(*) from weir_sink_rejects")).isZero();
  }

  /** While a batch waits for a lock the next one is read; a second sink takes a part of both. */
  @Test
  void batchThatFailsWhileTheNextIsRead_takesNothingOfItWithIt() throws Exception {
    Random random = new Random(SEED);
    start();
    try (KafkaProducer<byte[], byte[]> producer = producer();
        Connection other = connect();
        Statement lock = other.createStatement()) {
      produce(producer, random, 20);
      awaitAll(windows);
      for (boolean broken : new boolean[] {true, false}) {
        other.setAutoCommit(false);
        lock.execute("lock table weir_windows in exclusive mode");
        produce(producer, random, 50);
        await("select least(count(*), 1) from pg_locks where not granted", 1);
        for (int i = 0; i < 10; i++) {
          produce(producer, random, 30);
        }
        start();
        if (broken) {
          execute(
              "select pg_terminate_backend(pid) from pg_stat_activity"
                  + " where application_name = 'weir sink'");
        }
        other.rollback();
        produce(producer, random, 30);
        awaitAll(windows);
      }
    }

    try (Connection connection = connect()) {
      assertThat(SummaryTable.read(connection, "weir_windows"))
          .as("seed %s", SEED)
          .isEqualTo(latest());
    }
    assertThat(query("select count(*) from weir_sink_rejects")).isZero();
  }

  private static void awaitWaiting(Sink sink, String what) {
    long endNanos = System.nanoTime() + TIMEOUT_NANOS;
    while (!sink.describe().contains(what)) {
      assertThat(System.nanoTime()).as(sink.describe()).isLessThan(endNanos);
      Await.pause();
    }
  }

  private void produceStatus(
      KafkaProducer<byte[], byte[]> producer, Random random, Map<String, SensorStatus> last) {
    for (int i = 0; i < 20; i++) {
      String sensor = "s-" + random.nextInt(25);
      boolean gone = random.nextInt(4) == 0;
      SensorStatus now = gone ? null : StatusTable.random(random, sensor);
      byte[] key = sensor.getBytes(StandardCharsets.UTF_8);
      byte[] value = gone ? null : now.toByteArray();
      producer.send(new ProducerRecord<>(status, SensorPartition.of(sensor), key, value));
      last.compute(sensor, (any, before) -> now);
    }
    producer.flush();
  }

  private void kill(Random random, int kind) throws SQLException {
    switch (kind) {
      case 0 ->
          execute(
              "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'weir sink'");
      case 1 -> {
        sinks.remove(random.nextInt(sinks.size())).close();
        start();
      }
      case 2 -> {
        postgres.kill();
        postgres.restart();
      }
      default -> {
        sinks.remove(random.nextInt(sinks.size())).breakOff();
        start();
      }
    }
  }
}
