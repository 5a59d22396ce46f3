package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.deadletter.UnreadOffsets;
import io.weir.internal.store.ThreadStores;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** Committed offsets say how far the state has come, and Streams does not see it. */
class CommitMarksTest {
  private static final TopicPartition OWN = new TopicPartition("weir.readings", 3);
  private static final TopicPartition OTHER = new TopicPartition("weir.readings", 4);

  private static final RunningLife RUNNING =
      new RunningLife(new Life(9), new Uuid(7, 8), UnreadOffsets.before(3));

  private static final String LIFE = ";life=0000000000000009@AAAAAAAAAAcAAAAAAAAACA@0@0-3";

  private final CommitMarks marks =
      new CommitMarks(
          partition ->
              partition.equals(OWN)
                  ? Optional.of(new ThreadStores.End(7, Optional.of(RUNNING)))
                  : Optional.empty());

  @Test
  void mark_isReadBack_andTakenAway() {
    OffsetAndMetadata offset = new OffsetAndMetadata(9, Optional.of(2), "AgAB+/==");
    Map<TopicPartition, OffsetAndMetadata> marked = marks.mark(Map.of(OWN, offset, OTHER, offset));

    assertThat(marked.get(OWN).metadata()).isEqualTo("AgAB+/==" + LIFE + ";applied=7");
    assertThat(marks.read(marked)).isEqualTo(Map.of(OWN, offset, OTHER, offset));
    assertThat(marks.of(OWN)).contains(new CommitMarks.Committed(9, OptionalLong.of(7)));
    assertThat(CommitMarks.life(marked.get(OWN))).contains(RUNNING);
    assertThat(CommitMarks.life(marked.get(OTHER))).isEmpty();
    assertThat(marks.of(OTHER)).contains(new CommitMarks.Committed(9, OptionalLong.empty()));
  }

  /**
   * What is in front of a committed offset was read by its state: it is no loss if it is deleted.
   */
  @Test
  void recordsThatWereLeftOut_areBehindTheCommittedOffset() {
    Map<TopicPartition, OffsetAndMetadata> ahead = Map.of(OWN, new OffsetAndMetadata(9));
    marks.readFrom(OWN, 7, true);
    assertThat(marks.mark(ahead).get(OWN)).isEqualTo(new OffsetAndMetadata(7, LIFE + ";applied=7"));

    marks.goneOn(OWN, false);
    Map<TopicPartition, OffsetAndMetadata> behindMarkers = marks.mark(ahead);
    marks.read(behindMarkers);
    assertThat(behindMarkers.get(OWN).offset()).isEqualTo(9);
    assertThat(marks.of(OWN).orElseThrow().readThrough(7)).isEqualTo(9);
    assertThat(marks.of(OWN).orElseThrow().readThrough(6)).isEqualTo(6);
  }

  /** Records in front of the first position may have been deleted, not only markers. */
  @Test
  void emptyState_hasReadNothing_whateverIsCommitted() {
    assertThat(new CommitMarks.Committed(5, OptionalLong.of(0)).readThrough(0)).isZero();
  }

  /** A commit in front of the first record behind the deleted ones would hide the gap for good. */
  @Test
  void offsetBehindDeletedRecords_isNotCommitted_untilTheStateKnowsOfThem() {
    Map<TopicPartition, OffsetAndMetadata> behind = Map.of(OWN, new OffsetAndMetadata(5_000));
    marks.jumped(Set.of(OWN));
    marks.goneOn(OWN, true);
    marks.revoked(Set.of(OWN));
    assertThat(marks.mark(behind).get(OWN))
        .isEqualTo(new OffsetAndMetadata(7, LIFE + ";applied=7"));

    marks.assigned(Set.of(OWN));
    assertThat(marks.mark(behind).get(OWN).offset()).isEqualTo(5_000);
  }

  @Test
  void offsetBehindDeletedRecords_isNotCommitted_byAnApplicationThatStartedAtTheEnd() {
    CommitMarks atEnd =
        new CommitMarks(partition -> Optional.of(new ThreadStores.End(0, Optional.empty())));
    atEnd.read(Map.of(OWN, CommitMarks.start(40)));
    atEnd.jumped(Set.of(OWN));

    assertThat(atEnd.mark(Map.of(OWN, new OffsetAndMetadata(50))).get(OWN))
        .isEqualTo(CommitMarks.start(40));
  }

  @Test
  void partitionOfWhichNothingIsCommitted_hasNoMark() {
    Map<TopicPartition, OffsetAndMetadata> none = new HashMap<>();
    none.put(OWN, null);

    assertThat(marks.read(none)).isEqualTo(none);
    assertThat(marks.of(OWN)).isEmpty();
  }
}
