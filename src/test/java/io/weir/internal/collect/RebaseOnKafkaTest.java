package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.v1.Reading;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that is older than what was sent: nothing is lost or sent twice over it. */
@Timeout(900)
class RebaseOnKafkaTest extends OutboxFixture {
  @Test
  void olderDatabase_sendsWhatIsMissing_andNothingTwice() throws Exception {
    bed.start();
    insert(0, 0, 100);
    bed.awaitAllSent();
    stop();
    insert(1, 100, 200);
    insert(0, 200, 250);
    backUp();
    bed.start();
    bed.awaitAllSent();
    insert(2, 250, 300);
    bed.awaitAllSent();
    stop();
    restore();
    insert(0, 300, 350);

    Rebase.Report report = Rebase.run(bed.config());
    bed.start();
    bed.awaitAllSent();

    assertThat(report.later()).isEqualTo(200);
    assertThat(report.taken()).isEqualTo(150);
    // What was inserted after the backup and sent is in no table any more, and counts.
    assertArrived(350);
  }

  @Test
  void inFlightBatches_areSent_ifTheyAreNotOnTheTopics() throws Exception {
    insert(1, 0, 50);
    bed.start();
    bed.awaitAllSent();
    insert(1, 50, 80);
    bed.awaitAllSent();
    stop();
    insert(1, 80, 120);
    commitWithoutSending();
    backUp();
    insert(1, 120, 130);

    Rebase.Report report = Rebase.run(bed.config());

    assertThat(report.unsent()).isPositive().isEqualTo(report.inFlight());
    bed.start();
    bed.awaitAllSent();
    assertArrived(130);
    stop();
    restore();
    insert(1, 120, 130);
    insert(1, 130, 140);

    Rebase.Report again = Rebase.run(bed.config());
    assertThat(again.unsent()).isZero();
    assertThat(again.taken()).isEqualTo(10);
    bed.start();
    bed.awaitAllSent();
    assertArrived(140);
  }

  @Test
  void retainedRows_andThoseOfAServerThatWasFurther_keepTheirPlace() throws Exception {
    bed.with("collect.delete", "false");
    bed.start();
    insert(1, 0, 50);
    bed.await("all are sent", () -> bed.arrived().readings().size() == 50);
    stop();
    insert(1, 50, 60);
    countABillionTransactionsMore();

    Rebase.run(bed.config());
    bed.start();
    bed.await("the others are sent", () -> bed.arrived().readings().size() >= 60);
    insert(1, 60, 70);
    bed.await("more are sent", () -> bed.arrived().readings().size() >= 70);

    assertArrived(70);
    assertThat(bed.query("select count(*) from weir_outbox")).isEqualTo(70);
  }

  @Test
  void dumpThatIsRestoredIntoTheSameServer_isSeen_andRebased() throws Exception {
    bed.start();
    insert(1, 0, 50);
    bed.awaitAllSent();
    stop();
    insert(1, 50, 70);
    backUp();
    bed.start();
    bed.awaitAllSent();
    stop();
    bed.execute(
        "drop table weir_outbox, weir_collector, weir_outbox_rejects, weir_outbox_rejects_deleted;"
            + " drop function weir_collector_keep, weir_outbox_keep");
    for (String file : CollectSchema.FILES.files()) {
      bed.execute(CollectSchema.FILES.sql(file));
    }
    bed.execute(
        "insert into weir_outbox overriding system value select * from saved_outbox;"
            + " insert into weir_collector select * from saved_collector;"
            + " alter table weir_outbox alter column id restart with 1000");

    assertThat(bed.start().ended().get(2, TimeUnit.MINUTES))
        .hasValueSatisfying(line -> assertThat(line).contains("weir collect --rebase"));
    bed.collectors.clear();
    Rebase.Report report = Rebase.run(bed.config());
    insert(1, 70, 80);
    bed.start();
    bed.awaitAllSent();

    assertThat(report.taken()).isEqualTo(20);
    assertArrived(80);
  }

  /** A new server counts its transactions from the beginning. */
  @Test
  void rowsThatAreInsertedAfterADumpWasRestored_areSent_behindThoseThatItBrought()
      throws Exception {
    bed.with("collect.delete", "false");
    bed.start();
    insert(1, 0, 50);
    bed.await("all are sent", () -> bed.arrived().readings().size() == 50);
    stop();
    insert(1, 50, 60);
    countABillionTransactionsMore();
    insert(1, 60, 70);

    Rebase.run(bed.config());
    bed.start();
    bed.await("the others are sent", () -> bed.arrived().readings().size() >= 70);

    assertArrived(70);
    Map<String, List<Long>> bySensor =
        bed.arrived().readings().stream()
            .collect(
                Collectors.groupingBy(
                    Reading::getSensorId,
                    Collectors.mapping(Reading::getTimestampMs, Collectors.toList())));
    assertThat(bySensor.values()).allSatisfy(times -> assertThat(times).isSorted());
  }

  /** As in a dump of a cluster that has seen more transactions. */
  private void countABillionTransactionsMore() throws SQLException {
    bed.execute("update weir_outbox set xact = ((xact::text)::bigint + 1000000000)::text::xid8");
    bed.execute(
        "update weir_collector set cursors = (select array_agg(((split_part(c, ' ', 1))::bigint"
            + " + case when split_part(c, ' ', 1) = '0' then 0 else 1000000000 end)::text || ' '"
            + " || split_part(c, ' ', 2) order by n)"
            + " from unnest(cursors) with ordinality t(c, n)), system_id = 1");
  }

  private void insert(int priority, int from, int to) throws SQLException {
    bed.execute(
        "insert into weir_outbox (priority, sensor_id, timestamp_ms, value)"
            + " select %d, 's-' || n %% 7, n + 1, n from generate_series(%d, %d) n"
                .formatted(priority, from, to - 1));
  }

  private void assertArrived(int rows) {
    List<Long> times = new ArrayList<>();
    bed.arrived().readings().forEach(reading -> times.add(reading.getTimestampMs()));
    times.sort(null);
    List<Long> expected = new ArrayList<>();
    for (long time = 1; time <= rows; time++) {
      expected.add(time);
    }
    assertThat(times).isEqualTo(expected);
  }

  private void stop() {
    bed.collectors.forEach(Collector::close);
    bed.collectors.clear();
  }

  /** What a process does that is killed between its commit and its first send. */
  private void commitWithoutSending() throws Exception {
    bed.commitWithoutSending();
  }

  /** Both tables as they are: what a dump holds. */
  private void backUp() throws SQLException {
    bed.execute(
        "create table saved_outbox as select * from weir_outbox;"
            + " create table saved_collector as select * from weir_collector");
  }

  /** As they were, on what says that it is another server. */
  private void restore() throws SQLException {
    bed.execute(
        "delete from weir_outbox; delete from weir_collector;"
            + " insert into weir_outbox overriding system value select * from saved_outbox;"
            + " insert into weir_collector select * from saved_collector;"
            + " update weir_collector set system_id = 1, lease_until = now() + interval '1 hour'");
  }
}
