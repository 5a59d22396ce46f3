package io.weir.internal.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.json.ReadableTimes;
import io.weir.internal.json.RecordJson;
import io.weir.internal.json.TopicMessages;
import io.weir.lab.hostile.HostileOutput;
import io.weir.lab.hostile.HostileRow;
import io.weir.lab.hostile.HostileRow.Target;
import io.weir.lab.hostile.HostileTable;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Each row of the table of forged records, read from the topics of {@code weir serve}: it goes on,
 * and every path answers. {@code weir tail} prints each.
 */
class ForgedRecordsInServeTest {
  private static final long SEED = Long.getLong("weir.seed", 1);
  private static final int EVERY = 25;
  private static final List<String> PATHS =
      List.of(
          "overview",
          "sensors?limit=1000",
          "sensor?id=hostile",
          "windows?id=hostile&from=0&limit=1000",
          "windows?id=hostile&from=0&form=columns&points=10",
          "groups?limit=1000",
          "group?id=hostile&from=0",
          "status?limit=1000",
          "alarms?limit=1000",
          "late?limit=1000",
          "dead-letters?limit=1000");

  private final WeirConfig config =
      WeirConfig.of(new Properties(), Map.of(), Map.of("bootstrap.servers", "localhost:1"));
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

  @Test
  void forgedRecords_hideNothing_andEveryPathAnswers() throws Exception {
    List<Topic> topics = Topic.readBy(User.SERVE).toList();
    for (Topic topic : topics) {
      String name = config.nameOf(topic);
      consumer.updatePartitions(name, List.of(new PartitionInfo(name, 0, null, null, null)));
      consumer.updateBeginningOffsets(Map.of(new TopicPartition(name, 0), 0L));
      consumer.updateEndOffsets(Map.of(new TopicPartition(name, 0), 0L));
    }
    try (ServeFixture serve = new ServeFixture(Optional.empty(), 4)) {
      TopicReader reader = new TopicReader(consumer, serve.memory, config, topics);
      reader.begin();
      serve.window("neighbour", ServeFixture.NOW_MS - ServeFixture.SIZE_MS, 7);
      int rows = 0;
      for (HostileRow row : HostileTable.rows(Target.OUTPUT, SEED)) {
        HostileOutput forged = HostileOutput.of(row, ServeFixture.NOW_MS);
        Optional<Topic> topic =
            topics.stream().filter(each -> each.defaultName().equals(forged.topic())).findFirst();
        if (topic.isEmpty()) {
          continue;
        }
        ConsumerRecord<byte[], byte[]> record = record(forged, rows++);
        print(topic.get(), record);
        consumer.addRecord(record);
        reader.turn(ServeFixture.NOW_MS);
        if (rows % EVERY == 0 || row.unusual() == 1) {
          for (String path : PATHS) {
            assertThat(serve.get("/api/v1/" + path).statusCode())
                .as(row + ", " + path)
                .isIn(200, 404);
          }
        }
      }
      assertThat(rows).isGreaterThan(100);
      assertThat(serve.get("/api/v1/sensor?id=neighbour").body()).contains("\"sum\":7");
    } finally {
      consumer.close();
    }
  }

  private ConsumerRecord<byte[], byte[]> record(HostileOutput forged, long offset) {
    TopicPartition partition = new TopicPartition(forged.topic(), 0);
    consumer.updateEndOffsets(Map.of(partition, offset + 1));
    return forged.read(0, offset, ServeFixture.NOW_MS);
  }

  private static void print(Topic topic, ConsumerRecord<byte[], byte[]> record) {
    Topic content =
        TopicMessages.content(
            topic, record, Set.of(Topic.EVENTS.defaultName(), Topic.SCHEDULED.defaultName()));
    ReadableTimes times = new ReadableTimes(ZoneOffset.UTC);
    assertThat(RecordJson.line(topic, content, record, Optional.of(times), true)).isNotEmpty();
  }
}
