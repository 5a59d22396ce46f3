package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.sink.WaitingRecords.Step;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records of a day whose partition cannot be attached, as pg_dump holds a lock. */
@Timeout(180)
class WaitingRecordsTest extends SinkTablesFixture {
  private static final int SENSORS = 12;

  private final int day = (int) LocalDate.now(ZoneOffset.UTC).toEpochDay() - 10;
  private final Upkeep upkeep = new Upkeep(List.of(WINDOWS), Optional.empty(), Validation.NONE);
  private final WaitingRecords waiting = new WaitingRecords(Map.of(TOPIC, WINDOWS), upkeep);

  @Test
  void afterALock_recordsAreInTheirPartition_andTheNewestCounts() throws Exception {
    upkeep.run(connection, 0);
    Batch batch = new Batch();
    try (Connection dump = database(Duration.ofMinutes(5)).open();
        Statement statement = dump.createStatement()) {
      statement.execute("lock table weir_windows_default in access share mode");
      for (int revision = 1; revision <= 2; revision++) {
        add(batch, window("old", day * MS_A_DAY, revision));
        add(batch, window("long-ago", 0, revision));
        writeWhatIsAttached(batch);
      }
      assertThat(run().waiting()).isEqualTo(2);
    }
    assertThat(strings("select sensor_id from weir_windows")).containsExactly("long-ago");
    upkeep.forget();
    add(batch, window("old", day * MS_A_DAY, 3));
    writeWhatIsAttached(batch);

    assertThat(writeAll()).isEmpty();

    assertThat(revisionOf("old")).isEqualTo(3);
    assertThat(strings("select tableoid::regclass::text from weir_windows where sensor_id = 'old'"))
        .containsExactly("weir_windows_" + LocalDate.ofEpochDay(day).format(DayPartitions.NAME));
    assertThat(strings("select 1 from weir_sink_waiting")).isEmpty();
  }

  /** They would be passed over by rows that are written before the table is attached. */
  @Test
  void whatUsersAddMeanwhile_holdsForWhatWaited() throws Exception {
    upkeep.run(connection, 0);
    Batch batch = new Batch();
    try (Connection dump = database(Duration.ofMinutes(5)).open();
        Statement statement = dump.createStatement()) {
      statement.execute("lock table weir_windows_default in access share mode");
      for (int i = 0; i < SENSORS; i++) {
        add(batch, window("s" + i, day * MS_A_DAY, 1));
      }
      writeWhatIsAttached(batch);
    }
    execute("create table sensors (id text primary key)");
    execute("insert into sensors select 's' || i from generate_series(0, 100) i where i <> 7");
    execute(
        "alter table weir_windows add site text not null default 'plant-7',"
            + " add constraint mine foreign key (sensor_id) references sensors;"
            + " create function mine() returns trigger language plpgsql as $$ begin"
            + " if new.sensor_id = 's3' then raise exception 'no' using errcode = '42501'; end if;"
            + " new.bad_count := 5; return new; end $$;"
            + " create trigger mine before insert on weir_windows for each row"
            + " execute function mine()");
    try {
      upkeep.forget();

      List<Reject> rejects = writeAll();

      assertThat(rejects).extracting(reject -> reject.record().offset()).containsExactly(3L, 7L);
      assertThat(
              strings(
                  "select distinct site || ' ' || bad_count || ' ' || count(*) over ()"
                      + " from weir_windows"))
          .containsExactly("plant-7 5 " + (SENSORS - 2));
      assertThat(strings("select kafka_offset::text from weir_sink_rejects order by 1"))
          .containsExactly("3", "7");
      assertThat(strings("select 1 from weir_sink_waiting")).isEmpty();
    } finally {
      connection.rollback();
      execute(
          "drop trigger mine on weir_windows; drop function mine();"
              + " alter table weir_windows drop constraint mine, drop site; drop table sensors");
    }
  }

  /** By VACUUM FULL or REINDEX for example. */
  @Test
  void whileTheirTableIsLocked_otherBatchesGoOn() throws Exception {
    upkeep.run(connection, 0);
    execute(
        "insert into weir_sink_waiting values ('%s', 1, 7, 0, %d, 'key', '')"
            .formatted(TOPIC, day));
    try (Connection vacuum = database(Duration.ofMinutes(5)).open();
        Statement lock = vacuum.createStatement()) {
      lock.execute("lock table weir_sink_waiting in access exclusive mode");
      assertThat(waiting.isDue(0)).isTrue();
      assertThat(run().rejects()).isEmpty();
      assertThat(waiting.isDue(0)).as("before its interval has passed").isFalse();

      vacuum.rollback();
      lock.execute("lock table weir_sink_waiting in share mode");
      assertThat(run().rejects()).isEmpty();
      assertThat(waiting.isDue(0)).isFalse();
    }
    assertThat(writeAll()).as("an empty value").hasSize(1);
    assertThat(strings("select 1 from weir_sink_waiting")).isEmpty();
  }

  private void writeWhatIsAttached(Batch batch) throws Exception {
    upkeep.prepare(connection, batch);
    assertThat(write(batch)).isEmpty();
  }

  private Step run() throws Exception {
    return waiting.run(connection, new BatchWriter(connection), 0);
  }

  private List<Reject> writeAll() throws Exception {
    List<Reject> rejects = new ArrayList<>();
    Step step = run();
    for (int i = 0; i < 100 && step.waiting() > 0; i++) {
      rejects.addAll(step.rejects());
      step = run();
    }
    return rejects;
  }
}
