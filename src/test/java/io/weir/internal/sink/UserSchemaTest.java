package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.postgres.SqlFailures;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users add to the tables. */
@Timeout(120)
class UserSchemaTest extends SinkTablesFixture {
  private static final int ROWS = 40;

  /** A statement that adds something which takes every row, and one that removes it again. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "alter table weir_windows add site text not null default 'plant-7'"
            + "|alter table weir_windows drop site",
        "alter table weir_windows add line text not null"
            + " generated always as (split_part(sensor_id, '/', 1)) stored"
            + "|alter table weir_windows drop line",
        "alter table weir_windows add serial bigint not null generated always as identity"
            + "|alter table weir_windows drop serial",
        "alter table weir_windows add seen timestamptz not null default now()"
            + "|alter table weir_windows drop seen",
        "create index mine on weir_windows (window_start)|drop index mine",
        "create unique index mine on weir_windows (window_start, kafka_offset)|drop index mine",
        "alter table weir_windows add constraint mine check (revision < 1000)"
            + "|alter table weir_windows drop constraint mine",
        "create function mine() returns trigger language plpgsql as $$ begin new.bad_count := 7;"
            + " return new; end $$; create trigger mine before insert on weir_windows for each row"
            + " execute function mine()"
            + "|drop trigger mine on weir_windows; drop function mine()"
      })
  void whatTakesEveryRow_makesNoRejects(String addedAndRemoved) throws Exception {
    String[] statements = addedAndRemoved.split("\\|");
    execute(statements[0]);
    try {
      assertThat(write(rows())).extracting(Reject::message).isEmpty();
      assertThat(strings("select count(*)::text from weir_windows")).containsExactly("" + ROWS);
      // A partition that is made afterwards has it too.
      int today = 20_000;
      DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
      days.ahead(connection, today);
      Batch batch = new Batch();
      add(batch, window("l/today", today * MS_A_DAY, 1));
      assertThat(write(batch)).isEmpty();
      assertThat(
              strings(
                  "select tableoid::regclass::text from weir_windows where sensor_id = 'l/today'"))
          .containsExactly("weir_windows_" + "20241004");
    } finally {
      execute(statements[1]);
    }
  }

  /** Each refuses the rows of one sensor, by an SQLSTATE of its own. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "raise exception 'no such sensor'",
        "assert false",
        "raise exception using errcode = '38001'",
        "raise exception using errcode = '39004'",
        "raise exception using errcode = '09000'",
        "raise exception using errcode = '21000'",
        "raise exception using errcode = '27000'",
        "raise exception using errcode = '44000'",
        "raise exception using errcode = 'KEPT1'",
        "raise exception using errcode = '0A000'",
        "raise exception using errcode = '24000'",
        "raise exception using errcode = '25006'",
        "raise exception using errcode = '28000'",
        "raise exception using errcode = '3F000'",
        "raise exception using errcode = '42501'",
        "raise exception using errcode = '42804'",
        "raise exception using errcode = '72000'",
        "raise exception using errcode = 'F0000'",
        "perform from no_such_table",
        "raise no_data_found",
        "case when false then null; end case"
      })
  void aTriggerThatRaises_rejectsTheRow_andNotItsNeighbours(String statement) throws Exception {
    execute(
        "create function mine() returns trigger language plpgsql as $$ begin"
            + " if new.sensor_id = 'l/s7' then "
            + statement
            + "; end if; return new; end $$;"
            + " create trigger mine before insert on weir_windows for each row"
            + " execute function mine()");
    try {
      assertOnlyTheSeventhIsRejected(write(rows()));
    } finally {
      execute("drop trigger mine on weir_windows; drop function mine()");
    }
  }

  /** By an insert, and by an update of the row that is there. */
  @Test
  void aTriggerThatMovesARowOverMidnight_rejectsTheRow_andNotItsNeighbours() throws Exception {
    int today = 20_000;
    assertThat(new DayPartitions("weir_windows", Validation.NONE).ahead(connection, today))
        .isTrue();
    Batch batch = new Batch();
    add(batch, window("updated", today * MS_A_DAY, 1));
    assertThat(write(batch)).isEmpty();
    execute(
        "create function mine() returns trigger language plpgsql as $$ begin"
            + " if new.sensor_id = 'inserted' or tg_op = 'UPDATE' then"
            + " new.window_start := new.window_start + interval '1 day';"
            + " end if; return new; end $$;"
            + " create trigger mine before insert or update on weir_windows for each row"
            + " execute function mine()");
    try {
      add(batch, window("inserted", today * MS_A_DAY, 1));
      add(batch, window("updated", today * MS_A_DAY, 2));
      add(batch, window("good", today * MS_A_DAY, 1));
      assertThat(write(batch)).hasSize(2);
      assertThat(strings("select sensor_id from weir_windows order by 1"))
          .containsExactly("good", "updated");
    } finally {
      connection.rollback();
      execute("drop trigger mine on weir_windows; drop function mine()");
    }
  }

  /** It is looked at when the transaction commits, unless somebody asks earlier. */
  @Test
  void aConstraintThatIsDeferred_rejectsTheRow_andNotItsNeighbours() throws Exception {
    execute("create table sensors (id text primary key)");
    execute("insert into sensors select 'l/s' || i from generate_series(0, 100) i where i <> 7");
    execute(
        "alter table weir_windows add constraint mine foreign key (sensor_id) references sensors"
            + " deferrable initially deferred");
    try {
      assertOnlyTheSeventhIsRejected(write(rows()));
    } finally {
      execute("alter table weir_windows drop constraint mine; drop table sensors");
    }
  }

  /** Its state is that of a right that Weir lacks. */
  @Test
  void aPolicy_rejectsTheRow_andNotItsNeighbours() throws Exception {
    String role = "plain" + System.nanoTime();
    execute(
        "create role %1$s; grant all on all tables in schema public to %1$s;".formatted(role)
            + " create policy mine on weir_windows using (true) with check (sensor_id <> 'l/s7');"
            + " alter table weir_windows enable row level security; set role "
            + role);
    try {
      assertOnlyTheSeventhIsRejected(write(rows()));
    } finally {
      connection.rollback();
      execute(
          "reset role; alter table weir_windows disable row level security;"
              + " drop policy mine on weir_windows");
    }
  }

  /** Whatever waits for something else is tried again, with all rows. */
  @ParameterizedTest
  @ValueSource(strings = {"08006", "40001", "53100", "55P03", "57014", "58030", "HV000", "XX000"})
  void aTriggerThatCannotWorkNow_holdsUpAllRows(String state) throws Exception {
    execute(
        "create function mine() returns trigger language plpgsql as $$ begin"
            + " raise exception using errcode = '%s'; end $$;".formatted(state)
            + " create trigger mine before insert on weir_windows for each row"
            + " execute function mine()");
    try {
      assertThatThrownBy(() -> write(rows()))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> assertThat(SqlFailures.of(e)).isEqualTo(SqlFailures.TRANSIENT));
    } finally {
      connection.rollback();
      execute("drop trigger mine on weir_windows; drop function mine()");
    }
  }

  private void assertOnlyTheSeventhIsRejected(List<Reject> rejects) throws SQLException {
    assertThat(rejects).extracting(Reject::message).hasSize(1);
    assertThat(strings("select kafka_offset::text from weir_sink_rejects")).containsExactly("7");
    assertThat(strings("select count(*)::text from weir_windows")).containsExactly("" + (ROWS - 1));
    assertThat(strings("select next_offset::text from weir_sink_offsets"))
        .containsExactly("" + ROWS);
  }

  private Batch rows() {
    Batch batch = new Batch();
    for (int i = 0; i < ROWS; i++) {
      add(batch, window("l/s" + i, 0, 1));
    }
    return batch;
  }
}
