package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.Topic;
import io.weir.v1.FoldedEvent;
import io.weir.v1.FoldedField;
import io.weir.v1.Value;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class BatchLimitTest {
  private static final byte[] KEY = {'k'};
  private static final long QUICK = TimeUnit.SECONDS.toNanos(1);

  @Test
  void aSmallSetting_isNeverExceeded_andALargeOneIsWhileTheSinkIsBehind() {
    assertThat(new BatchLimit(50).records(1_000_000)).isEqualTo(50);
    assertThat(new BatchLimit(5_000).records(100)).isEqualTo(5_000);
    assertThat(new BatchLimit(5_000).records(1_000_000)).isEqualTo(20_000);
    assertThat(new BatchLimit(100_000).records(1_000_000)).isEqualTo(100_000);
  }

  /** 166 kB on the wire were 250 folds, and the sink waited for 5,000 of them. */
  @Test
  void foldsOfManyBytes_areFewInABatch() {
    FoldedField field =
        FoldedField.newBuilder()
            .setLast(Value.newBuilder().setStringValue("x".repeat(800_000)))
            .build();
    byte[] fold = FoldedEvent.newBuilder().setKey("k").putFields("f", field).build().toByteArray();
    BatchLimit limit = new BatchLimit(5_000);
    Batch batch = new Batch();
    for (long offset = 0; !limit.isFull(batch.records(), batch.bytes(), 100_000); offset++) {
      batch.add(TableMapping.of(Topic.FOLDED), 1, new ConsumerRecord<>("t", 0, offset, KEY, fold));
    }
    assertThat(batch.records()).isBetween(2, 10);
    assertThat(limit.isFull(batch.drain().records(), batch.bytes(), 100_000)).isFalse();
  }

  @Test
  void whatTakesTooLong_isHalvedDownToOne_andGrowsAgainWhileItIsQuick() {
    BatchLimit limit = new BatchLimit(5_000);
    for (int records = 20_000; records > 1; records = limit.records(1_000_000)) {
      limit.tookTooLong(records);
      assertThat(limit.records(1_000_000)).isEqualTo(records / 2);
      assertThat(limit.records(0)).isEqualTo(Math.min(5_000, records / 2));
    }
    limit.tookTooLong(1);
    assertThat(limit.records(0)).isEqualTo(1);

    limit.written(1, TimeUnit.SECONDS.toNanos(50));
    assertThat(limit.records(0)).isEqualTo(1);
    for (int i = 0; i < 20; i++) {
      limit.written(limit.records(1_000_000), QUICK);
    }
    assertThat(limit.records(1_000_000)).isEqualTo(20_000);
  }
}
