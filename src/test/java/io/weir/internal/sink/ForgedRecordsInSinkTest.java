package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.hostile.HostileOutput;
import io.weir.lab.hostile.HostileRow;
import io.weir.lab.hostile.HostileRow.Target;
import io.weir.lab.hostile.HostileTable;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Each row of the table of forged records becomes rows of its table, or a reject. */
class ForgedRecordsInSinkTest {
  private static final long SEED = Long.getLong("weir.seed", 1);
  private static final long MOST_BYTES = 32 << 20;

  @Test
  void forgedRecords_areRowsOrRejects_ofBoundedSize() {
    int rejects = 0;
    int written = 0;
    Set<Topic> topics = EnumSet.of(Topic.LATE, Topic.DEAD_LETTERS);
    Topic.readBy(User.SINK).forEach(topics::add);
    for (HostileRow row : HostileTable.rows(Target.OUTPUT, SEED)) {
      HostileOutput forged = HostileOutput.of(row, 1_700_000_000_000L);
      Optional<Topic> topic =
          topics.stream().filter(each -> each.defaultName().equals(forged.topic())).findFirst();
      if (topic.isEmpty()) {
        continue;
      }
      TableMapping mapping = TableMapping.of(topic.get());
      RecordRows rows = new RecordRows(mapping.table());
      ConsumerRecord<byte[], byte[]> record = forged.read(0, 1, 1_700_000_000_000L);
      rows.start(record, 0);
      try {
        mapping.map(record, rows);
      } catch (RejectedException e) {
        rejects++;
        continue;
      }
      written++;
      assertThat(rows.rows().stream().mapToLong(one -> one.bytes().length).sum())
          .as(row.toString())
          .isLessThan(MOST_BYTES);
    }
    assertThat(rejects).isPositive();
    assertThat(written).isPositive();
  }
}
