package io.weir.internal.redrive;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.deadletter.UnreadOffsets;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** A dead letter that says that the running life wrote it, of an offset that it has not read. */
class ForgedLifeTest {
  @Test
  void forgedLife_endsNoRedrive() {
    RunningLife life = new RunningLife(new Life(7), Uuid.randomUuid(), UnreadOffsets.before(100));
    UnreadBatches unread =
        new UnreadBatches("weir.readings", new Lives("weir", Map.of(3, life), true));
    assertThatCode(() -> unread.fate(new BatchName(3, "g", 1, 1), 5, false))
        .doesNotThrowAnyException();
  }
}
