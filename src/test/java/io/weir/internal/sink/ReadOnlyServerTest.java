package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.postgres.SqlFailures;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that takes no writes for a while, as the former primary after a failover. */
@Timeout(120)
class ReadOnlyServerTest extends SinkTablesFixture {
  private static final int TODAY = 20_779;

  @Test
  void afterAReconnect_everyStepIsTriedAgain_andNoRowIsRejected() throws Exception {
    PartitionOwnership ownership = takeOver(ID);
    connection.commit();
    Batch batch = new Batch();
    add(batch, window("s", TODAY * MS_A_DAY, 1));
    readOnly(true);
    try (Connection again = database(Duration.ofSeconds(10)).open()) {
      SinkSchema.FILES.require(again, database(Duration.ofSeconds(10)));
      assertWaits(() -> new BatchWriter(again).write(batch, List.of(ownership), () -> true));
      again.rollback();
      assertWaits(() -> OffsetTable.takeOver(again, TOPIC, ID, Map.of(PARTITION.partition(), 0L)));
      again.rollback();
      assertWaits(() -> new DayPartitions("weir_windows", Validation.NONE).ahead(again, TODAY));
    } finally {
      readOnly(false);
    }

    try (Connection promoted = database(Duration.ofSeconds(10)).open()) {
      assertThat(new BatchWriter(promoted).write(batch, List.of(ownership), () -> true))
          .hasValue(List.of());
    }
    assertThat(strings("select sensor_id from weir_windows")).containsExactly("s");
    assertThat(strings("select message from weir_sink_rejects")).isEmpty();
  }

  private void readOnly(boolean on) throws SQLException {
    execute(
        "set transaction read write;"
            + " do $$ begin execute format("
            + "'alter database %I set default_transaction_read_only = "
            + on
            + "', current_database()); end $$");
  }

  private void assertWaits(ThrowingCallable step) throws SQLException {
    Throwable failure = Assertions.catchThrowable(step);
    assertThat(failure).isInstanceOf(SQLException.class);
    assertThat(SqlFailures.of((SQLException) failure)).isEqualTo(SqlFailures.TRANSIENT);
    assertThat(database(Duration.ofSeconds(10)).waitsFor((SQLException) failure))
        .contains("25006", "the server is read-only")
        .doesNotContain("\n");
  }
}
