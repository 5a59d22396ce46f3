package io.weir.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EarlyCommitsTest {
  private static final long INTERVAL_MS = 2_000;
  private static final long WAIT_MS = EarlyCommits.waitMs(INTERVAL_MS);
  private static final long APART_MS = WAIT_MS / EarlyCommits.APART;
  private static final long EACH_MS = WAIT_MS * EarlyCommits.WAITS_EACH;
  private static final long NOT_BEHIND = 0;

  private long nowMs = 1_000_000;
  private final EarlyCommits commits = new EarlyCommits(() -> nowMs, INTERVAL_MS);

  @Test
  void recordsWithoutEmission_areNeverDue() {
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    nowMs += 10 * INTERVAL_MS;
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
  }

  @Test
  void firstEmission_isDueAtOnce() {
    commits.emitted();
    assertThat(commits.isDueAfter(NOT_BEHIND)).isTrue();
  }

  /** All tasks of a thread are asked before Streams carries it out. */
  @Test
  void commitThatIsAskedFor_isNotAskedForAgain_byOtherTasksOfTheThread() {
    commits.emitted();
    assertThat(commits.isDueAfter(NOT_BEHIND)).isTrue();
    commits.emitted();
    nowMs += INTERVAL_MS;
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    commits.committed();
    commits.emitted();
    nowMs += APART_MS;
    assertThat(commits.isDueAfter(NOT_BEHIND)).isTrue();
  }

  @Test
  void emissionSoonAfterACommit_waitsForAFifthOfTheWait() {
    commits.committed();
    commits.emitted();
    nowMs += APART_MS - 1;
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    nowMs++;
    assertThat(commits.isDueAfter(NOT_BEHIND)).isTrue();
  }

  @Test
  void whatWasCommittedMeanwhile_isNotDue() {
    commits.emitted();
    commits.committed();
    nowMs += APART_MS;
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
  }

  @Test
  void recordOfABacklog_asksForNone_andTheNextThatIsNotDoes() {
    commits.emitted();
    assertThat(commits.isDueAfter(EarlyCommits.MOST_BEHIND_MS + 1)).isFalse();
    assertThat(commits.isDueAfter(EarlyCommits.MOST_BEHIND_MS)).isTrue();
  }

  @Test
  void emissionAllTheTime_isCommittedTenTimesInARow_andThenEachWaitAndOnceMoreEachTwo() {
    int early = 0;
    for (; early < EarlyCommits.BURST; early++) {
      commits.emitted();
      assertThat(commits.isDueAfter(NOT_BEHIND)).as("early commit %d", early).isTrue();
      commits.committed();
      nowMs += APART_MS;
    }
    int more = earlyCommitsWithin(100 * EACH_MS);
    int waits = 100 * EarlyCommits.WAITS_EACH;
    assertThat(more).isBetween(waits, waits + 101);
  }

  @Test
  void emissionWithoutBudget_isCommittedWhenTheWaitIsOver() {
    assertThat(earlyCommitsWithin(EarlyCommits.BURST * APART_MS)).isEqualTo(EarlyCommits.BURST);
    commits.committed();
    long committedMs = nowMs;
    commits.emitted();
    while (!commits.isDueAfter(NOT_BEHIND)) {
      nowMs++;
    }
    // One more came back while the burst lasted: it is used first.
    assertThat(nowMs - committedMs).isEqualTo(APART_MS);
    commits.committed();
    commits.emitted();
    nowMs += WAIT_MS - 1;
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    nowMs++;
    assertThat(commits.isDueAfter(NOT_BEHIND)).isTrue();
  }

  /** An idle task of the thread looks, and has no record to know a backlog by. */
  @Test
  void backlog_isCommittedEachWait_andTakesNothingFromTheBudget() {
    commits.committed();
    for (int i = 0; i < 20; i++) {
      commits.emitted();
      nowMs += WAIT_MS - 1;
      assertThat(commits.isDueAfter(EarlyCommits.MOST_BEHIND_MS + 1)).isFalse();
      assertThat(commits.isDue()).isFalse();
      nowMs++;
      assertThat(commits.isDue()).isTrue();
      commits.committed();
    }
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    nowMs += APART_MS;
    assertThat(earlyCommitsWithin(EACH_MS)).isEqualTo(EarlyCommits.BURST);
  }

  @Test
  void whatAnAbortedTransactionAskedFor_isAskedForAgain() {
    commits.emitted();
    assertThat(commits.isDueAfter(NOT_BEHIND)).isTrue();
    commits.aborted();
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    commits.emitted();
    assertThat(commits.isDueAfter(NOT_BEHIND)).isTrue();
  }

  @Test
  void look_isWhenTheCommitIsDue_andSaidOnce() {
    assertThat(commits.lookInMs()).isZero();
    commits.committed();
    commits.emitted();
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    assertThat(commits.lookInMs()).isEqualTo(APART_MS);
    assertThat(commits.lookInMs()).isZero();
    nowMs += APART_MS;
    assertThat(commits.isDue()).isTrue();
    assertThat(commits.lookInMs()).as("asked for").isZero();
    commits.committed();
    commits.emitted();
    assertThat(commits.isDueAfter(EarlyCommits.MOST_BEHIND_MS + 1)).isFalse();
    assertThat(commits.lookInMs()).as("of a backlog").isEqualTo(WAIT_MS);
    // The task that was to look is gone: another one looks.
    nowMs += WAIT_MS - 1;
    assertThat(commits.lookInMs()).isZero();
    nowMs++;
    assertThat(commits.lookInMs()).isEqualTo(1);
  }

  @Test
  void wait_isAQuarterOfALongInterval_andNoMoreThanAShortOne() {
    assertThat(EarlyCommits.waitMs(0)).isZero();
    assertThat(EarlyCommits.waitMs(100)).isEqualTo(100);
    assertThat(EarlyCommits.waitMs(500)).isEqualTo(500);
    assertThat(EarlyCommits.waitMs(2_000)).isEqualTo(500);
    assertThat(EarlyCommits.waitMs(10_000)).isEqualTo(2_500);
  }

  @Test
  void intervalBelowTheWait_isTheWait() {
    EarlyCommits soon = new EarlyCommits(() -> nowMs, 100);
    soon.committed();
    soon.emitted();
    nowMs += 20;
    assertThat(soon.isDueAfter(NOT_BEHIND)).isTrue();
    soon.committed();
    soon.emitted();
    nowMs += 19;
    assertThat(soon.isDueAfter(NOT_BEHIND)).isFalse();
  }

  /** Emits all the time; returns how many commits came early. */
  private int earlyCommitsWithin(long forMs) {
    int early = 0;
    for (long untilMs = nowMs + forMs; nowMs < untilMs; nowMs += APART_MS) {
      commits.emitted();
      if (commits.isDueAfter(NOT_BEHIND)) {
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
    Thread other = new Thread(() -> due[0] = commits.isDueAfter(NOT_BEHIND));
    other.start();
    other.join();
    assertThat(due[0]).isFalse();
    assertThat(commits.isDueAfter(NOT_BEHIND)).isTrue();
  }

  @Test
  void none_isNeverDue() {
    EarlyCommits.NONE.emitted();
    assertThat(EarlyCommits.NONE.isDueAfter(NOT_BEHIND)).isFalse();
    EarlyCommits.NONE.committed();
  }

  @Test
  void intervalOfZero_isNoDivisionByZero() {
    EarlyCommits always = new EarlyCommits(() -> nowMs, 0);
    always.emitted();
    assertThat(always.isDueAfter(NOT_BEHIND)).isTrue();
  }
}
