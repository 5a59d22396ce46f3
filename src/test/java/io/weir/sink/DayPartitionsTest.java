package io.weir.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which rows are in a partition of their day, and how long it is kept. */
@Timeout(120)
class DayPartitionsTest extends SinkTablesFixture {
  @Test
  void days_getPartitions_onceForSeveralProcesses_andLoseThemByRetention() throws Exception {
    int today = (int) LocalDate.of(2026, 11, 22).toEpochDay();
    Set<Integer> days = Set.of(today - 400, today - 31, today - 3, today, today + 1, today + 9);
    ExecutorService processes = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        tasks.add(
            () -> {
              try (Connection own = database(Duration.ofSeconds(10)).open()) {
                new DayPartitions("weir_rollups").ensure(own, days, today);
                return null;
              }
            });
      }
      for (Future<Void> done : processes.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      processes.shutdown();
    }
    assertThat(partitions())
        .containsExactly(
            "weir_rollups_20261022",
            "weir_rollups_20261119",
            "weir_rollups_20261122",
            "weir_rollups_20261123",
            "weir_rollups_default");

    TableMapping rollups = TableMapping.of(Topic.ROLLUPS);
    Batch batch = new Batch();
    for (int day : days) {
      batch.add(rollups, 1, record(window("s", day * MS_A_DAY, 1)));
    }
    new BatchWriter(connection).write(batch, List.of(takeOver(ID)), () -> true);
    assertThat(strings("select window_start::text from weir_rollups_default")).hasSize(2);

    DayPartitions ofTable = new DayPartitions("weir_rollups");
    ofTable.retain(connection, Duration.ofDays(3), today * MS_A_DAY + MS_A_DAY / 2);

    assertThat(partitions())
        .containsExactly(
            "weir_rollups_20261119",
            "weir_rollups_20261122",
            "weir_rollups_20261123",
            "weir_rollups_default");
    assertThat(strings("select count(*)::text from weir_rollups")).containsExactly("4");
  }

  @Test
  void aDayWhoseRowsAreInTheDefaultPartition_staysThere() throws Exception {
    int today = (int) LocalDate.of(2026, 11, 22).toEpochDay();
    Batch batch = new Batch();
    add(batch, window("s", (today + 5) * MS_A_DAY, 1));
    write(batch);

    new DayPartitions("weir_windows").ensure(connection, Set.of(today + 5), today + 5);

    add(batch, window("t", (today + 5) * MS_A_DAY, 1));
    write(batch);
    assertThat(strings("select sensor_id from weir_windows_default order by 1"))
        .containsExactly("s", "t");
  }

  private List<String> partitions() throws SQLException {
    return strings(
        "select inhrelid::regclass::text from pg_inherits"
            + " where inhparent = 'weir_rollups'::regclass order by 1");
  }
}
