package io.weir.internal.collect;

import io.weir.lab.EmbeddedKafka;
import io.weir.lab.EmbeddedPostgres;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A PostgreSQL and a Kafka; each test has an outbox, topics and collectors of its own. */
abstract class OutboxFixture {
  private static EmbeddedKafka kafka;
  static EmbeddedPostgres postgres;
  private static int tests;

  OutboxBed bed;

  @BeforeAll
  static void startServers() {
    kafka = EmbeddedKafka.start();
    postgres = EmbeddedPostgres.start();
  }

  @AfterAll
  static void closeServers() {
    kafka.close();
    postgres.close();
  }

  @BeforeEach
  void makeOutbox() throws SQLException {
    bed = new OutboxBed(kafka, postgres, "outbox" + ++tests);
  }

  @AfterEach
  void closeOutbox() {
    bed.close();
  }
}
