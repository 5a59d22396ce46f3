package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.WindowSpec;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import org.junit.jupiter.api.Test;

/** What two lives of an application wrote. */
class PartitionCheckTest {
  private final TopicRecords records = new TopicRecords(0);
  private final PartitionCheck first = check();
  private final PartitionCheck second = check();

  @Test
  void windowThatALaterLifeReplacedByAPart_hasLostTheRest() {
    window(first, "a", 5);
    window(second, "a", 3);

    assertThat(first.findingsOfAnEarlierLife(second).lost()).isEqualTo(2);
  }

  @Test
  void windowThatALaterLifeLeft_orWroteWithAsMuch_hasLostNothing() {
    window(first, "a", 5);
    window(first, "b", 5);
    window(second, "b", 3);
    window(second, "b", 6);

    assertThat(first.findingsOfAnEarlierLife(second).lost()).isZero();
  }

  private void window(PartitionCheck life, String sensorId, long count) {
    life.take(
        records.of(
            Topic.WINDOWS,
            0,
            sensorId,
            WindowSummary.newBuilder().setSensorId(sensorId).setCount(count).build()));
  }

  private static PartitionCheck check() {
    return new PartitionCheck(
        TopicNames.ALL,
        WindowSpec.of(10, 5, 0, 30, WindowSpec.IdleRule.ENDED, 200),
        NaiveRules.of(1_000_000),
        NaiveOrders.none(),
        0,
        IdleMoment.BY_RECORDS);
  }
}
