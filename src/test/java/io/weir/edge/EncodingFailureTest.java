package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.wire.BatchEncoder;
import io.weir.reading.Reading;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Encoding that runs out of memory, as a small heap makes it: once, for a while, or for ever. */
class EncodingFailureTest {
  private final BatchEncoder encoder = new BatchEncoder();
  private int failuresLeft;
  private final PublisherRig rig =
      new PublisherRig(
          FakeBrokers.answering(),
          settings -> settings.batchMaxReadings(10),
          PublisherRig.BOOT_ID,
          (gatewayId, bootId, sequence, columns, completeness) -> {
            if (failuresLeft > 0 && columns.sensorId(0).equals("pump")) {
              failuresLeft--;
              throw new OutOfMemoryError("Java heap space");
            }
            return encoder.encode(gatewayId, bootId, sequence, columns, completeness);
          });

  @Test
  void batchThatCouldNotBeEncodedOnce_goesLater_andSoDoesEverythingElse() {
    failuresLeft = 1;
    offerTo("pump", 25);
    offerTo("fan", 25);
    CompletableFuture<Void> flush = rig.publisher.flushAsync();
    settle();
    rig.pass(Duration.ofSeconds(1));
    settle();

    assertThat(rig.publisher.queuedReadings()).isZero();
    assertThat(flush).isCompleted();
    assertThat(TopicReader.readingsBySensor(rig.brokers.topic()).get("pump")).hasSize(25);
    assertThat(TopicReader.readingsBySensor(rig.brokers.topic()).get("fan")).hasSize(25);
    assertThat(rig.brokers.opened()).as("producers").isEqualTo(1);
  }

  @Test
  void partitionThatCannotBeEncoded_letsTheOthersGo() {
    failuresLeft = Integer.MAX_VALUE;
    offerTo("pump", 25);
    offerTo("fan", 25);
    rig.publisher.flushAsync();
    settle();

    assertThat(TopicReader.readingsBySensor(rig.brokers.topic()).get("fan")).hasSize(25);
    assertThat(rig.publisher.queuedReadings()).isEqualTo(25);
  }

  @Test
  void close_withEncodingFailing_handsOutAState_andSaysWhatIsLeft() {
    failuresLeft = Integer.MAX_VALUE;
    offerTo("pump", 25);
    CloseReport report = rig.closeAfter(Duration.ofSeconds(5));

    assertThat(report.unsentReadings()).isEqualTo(25);
    assertThat(report.state()).isPresent();
    assertThat(report.state().orElseThrow().lastSequences()).containsOnly(0L);
    assertThat(report.state().orElseThrow().unacknowledged()).isEqualTo(List.of());
  }

  private void settle() {
    for (int turns = 0; turns < 50; turns++) {
      rig.runOnce();
    }
  }

  private void offerTo(String sensor, int readings) {
    for (int i = 1; i <= readings; i++) {
      assertThat(rig.publisher.offer(new Reading(sensor, i, i))).isEqualTo(Offer.ACCEPTED);
    }
  }
}
