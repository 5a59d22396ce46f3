package io.weir.internal.app;

import static io.weir.internal.app.OneSensor.READINGS;
import static io.weir.internal.app.OneSensor.TOPICS;
import static io.weir.internal.app.OneSensor.latest;
import static io.weir.internal.app.OneSensor.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Committed;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reset after retention has deleted a part of what was counted before. */
class WithheldOnKafkaTest {
  @TempDir Path dir;

  @Test
  void windowThatAnEarlierLifePublishedInFull_staysTheLastRecord() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      long startMs = System.currentTimeMillis() / 10_000 * 10_000 - 60_000;
      send(rig, startMs, startMs + 1, startMs + 2);
      send(rig, startMs + 3, startMs + 4, startMs + 20_000);
      readAll(rig, "first");
      assertThat(latest(rig, startMs).getCount()).isEqualTo(5);

      rig.admin().deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(1))).all().get();
      readAll(rig, "second");

      assertThat(latest(rig, startMs).getCount()).isEqualTo(5);
      List<ConsumerRecord<byte[], byte[]>> late =
          Committed.of(rig.bootstrapServers(), List.of(TOPICS.late()));
      assertThat(late)
          .extracting(record -> record.headers().lastHeader(DeadLetterHeaders.REASON).value())
          .extracting(value -> new String(value, StandardCharsets.UTF_8))
          .containsExactly("WITHHELD");
      assertThat(ReadingBatch.parseFrom(late.get(0).value()).getReadingsCount()).isEqualTo(3);
    }
  }

  private static void readAll(AppRig rig, String applicationId) throws Exception {
    OneSensor.readAll(rig, applicationId, Map.of());
  }
}
