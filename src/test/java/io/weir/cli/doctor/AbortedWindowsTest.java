package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.Commits;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is left on the topic of windows where their transaction was aborted, on a broker. */
@Timeout(120)
class AbortedWindowsTest extends DoctorRig {
  private static final String ID = "weir-member-1";

  @Test
  void windowsThatWereAborted_areNamed_unlessTheyWereWrittenAgain() throws Exception {
    try (KafkaProducer<byte[], byte[]> member = producer(Map.of("transactional.id", ID))) {
      member.initTransactions();
      member.beginTransaction();
      send(member, "again", 0);
      send(member, "lost", 0);
      send(member, "newer", 0);
      member.flush();
      member.abortTransaction();
      member.beginTransaction();
      send(member, "again", 0);
      send(member, "newer", 1);
      send(member, "other", 0);
      member.commitTransaction();
      Commits.awaitCompleted(admin, ID);
    }
    long laterMs = System.currentTimeMillis() + Duration.ofMinutes(10).toMillis();

    Finding finding = only(new AbortedWindowsCheck(() -> laterMs).look(examine("app")));

    assertThat(finding.severity()).isEqualTo(Severity.RISK);
    assertThat(finding.what())
        .contains("weir.windows-3 offsets 1 to 1, 1 in total: lost of 2023-11-14T22:13:20Z");
    // The next member may not have come so far yet.
    assertThat(new AbortedWindowsCheck(System::currentTimeMillis).look(examine("app"))).isEmpty();
  }

  private static void send(KafkaProducer<byte[], byte[]> member, String sensor, int revision) {
    byte[] summary =
        WindowSummary.newBuilder()
            .setSensorId(sensor)
            .setWindowStartMs(1_700_000_000_000L)
            .setRevision(revision)
            .build()
            .toByteArray();
    member.send(new ProducerRecord<>("weir.windows", 3, sensor.getBytes(), summary));
  }
}
