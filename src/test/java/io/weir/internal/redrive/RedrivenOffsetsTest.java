package io.weir.internal.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.v1.RedriveMark;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class RedrivenOffsetsTest {
  private static final Uuid TOPIC = Uuid.randomUuid();

  @Test
  void anyMarks_writtenAndReadBack_areThoseDeadLettersAndNoOthers() {
    Seeds.forEach(
        200,
        random -> {
          RedrivenOffsets marks = new RedrivenOffsets(TOPIC);
          Set<Long> all = new HashSet<>();
          long base = random.nextLong() >>> 2;
          for (int i = 0; i < 5; i++) {
            TreeSet<Long> offsets = new TreeSet<>();
            for (int n = random.nextInt(30); n >= 0; n--) {
              offsets.add(base + random.nextInt(200_000));
            }
            all.addAll(offsets);
            byte[] written = marks.mark(7, offsets, Set.of(base)).toByteArray();
            marks.add(RedriveMark.parseFrom(written));
          }
          for (long offset : all) {
            assertThat(marks.contains(7, offset)).isTrue();
            assertThat(marks.contains(8, offset)).isFalse();
            assertThat(marks.contains(7, offset + 1)).isEqualTo(all.contains(offset + 1));
          }
          assertThat(marks.hasBatch(base)).isTrue();
          assertThat(marks.hasBatch(base + 1)).isFalse();
        });
  }

  @Test
  void markOfATopicThatIsGone_saysNothingOfItsNamesake() {
    RedriveMark mark =
        new RedrivenOffsets(Uuid.randomUuid()).mark(0, new TreeSet<>(Set.of(5L)), Set.of(9L));
    RedrivenOffsets marks = new RedrivenOffsets(TOPIC);

    marks.add(mark);

    assertThat(marks.contains(0, 5)).isFalse();
    assertThat(marks.hasBatch(9)).isFalse();
  }

  /** Offsets below zero, and so far apart that each costs as much as a block may. */
  @Test
  void forgedMark_isNoOffset_andTakesLittle() {
    RedrivenOffsets marks = new RedrivenOffsets(TOPIC);
    RedriveMark.Builder mark =
        marks.mark(0, new TreeSet<>(Set.of(5L)), Set.of(9L)).toBuilder().addOffsetDelta(-10);
    marks.add(mark.build());
    assertThat(marks.contains(0, 5)).isTrue();

    RedriveMark.Builder far = marks.mark(1, new TreeSet<>(), Set.of()).toBuilder();
    for (int i = 0; i < 300_000; i++) {
      far.addOffsetDelta((1L << 16) - 1);
    }
    marks.add(far.build());
    assertThat(marks.contains(1, (1L << 16) - 1)).isTrue();
  }

  /** Compressed, a mark of a mebibyte takes a hundred bytes: of four the memory would be gone. */
  @Test
  void forgedMarks_ofOffsetsBehindTheEnd_takeNothing() {
    RedrivenOffsets marks = new RedrivenOffsets(TOPIC);
    RedriveMark.Builder far = marks.mark(1, new TreeSet<>(Set.of(5L)), Set.of()).toBuilder();
    for (int i = 0; i < 300_000; i++) {
      far.addOffsetDelta(1_024);
    }
    marks.add(far.build(), 3_000);
    assertThat(marks.contains(1, 5)).isTrue();
    assertThat(marks.contains(1, 5 + 1_024)).isTrue();
    assertThat(marks.contains(1, 5 + 3_072)).isFalse();
    assertThat(marks.blocks()).isEqualTo(3);
  }
}
