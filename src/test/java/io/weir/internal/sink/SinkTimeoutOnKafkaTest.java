package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.summary.WindowKey;
import java.sql.Connection;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A table that takes few rows in the time that a statement has. */
@Timeout(600)
class SinkTimeoutOnKafkaTest extends SinkOnKafkaFixture {
  @Test
  void statementsThatTakeTooLong_becomeSmaller_andAllIsWritten() throws Exception {
    refuseMoreThan(0);
    Random random = new Random(SEED);
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      produce(producer, random, 300);
    }
    Sink sink = start();
    long endNanos = System.nanoTime() + TIMEOUT_NANOS;
    while (!sink.describe().contains("SQLSTATE 57014")) {
      assertThat(System.nanoTime()).as(sink.describe()).isLessThan(endNanos);
      Await.pause();
    }
    // Connected and reading again, it has still written nothing.
    long failures = sink.counters().reconnects();
    while (sink.counters().reconnects() < failures + 2) {
      assertThat(sink.isReady()).isFalse();
      assertThat(System.nanoTime()).as(sink.describe()).isLessThan(endNanos);
      Await.pause();
    }

    refuseMoreThan(10);
    awaitAll(windows);

    try (Connection connection = connect()) {
      assertThat(SummaryTable.read(connection, "weir_windows"))
          .as("seed %s", SEED)
          .isEqualTo(latest());
      assertThat(latest().keySet()).extracting(WindowKey::sensorId).isNotEmpty();
    }
    assertThat(query("select count(*) from weir_sink_rejects")).isZero();
  }

  /** As the server says it that ends a statement. */
  private void refuseMoreThan(int rows) throws Exception {
    execute(
        """
        create or replace function slow() returns trigger language plpgsql as $$ begin
          if (select count(*) from fresh) > %d then
            raise exception 'canceling statement' using errcode = '57014';
          end if;
          return null;
        end $$;
        create or replace trigger slow after insert on weir_windows
          referencing new table as fresh for each statement execute function slow()"""
            .formatted(rows));
  }
}
