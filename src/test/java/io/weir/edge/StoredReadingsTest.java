package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchEncoder;
import io.weir.internal.wire.BatchNanos;
import io.weir.reading.Quality;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the journal says of readings that earlier starts stored. */
class StoredReadingsTest {
  private static final String GATEWAY = "gateway-7";

  @TempDir private Path dir;

  private long clockMs = 5;

  /**
   * Each reading with its nanoseconds, whether acknowledged or not, and whichever start wrote it.
   */
  @Test
  void readings_comeBackWithTheirWholeTime() {
    Seeds.forEach(
        20,
        random -> {
          Path directory = Files.createTempDirectory(dir, "journal");
          List<String> expected = new ArrayList<>();
          for (int start = 0; start < 3; start++) {
            List<String> read = new ArrayList<>();
            FileJournal journal = open(directory, 1 << 30, 10 << 20, read);
            assertThat(read).containsExactlyInAnyOrderElementsOf(expected);
            for (int i = 1; i <= 5; i++) {
              SequencedBatch batch = batch(random, journal.bootId(), i, expected);
              journal.beforeFirstSend(List.of(batch));
              if (random.nextBoolean()) {
                journal.acknowledged(batch);
              }
            }
            journal.tidy();
            journal.release();
          }
        });
  }

  @Test
  void acknowledgedSegments_areKeptUntilNewerOnesHaveThatManyBytes() throws IOException {
    for (long kept : new long[] {0, 100_000, 300_000, 10_000_000}) {
      Path directory = Files.createTempDirectory(dir, "journal");
      FileJournal journal = open(directory, kept, 1 << 20, new ArrayList<>());
      for (int i = 1; i <= 12; i++) {
        SequencedBatch batch =
            new SequencedBatch(journal.bootId(), 7, i, 1, new byte[70_000], new byte[] {1});
        journal.beforeFirstSend(List.of(batch));
        journal.acknowledged(batch);
        journal.tidy();
      }

      long bytes = bytes(directory);
      assertThat(bytes)
          .as("kept " + kept)
          .isBetween(Math.min(kept, 840_000), Math.min(kept, 840_000) + 300_000);
      journal.release();
    }
  }

  /** What is kept only to recognise repeats gives way before a full disk suspends. */
  @Test
  void fullJournal_deletesAcknowledgedSegmentsFirst() throws IOException {
    FileJournal journal = open(dir, 10 << 20, 1 << 20, new ArrayList<>());
    int sequence = 0;
    while (!journal.isFull()) {
      SequencedBatch batch =
          new SequencedBatch(journal.bootId(), 7, ++sequence, 1, new byte[70_000]);
      journal.beforeFirstSend(List.of(batch));
      journal.acknowledged(batch);
      journal.tidy();
    }
    journal.dropAcknowledged();

    assertThat(journal.isFull()).isFalse();
    assertThat(bytes(dir)).isGreaterThan(700_000);
    journal.release();
  }

  private FileJournal open(Path directory, long kept, long maxBytes, List<String> read)
      throws IOException {
    return FileJournal.open(
        directory,
        GATEWAY,
        maxBytes,
        clockMs++,
        0,
        new StoredReadings(
            kept,
            (id, ms, nanos, value, quality) -> read.add(text(id, ms, nanos, value, quality))));
  }

  private static SequencedBatch batch(
      Random random, long bootId, long sequence, List<String> expected) {
    BatchColumns columns = new BatchColumns();
    boolean whole = random.nextBoolean();
    int readings = 1 + random.nextInt(50);
    for (int i = 0; i < readings; i++) {
      String id = "s" + random.nextInt(4);
      long ms = 1 + random.nextLong(1L << 40);
      int nanos = whole ? 0 : random.nextInt(3) * random.nextInt(500_000);
      double value = random.nextInt(3);
      Quality quality = random.nextInt(4) == 0 ? Quality.BAD : Quality.GOOD;
      columns.add(id, id.hashCode(), ms, value, quality);
      columns.nanosOfLast(nanos);
      expected.add(text(id, ms, nanos, value, quality));
    }
    byte[] value = new BatchEncoder().encode(GATEWAY, bootId, sequence, columns);
    return new SequencedBatch(bootId, 7, sequence, readings, value, BatchNanos.encode(columns));
  }

  private static String text(String id, long ms, int nanos, double value, Quality quality) {
    return id + " " + ms + " " + nanos + " " + value + " " + quality;
  }

  private static long bytes(Path directory) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }
}
