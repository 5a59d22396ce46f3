package io.weir.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EarlyCommitsTest {
  private static final long INTERVAL_MS = 500;
  private static final long APART_MS = INTERVAL_MS / EarlyCommits.APART;
  private static final long EACH_MS = INTERVAL_MS * EarlyCommits.INTERVALS_EACH;
  private static final long NOT_BEHIND = 0;

  private long nowMs = 1_000_000;
  private final EarlyCommits commits = new EarlyCommits(() -> nowMs, INTERVAL_MS);

  @Test
  void recordsWithoutEmission_areNeverDue() {
    assertThat(commits.isDue(NOT_BEHIND)).isFalse();
    nowMs += 10 * INTERVAL_MS;
    assertThat(commits.isDue(NOT_BEHIND)).isFalse();
  }

  @Test
  void firstEmission_isDueAtOnce() {
    commits.emitted();
    assertThat(commits.isDue(NOT_BEHIND)).isTrue();
  }

  /** All tasks of a thread are asked before Streams carries it out. */
  @Test
  void commitThatIsAskedFor_isNotAskedForAgain_byOtherTasksOfTheThread() {
    commits.emitted();
    assertThat(commits.isDue(NOT_BEHIND)).isTrue();
    commits.emitted();
    nowMs += INTERVAL_MS;
    assertThat(commits.isDue(NOT_BEHIND)).isFalse();
    commits.committed();
    commits.emitted();
    nowMs += APART_MS;
    assertThat(commits.isDue(NOT_BEHIND)).isTrue();
  }

  @Test
  void emissionSoonAfterACommit_waitsForAFifthOfTheInterval() {
    commits.committed();
    commits.emitted();
    nowMs += APART_MS - 1;
    assertThat(commits.isDue(NOT_BEHIND)).isFalse();
    nowMs++;
    assertThat(commits.isDue(NOT_BEHIND)).isTrue();
  }

  @Test
  void whatWasCommittedMeanwhile_isNotDue() {
    commits.emitted();
    commits.committed();
    nowMs += APART_MS;
    assertThat(commits.isDue(NOT_BEHIND)).isFalse();
  }

  @Test
  void recordOfABacklog_asksForNone_andTheNextThatIsNotDoes() {
    commits.emitted();
    assertThat(commits.isDue(EarlyCommits.MOST_BEHIND_MS + 1)).isFalse();
    assertThat(commits.isDue(EarlyCommits.MOST_BEHIND_MS)).isTrue();
  }

  @Test
  void burst_isTenInARow_andThenHalfAsOftenAsTheInterval() {
    int early = 0;
    for (; early < EarlyCommits.BURST; early++) {
      commits.emitted();
      assertThat(commits.isDue(NOT_BEHIND)).as("early commit %d", early).isTrue();
      commits.committed();
      nowMs += APART_MS;
    }
    // 900 ms and more have gone by since the first: the eleventh is the one that came back.
    int more = earlyCommitsWithin(100 * EACH_MS);
    assertThat(early + more).isBetween(EarlyCommits.BURST + 100, EarlyCommits.BURST + 101);
  }

  /** Emits all the time; returns how many commits came early. */
  private int earlyCommitsWithin(long forMs) {
    int early = 0;
    for (long untilMs = nowMs + forMs; nowMs < untilMs; nowMs += APART_MS) {
      commits.emitted();
      if (commits.isDue(NOT_BEHIND)) {
        commits.committed();
        early++;
      }
    }
    return early;
  }

  @Test
  void budgetThatWasNotUsed_isNoMoreThanABurst() {
    nowMs += 1_000 * EACH_MS;
    assertThat(earlyCommitsWithin(EACH_MS)).isEqualTo(EarlyCommits.BURST);
  }

  @Test
  void threads_haveABudgetEach() throws InterruptedException {
    commits.emitted();
    boolean[] due = {true};
    Thread other = new Thread(() -> due[0] = commits.isDue(NOT_BEHIND));
    other.start();
    other.join();
    assertThat(due[0]).isFalse();
    assertThat(commits.isDue(NOT_BEHIND)).isTrue();
  }

  @Test
  void none_isNeverDue() {
    EarlyCommits.NONE.emitted();
    assertThat(EarlyCommits.NONE.isDue(NOT_BEHIND)).isFalse();
    EarlyCommits.NONE.committed();
  }

  @Test
  void intervalOfZero_isNoDivisionByZero() {
    EarlyCommits always = new EarlyCommits(() -> nowMs, 0);
    always.emitted();
    assertThat(always.isDue(NOT_BEHIND)).isTrue();
  }
}
