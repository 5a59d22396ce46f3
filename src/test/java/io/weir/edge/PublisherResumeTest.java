package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

@SuppressWarnings("deprecation") // What is deprecated must go on working.
class PublisherResumeTest {
  private static final int PUMP = SensorPartition.of("pump");

  private final FakeBrokers brokers = new FakeBrokers();

  private PublisherRig rig(UnaryOperator<PublisherSettings.Builder> start, long bootId) {
    return new PublisherRig(
        brokers,
        settings -> start.apply(settings.batchMaxReadings(1).flushInterval(Duration.ofMillis(5))),
        bootId);
  }

  /** Three batches sent, one acknowledged, and one reading that was never sent. */
  private PublisherState stateOfABrokenLife() {
    PublisherRig rig = rig(UnaryOperator.identity(), PublisherRig.BOOT_ID);
    rig.offer("pump", 1, 1);
    rig.offer("pump", 2, 2);
    rig.offer("pump", 3, 3);
    rig.run();
    brokers.acknowledge(PUMP, 1);
    brokers.failAll();
    rig.offer("pump", 4, 4);
    CloseReport report = rig.closeAfter(Duration.ZERO);
    assertThat(report.unsentReadings()).isEqualTo(3);
    return report.state().orElseThrow();
  }

  @Test
  void resumedPublisher_sendsTheVerySameBatchesAndGoesOnWithTheNextSequence() {
    PublisherState state = stateOfABrokenLife();

    PublisherRig resumed = rig(settings -> settings.resumeFrom(state), state.bootId());
    assertThat(resumed.publisher.queuedReadings()).isEqualTo(3);
    resumed.offer("pump", 5, 5);
    resumed.drain();

    List<byte[]> topic = brokers.topic(PUMP);
    assertThat(topic).hasSize(5);
    for (int i = 0; i < 3; i++) {
      assertThat(topic.get(1 + i)).isEqualTo(state.unacknowledged().get(i).value());
    }
    assertThat(batches()).extracting(ReadingBatch::getSequence).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(batches()).allMatch(batch -> batch.getBootId() == PublisherRig.BOOT_ID);
    assertThat(resumed.publisher.queuedReadings()).isZero();
  }

  @Test
  void publisherStartedAfter_sendsTheOldBatchesFirstAndCountsNewOnesFromOne() {
    PublisherState state = stateOfABrokenLife();

    PublisherRig next = rig(settings -> settings.startAfter(state), state.bootId() + 1);
    next.offer("pump", 5, 5);
    next.drain();

    assertThat(batches()).extracting(ReadingBatch::getSequence).containsExactly(1L, 2L, 3L, 4L, 1L);
    assertThat(batches().get(4).getBootId()).isEqualTo(PublisherRig.BOOT_ID + 1);
    TopicReader.readingsBySensor(brokers.topic());
  }

  @Test
  void journal_receivesEachBatchBeforeItIsSent_andMakesAStateToResumeFrom() {
    List<SequencedBatch> kept = new ArrayList<>();
    BatchJournal journal =
        batches -> {
          assertThat(brokers.unanswered()).as("nothing of it was sent").isEqualTo(kept.size());
          kept.addAll(batches);
        };
    PublisherRig rig = rig(settings -> settings.journal(journal), PublisherRig.BOOT_ID);
    rig.offer("pump", 1, 1);
    rig.run();
    rig.offer("pump", 2, 2);
    rig.offer("fan", 1, 1);
    rig.run();
    assertThat(kept).hasSize(3);

    List<Long> last = new ArrayList<>();
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      int its = partition;
      last.add(kept.stream().filter(batch -> batch.partition() == its).count());
    }
    brokers.failAll();
    PublisherState state = new PublisherState("gateway-7", PublisherRig.BOOT_ID, last, kept);
    rig.closeAfter(Duration.ZERO);
    PublisherRig resumed = rig(settings -> settings.resumeFrom(state), state.bootId());
    resumed.offer("pump", 3, 3);
    resumed.drain();

    assertThat(batches()).extracting(ReadingBatch::getSequence).containsExactly(1L, 2L, 3L);
  }

  @Test
  void journalThatThrows_delaysSending_andReceivesTheSameBatchesAgain() {
    List<List<Long>> sent = new ArrayList<>();
    BatchJournal journal =
        batches -> {
          sent.add(batches.stream().map(SequencedBatch::sequence).toList());
          if (sent.size() < 3) {
            throw new IOException("no space left on device");
          }
        };
    PublisherRig rig = rig(settings -> settings.journal(journal), PublisherRig.BOOT_ID);
    rig.offer("pump", 1, 1);
    rig.run();
    assertThat(brokers.unanswered()).isZero();
    rig.offer("pump", 2, 2);
    rig.passAndRun(Duration.ofSeconds(10));
    rig.passAndRun(Duration.ofSeconds(10));

    assertThat(sent).containsExactly(List.of(1L), List.of(1L, 2L), List.of(1L, 2L));
    assertThat(brokers.unanswered()).isEqualTo(2);
  }

  private List<ReadingBatch> batches() {
    return brokers.topic(PUMP).stream().map(TopicReader::parse).toList();
  }
}
