package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HalfEndedTransactionsTest {
  private static final long PRODUCER = 2002;

  @TempDir Path dir;

  @Test
  void transactionThatEndedBothWays_isNamed_withThePartitionsThatLostIt() throws IOException {
    end("broker-0/weir.events-1", 49, ControlRecordType.COMMIT);
    end("broker-1/weir.events-1", 49, ControlRecordType.COMMIT);
    end("broker-1/weir.events-1", 49, ControlRecordType.ABORT);
    end("broker-1/weir.events-2", 49, ControlRecordType.ABORT);

    assertThat(HalfEndedTransactions.read(dir).lines())
        .containsExactly(
            "brokers: the transaction of producer 2002 epoch 49 was committed in 1 partitions and"
                + " aborted in others (KAFKA-5059): [weir.events-2]");
  }

  @Test
  void transactionsThatEndedOneWay_areNot() throws IOException {
    end("broker-0/weir.events-1", 49, ControlRecordType.COMMIT);
    end("broker-0/weir.events-1", 50, ControlRecordType.ABORT);

    assertThat(HalfEndedTransactions.read(dir).lines()).isEmpty();
  }

  private void end(String partition, int epoch, ControlRecordType how) throws IOException {
    Path log = dir.resolve(partition).resolve("00000000000000000000.log");
    Files.createDirectories(log.getParent());
    MemoryRecords marker =
        MemoryRecords.withEndTransactionMarker(
            0, 0, 0, PRODUCER, (short) epoch, new EndTransactionMarker(how, 6));
    try (FileRecords records = FileRecords.open(log.toFile())) {
      records.append(marker);
    }
  }
}
