package io.weir.internal.redrive;

import static io.weir.internal.redrive.DeadLetterTopic.batch;
import static io.weir.internal.redrive.DeadLetterTopic.reading;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Committed;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.Origin;
import io.weir.reading.Limits;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** On a real broker: transactions are what it is made of. */
class RedriveTest extends RedriveFixture {
  @Test
  void deadLetter_ofSeveralPartitions_isSplit_andCarriesWhereItCameFrom() {
    ReadingBatch several = batch("gw", reading("a", 5, 1), reading("b", 6, 2), reading("a", 7, 3));
    try (DeadLetterTopic records = deadLetters()) {
      records.dead(9, RejectReason.MISROUTED, batch("gw", reading("x", 1, 1))).abort();
      records.dead(9, RejectReason.MISROUTED, several).commit();
    }

    RedriveReport report = run(request(RecordFilter.ALL));

    assertThat(report.records()).isEqualTo(Map.of(ResendOutcome.SENT, 1L));
    assertThat(report.readings()).isEqualTo(3);
    assertThat(report.batches()).isEqualTo(2);
    assertThat(readings())
        .hasSize(2)
        .allSatisfy(
            record -> {
              ReadingBatch batch = ReadingBatch.parseFrom(record.value());
              assertThat(record.key()).asString(StandardCharsets.UTF_8).isEqualTo("gw");
              assertThat(batch.getReadingsList())
                  .allSatisfy(
                      row ->
                          assertThat(record.partition())
                              .isEqualTo(SensorPartition.of(row.getSensorId())));
              assertThat(header(record, DeadLetterHeaders.REDRIVE_TOPIC))
                  .isEqualTo(topics.deadLetters());
              assertThat(header(record, DeadLetterHeaders.REDRIVE_PARTITION)).isEqualTo("9");
              // Behind the record that was taken back, and the marker that says so.
              assertThat(header(record, DeadLetterHeaders.REDRIVE_OFFSET)).isEqualTo("2");
            });
  }

  @Test
  void runAgain_sendsWhatIsNew_andWithForceEverything() throws IOException {
    try (DeadLetterTopic records = deadLetters()) {
      for (int i = 0; i < 35; i++) {
        records.dead(i % 7, RejectReason.MISROUTED, batch("gw", reading("s" + i, 5, i)));
      }
      records.commit();
      assertThat(run(dry()).records()).isEqualTo(Map.of(ResendOutcome.SENT, 35L));
      assertThat(rows()).isEmpty();

      assertThat(run(request(RecordFilter.ALL)).records())
          .isEqualTo(Map.of(ResendOutcome.SENT, 35L));
      assertThat(run(request(RecordFilter.ALL)).records())
          .isEqualTo(Map.of(ResendOutcome.SENT_BEFORE, 35L));
      records.dead(3, RejectReason.MISROUTED, batch("gw", reading("new", 5, 1))).commit();
      assertThat(run(request(RecordFilter.ALL)).records())
          .isEqualTo(Map.of(ResendOutcome.SENT_BEFORE, 35L, ResendOutcome.SENT, 1L));
      assertThat(rows()).hasSize(36).doesNotHaveDuplicates();

      assertThat(run(forced()).records()).isEqualTo(Map.of(ResendOutcome.SENT, 36L));
      assertThat(rows()).hasSize(72);
    }
  }

  /** They would be withheld again, unless what is sent says that the loss is accepted. */
  @Test
  void withheldReadings_areSentIfTheirReasonIsNamed_andTheLossAccepted_andSaySo() {
    try (DeadLetterTopic records = deadLetters()) {
      ReadingBatch batch = batch("gw", reading("a", 5, 1));
      Headers headers = records.headers(9, RejectReason.WITHHELD, batch);
      DeadLetterHeaders.add(headers, DeadLetterHeaders.GAP, new Gap(Life.NONE, 30, 40).toString());
      records.record(9, headers, batch.toByteArray()).commit();
    }
    assertThat(run(request(RecordFilter.ALL)).records())
        .isEqualTo(Map.of(ResendOutcome.WITHHELD, 1L));
    assertThat(readings()).isEmpty();

    RecordFilter named =
        new RecordFilter(Set.of(RejectReason.WITHHELD), Set.of(), 0, Long.MAX_VALUE);
    Gap before = new Gap(Life.NONE, 10, 20);
    lossAccepted = (partition, gap) -> partition == 8 || before.covers(gap);
    assertThat(run(request(named)).records()).isEqualTo(Map.of(ResendOutcome.NOT_ACCEPTED, 1L));
    assertThat(readings()).isEmpty();

    Gap ofAnother = new Gap(new Life(6), 50, 60);
    lossAccepted = (partition, gap) -> ofAnother.covers(gap);
    assertThat(run(request(named)).records()).isEqualTo(Map.of(ResendOutcome.NOT_ACCEPTED, 1L));

    Gap ofItsWriter = new Gap(DeadLetterTopic.LIFE, 50, 60);
    lossAccepted = (partition, gap) -> ofItsWriter.covers(gap);
    assertThat(run(request(named, false, false, true)).records())
        .isEqualTo(Map.of(ResendOutcome.SENT, 1L));

    Gap later = new Gap(Life.NONE, 50, 60);
    lossAccepted = (partition, gap) -> partition == 9 && later.covers(gap);
    assertThat(run(request(named)).records()).isEqualTo(Map.of(ResendOutcome.SENT, 1L));
    assertThat(readings())
        .extracting(record -> header(record, DeadLetterHeaders.REDRIVE_REASON))
        .containsExactly("WITHHELD");
  }

  /** After a reset, what is redriven would be the newest record of a window that was full. */
  @Test
  void withheldReadings_ofWindowsThatAnEarlierStatePublished_stayWhereTheyAre() throws IOException {
    Optional<Life> running = Optional.of(DeadLetterTopic.LIFE);
    try (DeadLetterTopic records = deadLetters();
        DeadLetterTopic windows = new DeadLetterTopic(kafka.bootstrapServers(), topics.windows())) {
      withheld(records, reading("a", 5, 1), reading("a", 10_000, 2), reading("b", 5, 3));
      withheld(records, reading("a", 9_999, 4));
      withheld(records, reading("a", 20_000, 5), reading("a", 30_000, 6));
      withheld(records, reading("a", 40_001, 7));
      records.commit();
      window(windows, "a", 0, running);
      window(windows, "a", 0, Optional.empty());
      window(windows, "a", 20_000, Optional.of(new Life(8)));
      window(windows, "a", 20_000, running);
      window(windows, "a", 40_000, Optional.of(new Life(8)));
      window(windows, "not-concerned", 0, Optional.empty());
      windows.commit();
    }
    lossAccepted = (partition, gap) -> true;
    RecordFilter named =
        new RecordFilter(Set.of(RejectReason.WITHHELD), Set.of(), 0, Long.MAX_VALUE);
    RedriveReport report = run(request(named));

    assertThat(rows()).containsExactlyInAnyOrder("a=2.0", "b=3.0", "a=5.0", "a=6.0");
    assertThat(report.records())
        .isEqualTo(Map.of(ResendOutcome.SENT, 2L, ResendOutcome.PUBLISHED, 2L));
    assertThat(report.publishedReadings()).isEqualTo(3);
    assertThat(report.leftReadings()).isZero();
    assertThat(run(request(named, true, false, true)).records())
        .as("forced, dry")
        .isEqualTo(Map.of(ResendOutcome.SENT, 4L));
  }

  /** Such as with the settings of another registry: every window would seem to be missing. */
  @Test
  void recordThatIsNoWindow_endsTheRedriveOfWithheldReadings_byName() throws IOException {
    try (DeadLetterTopic records = deadLetters();
        DeadLetterTopic windows = new DeadLetterTopic(kafka.bootstrapServers(), topics.windows())) {
      withheld(records, reading("a", 5, 1));
      records.commit();
      windows.record(0, new RecordHeaders(), new byte[] {7}).commit();
    }
    lossAccepted = (partition, gap) -> true;
    RecordFilter named =
        new RecordFilter(Set.of(RejectReason.WITHHELD), Set.of(), 0, Long.MAX_VALUE);

    assertThatThrownBy(() -> run(request(named)))
        .isInstanceOf(KafkaException.class)
        .hasMessageContaining(topics.windows() + " partition 0 offset 0 is not a window");
    assertThat(readings()).isEmpty();
  }

  private static void withheld(DeadLetterTopic records, Reading... readings) {
    ReadingBatch batch = batch("gw", readings);
    Headers headers = records.headers(9, RejectReason.WITHHELD, batch);
    DeadLetterHeaders.add(headers, DeadLetterHeaders.GAP, new Gap(Life.NONE, 0, 40).toString());
    records.record(9, headers, batch.toByteArray());
  }

  private static void window(
      DeadLetterTopic windows, String sensor, long startMs, Optional<Life> life) {
    Headers headers = new RecordHeaders();
    // A version that knows no lives writes none.
    headers.add(life.map(Life::header).orElse(new RecordHeader(DeadLetterHeaders.LIFE, null)));
    WindowSummary window =
        WindowSummary.newBuilder()
            .setSensorId(sensor)
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + 10_000)
            .build();
    windows.record(3, headers, window.toByteArray());
  }

  /** The life that runs has read their readings again, and has counted them or written its own. */
  @Test
  void lettersOfAnEarlierLife_andOfAPartitionWithoutALife_stayWhereTheyAre() throws IOException {
    try (DeadLetterTopic records = deadLetters()) {
      of(records, new Life(8), reading("earlier", 5, 1));
      of(records, DeadLetterTopic.LIFE, reading("own", 5, 2));
      records.dead(5, RejectReason.MISROUTED, batch("gw", reading("elsewhere", 5, 3)));
      records.commit();
    }
    lives = Map.of(4, DeadLetterTopic.lives().get(4));
    assertThat(run(request(RecordFilter.ALL)).records())
        .isEqualTo(
            Map.of(
                ResendOutcome.SENT,
                1L,
                ResendOutcome.PERHAPS_UNREAD,
                1L,
                ResendOutcome.NO_LIFE,
                1L));
    assertThat(rows()).containsExactly("own=2.0");
    assertThat(run(forced()).records()).isEqualTo(Map.of(ResendOutcome.SENT, 3L));
  }

  private static void of(DeadLetterTopic records, Life life, Reading reading) {
    ReadingBatch batch = batch("gw", reading);
    Headers headers = records.headers(4, RejectReason.MISROUTED, batch);
    headers.add(life.header());
    records.record(4, headers, batch.toByteArray());
  }

  /** Dead letters of events hold no readings. */
  @Test
  void deadLettersOfOtherTopics_stayWhereTheyAre() throws IOException {
    try (DeadLetterTopic deadLetters = deadLetters()) {
      Headers ofHandlers = DeadLetterHeaders.of(new Origin("orders", 0, 7));
      DeadLetterHeaders.add(ofHandlers, DeadLetterHeaders.APPLICATION, "shop");
      deadLetters
          .dead(0, RejectReason.FUTURE_TIMESTAMP, batch("one", reading("a", 5, 1)))
          .record(0, ofHandlers, new byte[] {7})
          .commit();
    }
    RecordFilter filter =
        new RecordFilter(Set.of(), Set.of(), 0, Long.MAX_VALUE, Set.of("weir.readings"));
    assertThat(run(request(filter)).records()).isEmpty();
  }

  @Test
  void filtersThatOverlap_sendEachDeadLetterOnce() throws IOException {
    long before;
    long after;
    try (DeadLetterTopic records = deadLetters()) {
      records
          .dead(0, RejectReason.MISROUTED, batch("one", reading("a", 5, 1)))
          .dead(0, RejectReason.FUTURE_TIMESTAMP, batch("one", reading("b", 5, 2)))
          .dead(0, RejectReason.MISROUTED, batch("two", reading("c", 5, 3)))
          .record(0, new RecordHeaders(), new byte[] {7})
          .commit();
    }
    List<ConsumerRecord<byte[], byte[]>> all =
        Committed.of(kafka.bootstrapServers(), List.of(topics.deadLetters()));
    before = all.get(0).timestamp();
    after = all.get(all.size() - 1).timestamp() + 1;

    assertThat(run(request(filter(Set.of(RejectReason.MISROUTED), Set.of("one")))).fitting())
        .isEqualTo(1);
    assertThat(rows()).containsExactly("a=1.0");
    RecordFilter early = new RecordFilter(Set.of(), Set.of(), 0, before);
    RecordFilter late = new RecordFilter(Set.of(), Set.of(), after, Long.MAX_VALUE);
    assertThat(run(request(early)).fitting()).isZero();
    assertThat(run(request(late)).fitting()).isZero();
    assertThat(run(request(new RecordFilter(Set.of(), Set.of("one"), before, after))).records())
        .isEqualTo(Map.of(ResendOutcome.SENT_BEFORE, 1L, ResendOutcome.SENT, 1L));
    assertThat(run(request(RecordFilter.ALL)).records())
        .isEqualTo(
            Map.of(
                ResendOutcome.SENT_BEFORE,
                2L,
                ResendOutcome.SENT,
                1L,
                ResendOutcome.UNDECODABLE,
                1L));
    assertThat(rows()).containsExactlyInAnyOrder("a=1.0", "b=2.0", "c=3.0");
  }

  private static RecordFilter filter(Set<RejectReason> reasons, Set<String> gateways) {
    return new RecordFilter(reasons, gateways, 0, Long.MAX_VALUE);
  }

  @Test
  void batchRefusedSeveralTimes_isSentOnce_andOnePerhapsCountedOnlyByName() throws IOException {
    ReadingBatch fenced =
        batch("gw", reading("a", 5, 1)).toBuilder().setBootId(3).setSequence(8).build();
    ReadingBatch invalid = fenced.toBuilder().setSequence(1L << 62).build();
    try (DeadLetterTopic records = deadLetters()) {
      records
          .dead(1, RejectReason.FENCED, fenced)
          .dead(1, RejectReason.INVALID_SEQUENCE, invalid)
          .dead(1, RejectReason.INVALID_SEQUENCE, invalid)
          .commit();
      assertThat(run(request(RecordFilter.ALL)).records())
          .isEqualTo(
              Map.of(
                  ResendOutcome.PERHAPS_COUNTED,
                  1L,
                  ResendOutcome.SENT,
                  1L,
                  ResendOutcome.DUPLICATE,
                  1L));
      records.dead(1, RejectReason.INVALID_SEQUENCE, invalid).commit();
      assertThat(run(request(RecordFilter.ALL)).records())
          .isEqualTo(
              Map.of(
                  ResendOutcome.PERHAPS_COUNTED,
                  1L,
                  ResendOutcome.SENT_BEFORE,
                  1L,
                  ResendOutcome.DUPLICATE,
                  2L));
    }
    assertThat(rows()).containsExactly("a=1.0");

    assertThat(run(request(filter(Set.of(RejectReason.FENCED), Set.of()))).records())
        .isEqualTo(Map.of(ResendOutcome.SENT, 1L));
    assertThat(rows()).containsExactly("a=1.0", "a=1.0");
  }

  @Test
  void deadLetterThatCameBack_isLeft_unlessItIsMeant() throws IOException {
    ReadingBatch batch = batch("gw", reading("a", 5, 1));
    try (DeadLetterTopic records = deadLetters()) {
      Headers headers = records.headers(1, RejectReason.MISROUTED, batch);
      DeadLetterHeaders.ofRedrive(new Origin(topics.late(), 3, 4)).forEach(headers::add);
      records.record(1, headers, batch.toByteArray()).commit();
    }

    assertThat(run(request(RecordFilter.ALL)).records())
        .isEqualTo(Map.of(ResendOutcome.CAME_BACK, 1L));
    assertThat(rows()).isEmpty();
    assertThat(run(withReturned()).records()).isEqualTo(Map.of(ResendOutcome.SENT, 1L));
    assertThat(rows()).containsExactly("a=1.0");
  }

  /**
   * A second one begins while the first is under way: the first ends, and nothing is sent twice.
   */
  @Test
  void secondRunBeside_endsTheFirst_andNothingIsSentTwice() throws IOException {
    try (DeadLetterTopic records = deadLetters()) {
      for (int i = 0; i < 300; i++) {
        records.dead(i % 64, RejectReason.MISROUTED, batch("gw", reading("s" + i, 5, i)));
      }
      records.commit();
    }
    List<RedriveReport> second = new ArrayList<>();

    assertThatThrownBy(
            () ->
                run(
                    request(RecordFilter.ALL),
                    soFar -> {
                      if (second.isEmpty() && soFar.records(ResendOutcome.SENT) > 0) {
                        second.add(run(request(RecordFilter.ALL)));
                      }
                    }))
        .isInstanceOf(KafkaException.class);

    assertThat(second.get(0).records(ResendOutcome.SENT_BEFORE)).isPositive();
    assertThat(second.get(0).records(ResendOutcome.SENT)).isPositive();
    assertThat(rows()).hasSize(300).doesNotHaveDuplicates();
  }

  @Test
  void topicThatIsMissing_isNamedWithWhatToDo() {
    RedriveRequest elsewhere =
        new RedriveRequest(
            "nowhere.d",
            topics.readings(),
            Optional.empty(),
            Optional.empty(),
            RecordFilter.ALL,
            Limits.DEFAULT,
            0,
            false,
            false,
            true);
    topics = new TopicNames(topics.readings(), topics.windows(), topics.late(), "nowhere.d");

    assertThatThrownBy(() -> run(elsewhere))
        .isInstanceOf(KafkaException.class)
        .hasMessageContaining("nowhere.d")
        .hasMessageContaining("weir topics");
  }
}
