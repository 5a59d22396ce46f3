package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.edge.PublisherState;
import io.weir.edge.SequencedBatch;
import io.weir.lab.oracle.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
  private static final SequencedBatch FIRST = batch(7, 1, "a");
  private static final SequencedBatch SECOND = batch(7, 2, "b");
  private static final LedgerEntry.Raw TOMBSTONE = new LedgerEntry.Raw(1, 5, 0, null);

  @TempDir Path dir;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = dir.resolve("ledger");
    try (LedgerFile ledger = LedgerFile.open(file)) {
      ledger.force(List.of(new LedgerEntry.Began(7, true)));
      ledger.force(List.of(new LedgerEntry.Batch(FIRST), new LedgerEntry.Batch(SECOND)));
      ledger.write(new LedgerEntry.Acknowledged(7, 3, 1));
      ledger.force(List.of(TOMBSTONE));
    }
  }

  private static SequencedBatch batch(long bootId, long sequence, String value) {
    return new SequencedBatch(
        bootId, 3, sequence, 10, value.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  @Test
  void state_goesOnWithTheLastSequence_andWhatWasNotAcknowledged() throws IOException {
    PublisherState state = kept().state("gateway").orElseThrow();

    assertThat(state.bootId()).isEqualTo(7);
    assertThat(state.lastSequences().get(3)).isEqualTo(2);
    assertThat(state.unacknowledged()).extracting(SequencedBatch::sequence).containsExactly(2L);
    assertThat(kept().lastRaw()).isEqualTo(1);
  }

  @Test
  void entryThatBreaksOff_isCutOff_andTheNextFollowsTheLastWholeOne() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));

    try (LedgerFile ledger = LedgerFile.open(file)) {
      ledger.write(new LedgerEntry.Acknowledged(7, 3, 2));
    }

    assertThat(kept().state("gateway").orElseThrow().unacknowledged()).isEmpty();
    assertThat(kept().lastRaw()).isZero();
  }

  @Test
  void lifeThatBeganEmptyHanded_owesNothingOfTheOneBefore() throws IOException {
    try (LedgerFile ledger = LedgerFile.open(file)) {
      ledger.force(List.of(new LedgerEntry.Began(8, true)));
    }

    PublisherState state = kept().state("gateway").orElseThrow();
    assertThat(state.bootId()).isEqualTo(8);
    assertThat(state.unacknowledged()).isEmpty();
    assertThat(state.lastSequences()).containsOnly(0L);
  }

  @Test
  void index_missesWhatWasAcknowledged_andKnowsWhatNobodyWrote() throws IOException {
    LedgerIndex index = new LedgerIndex();
    index.read("gateway", file);
    LedgerIndex.Print acknowledged = LedgerIndex.Print.of(FIRST.value());

    assertThat(index.check(3, Map.of(acknowledged, 2L), Set.of()).areNone()).isTrue();
    assertThat(index.check(3, Map.of(), Set.of()).lost()).isEqualTo(10);
    Findings foreign =
        index.check(3, Map.of(acknowledged, 1L, LedgerIndex.Print.of(new byte[1]), 1L), Set.of());
    assertThat(foreign.wrongRecords()).isEqualTo(1);
    assertThat(index.acknowledgedReadings()).isEqualTo(10);
    assertThat(index.acknowledgedRecords()).isEqualTo(1);
  }

  private LedgerState kept() throws IOException {
    LedgerState kept = new LedgerState();
    LedgerFile.read(file, kept::take);
    return kept;
  }
}
