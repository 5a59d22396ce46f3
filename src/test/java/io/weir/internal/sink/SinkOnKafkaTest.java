package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.SensorPartition;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sink when topics, records, tables or committed rows are gone. */
@Timeout(1_800)
class SinkOnKafkaTest extends SinkOnKafkaFixture {
  @Test
  void topicMadeAgain_isNewerThanTheOneBefore_alsoWhileItRuns() throws Exception {
    start();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      for (int i = 0; i < 50; i++) {
        send(producer, RandomSummaries.next(new Random(i), "boiler", 0, 100 + i));
      }
      producer.flush();
    }
    await("select count(*) from weir_windows where revision = 149", 1);

    try (Admin admin = Admin.create(client)) {
      admin.deleteTopics(List.of(windows)).all().get();
    }
    makeTopic();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      send(producer, RandomSummaries.next(new Random(7), "boiler", 0, 3));
      producer.flush();
    }

    await("select count(*) from weir_windows where revision = 3 and topic_generation = 2", 1);
    assertThat(query("select count(*) from weir_windows")).isEqualTo(1);
  }

  @Test
  void recordsDeletedBeforeTheyAreWritten_endIt_unlessTheyAreToBeSkipped() throws Exception {
    TopicPartition partition = new TopicPartition(windows, SensorPartition.of("boiler"));
    Sink first = start();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      send(producer, RandomSummaries.next(new Random(1), "boiler", 0, 1));
      producer.flush();
      await("select count(*) from weir_windows", 1);
      first.close();
      for (int i = 0; i < 5; i++) {
        send(producer, RandomSummaries.next(new Random(i), "boiler", 0, 10 + i));
      }
      producer.flush();
    }
    try (Admin admin = Admin.create(client)) {
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(4))).all().get();
    }

    Optional<String> why = start().ended().get(2, TimeUnit.MINUTES);

    assertThat(why)
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .startsWith("offsets 1 to 3 of " + partition + " were deleted before")
                    .contains("weir sink --skip-lost"));
    sinks.clear();
    Sink again = Sink.start(config(), true);
    sinks.add(again);
    await("select count(*) from weir_windows where revision = 14", 1);
    assertThat(again.counters().lost()).isEqualTo(3);
  }

  /** As a replica that was promoted, and lacks the transactions that were committed last. */
  @Test
  void databaseThatFellBackWhileItRuns_isWrittenAgainFromItsOwnOffsets() throws Exception {
    start();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      for (int i = 0; i < 20; i++) {
        send(producer, RandomSummaries.next(new Random(i), "boiler", i * 10_000L, 0));
      }
      producer.flush();
      await("select count(*) from weir_windows", 20);
      awaitAll(windows);
      execute(
          "begin; delete from weir_windows where kafka_offset >= 5;"
              + " update weir_sink_offsets set next_offset = 5 where next_offset = 20; commit;"
              + " select pg_terminate_backend(pid) from pg_stat_activity"
              + " where application_name = 'weir sink'");
      send(producer, RandomSummaries.next(new Random(20), "boiler", 200_000, 0));
      producer.flush();
    }
    awaitAll(windows);

    assertThat(query("select count(*) from weir_windows")).isEqualTo(21);
  }

  @Test
  void missingTables_endItWithALine() throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("drop table weir_schema");
    }

    assertThat(start().ended().get(2, TimeUnit.MINUTES))
        .hasValueSatisfying(
            line -> assertThat(line).contains("weir_schema").contains("weir sink --init"));
  }
}
