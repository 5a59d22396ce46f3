package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJournalTest {
  private static final long CLOCK_MS = 1_782_579_200_000L;

  @TempDir private Path dir;

  @Test
  void bootId_isOnDiskBeforeAnythingIsSent_andGrowsWhateverTheClock() throws IOException {
    long last = 0;
    for (long clockMs : new long[] {CLOCK_MS, 5, CLOCK_MS, 0, CLOCK_MS - 1}) {
      FileJournal journal = open(clockMs);
      assertThat(journal.bootId()).isGreaterThan(last);
      last = journal.bootId();
      journal.release();
    }
  }

  @Test
  void whatIsKeptAndNotAcknowledged_comesBackInOrder() throws IOException {
    FileJournal journal = open(CLOCK_MS);
    journal.beforeFirstSend(List.of(batch(7, 1), batch(7, 2), batch(9, 1)));
    journal.beforeFirstSend(List.of(batch(7, 3)));
    journal.acknowledged(batch(7, 1));
    journal.close();

    FileJournal next = open(CLOCK_MS);
    assertThat(next.unacknowledgedReadings()).isEqualTo(3);
    assertThat(readAll(next)).containsExactlyInAnyOrder("7/2", "7/3", "9/1");
    assertThat(readAll(next)).isEmpty();
  }

  /** Whatever of the last segment reached the disk: no start fails, and what is whole is there. */
  @Test
  void segmentCutAtAnyByte_givesWhatIsWholeBefore() throws IOException {
    FileJournal journal = open(CLOCK_MS);
    for (int sequence = 1; sequence <= 3; sequence++) {
      journal.beforeFirstSend(List.of(batch(7, sequence)));
    }
    journal.release();
    Path segment = segments(dir).get(0);
    byte[] whole = Files.readAllBytes(segment);
    int before = 0;
    for (int length = 0; length <= whole.length; length++) {
      Path copy = Files.createDirectory(dir.resolve("cut-" + length));
      Files.write(copy.resolve(segment.getFileName()), Arrays.copyOf(whole, length));
      FileJournal cut = FileJournal.open(copy, "gateway-7", 1 << 20, CLOCK_MS, 0);
      List<String> left = readAll(cut);
      cut.release();
      assertThat(left).as("cut at %d", length).hasSizeBetween(before, before + 1);
      assertThat(left).isEqualTo(Stream.of("7/1", "7/2", "7/3").limit(left.size()).toList());
      before = left.size();
    }
    assertThat(before).isEqualTo(3);
  }

  @Test
  void damagedRecord_isSkipped_andThoseBehindItAreRead() throws IOException {
    FileJournal journal = open(CLOCK_MS);
    journal.beforeFirstSend(List.of(batch(7, 1), batch(7, 2), batch(7, 3)));
    journal.release();
    Path segment = segments(dir).get(0);
    byte[] bytes = Files.readAllBytes(segment);
    bytes[bytes.length / 2 + 10] ^= 1;
    Files.write(segment, bytes);

    assertThat(readAll(open(CLOCK_MS))).hasSize(2).contains("7/3");
  }

  @Test
  void directory_isOfOnePublisherAndOneGateway() throws IOException {
    FileJournal journal = open(CLOCK_MS);
    assertThatThrownBy(() -> open(CLOCK_MS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another publisher");
    journal.release();

    assertThatThrownBy(() -> FileJournal.open(dir, "gateway-8", 1 << 20, CLOCK_MS, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("gateway-7");
  }

  @Test
  void segments_goWhenAllOfThemIsAcknowledged() throws IOException {
    FileJournal journal = open(CLOCK_MS);
    for (int sequence = 1; sequence <= 2_000; sequence++) {
      journal.beforeFirstSend(List.of(batch(7, sequence, 1_000)));
      journal.acknowledged(batch(7, sequence));
      journal.tidy();
    }

    assertThat(segments(dir)).hasSizeLessThanOrEqualTo(2);
    assertThat(journal.isFull()).isFalse();
  }

  @Test
  void fullJournal_dropsTheOldestAndKeepsTheRest() throws IOException {
    FileJournal journal = open(CLOCK_MS);
    int sequence = 0;
    while (!journal.isFull()) {
      SequencedBatch batch = batch(7, ++sequence, 1_000);
      journal.beforeFirstSend(List.of(batch));
      journal.backlog().spill(batch);
    }
    List<SequencedBatch> dropped = journal.dropOldest();

    assertThat(journal.isFull()).isFalse();
    assertThat(dropped).hasSizeGreaterThan(10);
    assertThat(dropped.get(0).sequence()).isEqualTo(1);
    List<String> left = readAll(journal);
    assertThat(left).hasSize(sequence - dropped.size()).contains("7/" + sequence);
    assertThat(journal.unacknowledgedReadings()).isEqualTo(left.size());
  }

  /** Partition 7 has no room while 9, whose batches are further on, is served. */
  @Test
  void partitionWithoutRoom_keepsItsPlace_whileOthersAreServedFromFurtherOn() throws IOException {
    FileJournal journal = open(CLOCK_MS);
    keepOnDiskAlone(journal, batch(7, 1), batch(7, 2), batch(9, 1), batch(7, 3), batch(9, 2));

    assertThat(readAll(journal, Set.of(9))).containsExactly("9/1", "9/2");
    assertThat(readAll(journal, Set.of(7, 9))).containsExactly("7/1", "7/2", "7/3");
  }

  @Test
  void batchesWrittenAtOnce_comeBackFromTheFirstThatIsNotInMemory() throws IOException {
    FileJournal journal = open(CLOCK_MS);
    journal.beforeFirstSend(List.of(batch(7, 1), batch(7, 2), batch(7, 3), batch(7, 4)));
    journal.backlog().keepInMemory(batch(7, 1));
    for (int sequence = 2; sequence <= 4; sequence++) {
      journal.backlog().spill(batch(7, sequence));
    }

    assertThat(readAll(journal)).containsExactly("7/2", "7/3", "7/4");
  }

  /** The first of a write stay in memory and are acknowledged; the segment they fill goes. */
  @Test
  void segmentThatGoes_takesNoPlaceAlong() throws IOException {
    FileJournal journal = open(CLOCK_MS);
    List<SequencedBatch> batches = new ArrayList<>();
    for (int sequence = 1; sequence <= 1_000; sequence++) {
      batches.add(batch(7, sequence, 1_000));
    }
    journal.beforeFirstSend(batches);
    for (SequencedBatch batch : batches.subList(0, 400)) {
      journal.backlog().keepInMemory(batch);
      journal.acknowledged(batch);
    }
    batches.subList(400, 1_000).forEach(journal.backlog()::spill);
    int before = segments(dir).size();
    journal.tidy();

    assertThat(segments(dir)).hasSizeLessThan(before);
    assertThat(readAll(journal)).hasSize(600).startsWith("7/401").endsWith("7/1000");
  }

  private static void keepOnDiskAlone(FileJournal journal, SequencedBatch... batches)
      throws IOException {
    for (SequencedBatch batch : batches) {
      journal.beforeFirstSend(List.of(batch));
      journal.backlog().spill(batch);
    }
  }

  private FileJournal open(long clockMs) throws IOException {
    FileJournal journal = FileJournal.open(dir, "gateway-7", 1 << 20, clockMs, 0);
    return journal;
  }

  private static List<String> readAll(FileJournal journal) throws IOException {
    return readAll(journal, IntStream.range(0, 64).boxed().collect(Collectors.toUnmodifiableSet()));
  }

  private static List<String> readAll(FileJournal journal, Set<Integer> wanted) throws IOException {
    List<String> read = new ArrayList<>();
    JournalBacklog.Taker taker =
        new JournalBacklog.Taker() {
          @Override
          public boolean wants(int partition) {
            return wanted.contains(partition);
          }

          @Override
          public void take(SequencedBatch batch) {
            read.add(batch.partition() + "/" + batch.sequence());
          }
        };
    boolean more = true;
    while (more) {
      more = journal.backlog().refill(taker);
    }
    return read;
  }

  private static List<Path> segments(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }

  private static SequencedBatch batch(int partition, long sequence) {
    return batch(partition, sequence, 20);
  }

  private static SequencedBatch batch(int partition, long sequence, int bytes) {
    return new SequencedBatch(CLOCK_MS << 20, partition, sequence, 1, new byte[bytes]);
  }
}
