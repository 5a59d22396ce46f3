package io.weir.internal.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.UnreadOffsets.Answer;
import io.weir.internal.deadletter.UnreadOffsets.Range;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class UnreadOffsetsTest {
  private static final Life LOST = new Life(8);

  @Test
  void offsetOfARange_isUnread_allOthersAreRead() {
    UnreadOffsets unread = UnreadOffsets.before(5).with(range(10, 20));
    assertThat(unread.at(4)).isEqualTo(Answer.UNREAD);
    assertThat(unread.at(5)).isEqualTo(Answer.READ);
    assertThat(unread.at(10)).isEqualTo(Answer.UNREAD);
    assertThat(unread.at(20)).isEqualTo(Answer.READ);
    assertThat(unread.firstRead()).isEqualTo(5);
    assertThat(unread.readFrom(9)).isEqualTo(5);
    assertThat(unread.readFrom(20)).isEqualTo(20);
    assertThat(UnreadOffsets.before(0).with(range(10, 20)).firstRead()).isZero();
  }

  /** Whoever does not know must not take a record for unread: it may have counted. */
  @Test
  void moreRangesThanAreKept_nothingIsKnownBeforeTheEndOfTheForgottenOnes() {
    UnreadOffsets unread = UnreadOffsets.before(5);
    for (int i = 1; i <= UnreadOffsets.MOST; i++) {
      unread = unread.with(range(i * 100, i * 100 + 50));
    }
    unread = unread.with(range(5_000, 5_050));
    assertThat(unread.ranges()).hasSize(UnreadOffsets.MOST);
    assertThat(unread.at(4)).isEqualTo(Answer.NOT_KNOWN);
    assertThat(unread.at(60)).isEqualTo(Answer.NOT_KNOWN);
    assertThat(unread.at(120)).isEqualTo(Answer.NOT_KNOWN);
    assertThat(unread.at(150)).isEqualTo(Answer.READ);
    assertThat(unread.at(220)).isEqualTo(Answer.UNREAD);
    assertThat(unread.firstRead()).isZero();
  }

  @Test
  void anotherTopic_orAnUnknownOne_isNotKnown() {
    Uuid topic = new Uuid(1, 2);
    RunningLife life = new RunningLife(new Life(7), topic, UnreadOffsets.before(5));
    assertThat(life.hasRead(topic, 4)).isEqualTo(Answer.UNREAD);
    assertThat(life.hasRead(topic, -1)).isEqualTo(Answer.NOT_KNOWN);
    assertThat(life.hasRead(new Uuid(3, 4), 4)).isEqualTo(Answer.NOT_KNOWN);
    RunningLife ofNone = new RunningLife(new Life(7), Uuid.ZERO_UUID, UnreadOffsets.before(5));
    assertThat(ofNone.hasRead(Uuid.ZERO_UUID, 4)).isEqualTo(Answer.NOT_KNOWN);
  }

  @Test
  void lifeThatGoesOnWithAnotherOne_hasJudgedAsItDid_upToItsEnd() {
    UnreadOffsets unread = UnreadOffsets.before(5).with(new Range(10, 20, Optional.of(LOST)));
    RunningLife life = new RunningLife(new Life(7), new Uuid(1, 2), unread);
    assertThat(life.judgedAs(new Life(7), 30)).isTrue();
    assertThat(life.judgedAs(LOST, 9)).isTrue();
    assertThat(life.judgedAs(LOST, 10)).isFalse();
    assertThat(life.judgedAs(LOST, -1)).isFalse();
    assertThat(RunningLife.parse(life.toString())).contains(life);
  }

  @Test
  void textThatIsNone_isRefused() {
    String life = "0000000000000007@AAAAAAAAAAcAAAAAAAAACA@";
    assertThat(RunningLife.parse(life + "0@")).isPresent();
    for (String text : new String[] {"", "0", "x@", "0@1", "0@1-2,", "0@1-2~3"}) {
      assertThat(RunningLife.parse(life + text)).as(text).isEmpty();
    }
  }

  private static Range range(long from, long to) {
    return new Range(from, to, Optional.empty());
  }
}
