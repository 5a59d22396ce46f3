package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rejects that are written again after a repair. */
@Timeout(120)
class RejectReplayTest extends SinkTablesFixture {
  private static final int ROWS = 2_500;

  @Test
  void afterARepair_rejectsAreRows_andWhatIsRefusedAgainStays() throws Exception {
    execute("alter table weir_windows add constraint mine check (revision < 5)");
    Batch batch = new Batch();
    for (int i = 0; i < ROWS; i++) {
      add(batch, window("s-" + i, 0, 5 + i % 2));
    }
    batch.add(WINDOWS, 1, record(new byte[] {1, 2, 3}));
    assertThat(write(batch)).hasSize(ROWS + 1);
    execute("alter table weir_windows drop constraint mine");
    add(batch, window("s-1", 0, 9)); // A later record, which the table takes.
    write(batch);
    execute("alter table weir_windows add constraint mine check (sensor_id <> 's-2')");
    try {
      assertThat(replay()).isEqualTo(new RejectReplay.Result(ROWS - 1, 2));

      assertThat(revisionOf("s-0")).isEqualTo(5);
      assertThat(revisionOf("s-1")).isEqualTo(9);
      assertThat(strings("select count(*)::text from weir_windows")).containsExactly("2499");
      assertThat(
              strings(
                  "select r.kafka_offset || ' ' || (message like '%violates check%') from"
                      + " weir_sink_rejects r order by r.kafka_offset"))
          .containsExactly("2 true", ROWS + " false");
    } finally {
      execute("alter table weir_windows drop constraint mine");
    }
    assertThat(replay()).isEqualTo(new RejectReplay.Result(1, 1));
    assertThat(strings("select next_offset::text from weir_sink_offsets"))
        .containsExactly(Integer.toString(ROWS + 2));
  }

  private static RejectReplay.Result replay() {
    return RejectReplay.run(settings(), Map.of(TOPIC, WINDOWS));
  }
}
