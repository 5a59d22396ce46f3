package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommitPaceTest {
  private static final long INTERVAL_MS = 2_000;
  private static final long WAIT_MS = CommitPace.waitMs(INTERVAL_MS);
  private static final long APART_MS = WAIT_MS / CommitPace.APART;
  private static final long EACH_MS = WAIT_MS * CommitPace.WAITS_EACH;
  private static final long NOT_BEHIND = 0;
  private static final long TIMEOUT_MS = 30_000;

  private long nowMs = 1_000_000;
  private final CommitPace commits = new CommitPace(() -> nowMs, INTERVAL_MS, TIMEOUT_MS);

  @Test
  void recordsWithoutEmission_areDueAfterTheInterval() {
    commits.committed();
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    assertThat(commits.lookInMs()).isEqualTo(INTERVAL_MS);
    nowMs += INTERVAL_MS - 1;
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    nowMs++;
    assertThat(commits.isDue()).isTrue();
  }

  @Test
  void nothingApplied_isNeverDue() {
    commits.committed();
    nowMs += 10 * INTERVAL_MS;
    assertThat(commits.isDue()).isFalse();
    assertThat(commits.lookInMs()).isZero();
  }

  /** A look for the interval is there; what was emitted meanwhile is due sooner. */
  @Test
  void lookForTheInterval_doesNotDelayAnEmission() {
    commits.committed();
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    assertThat(commits.lookInMs()).isEqualTo(INTERVAL_MS);
    commits.emitted();
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    assertThat(commits.lookInMs()).isEqualTo(APART_MS);
    assertThat(commits.lookInMs()).isZero();
  }

  @Test
  void slowCommit_inABacklog_isAFifthOfTheTime() {
    long tookMs = INTERVAL_MS;
    commits.begun();
    nowMs += tookMs / 2;
    commits.begun();
    nowMs += tookMs / 2;
    commits.committed();
    commits.emitted();
    long restMs = CommitPace.RESTS * tookMs;
    nowMs += restMs - 1;
    assertThat(commits.isDueAfter(CommitPace.MOST_BEHIND_MS + 1)).isFalse();
    assertThat(commits.lookInMs()).isEqualTo(1);
    nowMs++;
    assertThat(commits.isDueAfter(CommitPace.MOST_BEHIND_MS + 1)).isTrue();
    commits.begun();
    commits.committed();
    commits.emitted();
    nowMs += WAIT_MS;
    assertThat(commits.isDueAfter(CommitPace.MOST_BEHIND_MS + 1)).as("fast again").isTrue();
  }

  @Test
  void slowCommit_outsideOfABacklog_delaysNoWindow() {
    commits.begun();
    nowMs += INTERVAL_MS;
    commits.committed();
    commits.emitted();
    nowMs += APART_MS;
    assertThat(commits.isDueAfter(NOT_BEHIND)).isTrue();
  }

  @Test
  void restInABacklog_isAtMostAThirdOfAShortTimeout() {
    CommitPace shortTimeout = new CommitPace(() -> nowMs, INTERVAL_MS, TIMEOUT_MS / 10);
    shortTimeout.begun();
    nowMs += INTERVAL_MS;
    shortTimeout.committed();
    shortTimeout.emitted();
    nowMs += TIMEOUT_MS / 30;
    assertThat(shortTimeout.isDueAfter(CommitPace.MOST_BEHIND_MS + 1)).isTrue();
  }

  @Test
  void restInABacklog_endsLongBeforeTheTransactionDoes() {
    commits.begun();
    nowMs += 60_000;
    commits.committed();
    commits.emitted();
    nowMs += CommitPace.LONGEST_REST_MS;
    assertThat(commits.isDueAfter(CommitPace.MOST_BEHIND_MS + 1)).isTrue();
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
    assertThat(commits.isDueAfter(CommitPace.MOST_BEHIND_MS + 1)).isFalse();
    assertThat(commits.isDueAfter(CommitPace.MOST_BEHIND_MS)).isTrue();
  }

  @Test
  void emissionAllTheTime_isCommittedTenTimesInARow_andThenEachWaitAndOnceMoreEachTwo() {
    int early = 0;
    for (; early < CommitPace.BURST; early++) {
      commits.emitted();
      assertThat(commits.isDueAfter(NOT_BEHIND)).as("early commit %d", early).isTrue();
      commits.committed();
      nowMs += APART_MS;
    }
    int more = earlyCommitsWithin(100 * EACH_MS);
    int waits = 100 * CommitPace.WAITS_EACH;
    assertThat(more).isBetween(waits, waits + 101);
  }

  @Test
  void emissionWithoutBudget_isCommittedWhenTheWaitIsOver() {
    assertThat(earlyCommitsWithin(CommitPace.BURST * APART_MS)).isEqualTo(CommitPace.BURST);
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
      assertThat(commits.isDueAfter(CommitPace.MOST_BEHIND_MS + 1)).isFalse();
      assertThat(commits.isDue()).isFalse();
      nowMs++;
      assertThat(commits.isDue()).isTrue();
      commits.committed();
    }
    assertThat(commits.isDueAfter(NOT_BEHIND)).isFalse();
    nowMs += APART_MS;
    assertThat(earlyCommitsWithin(EACH_MS)).isEqualTo(CommitPace.BURST);
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
    assertThat(commits.isDueAfter(CommitPace.MOST_BEHIND_MS + 1)).isFalse();
    assertThat(commits.lookInMs()).as("of a backlog").isEqualTo(WAIT_MS);
    // The task that was to look is gone: another one looks.
    nowMs += WAIT_MS - 1;
    assertThat(commits.lookInMs()).isZero();
    nowMs++;
    assertThat(commits.lookInMs()).isEqualTo(1);
  }

  @Test
  void wait_isAQuarterOfALongInterval_andNoMoreThanAShortOne() {
    assertThat(CommitPace.waitMs(0)).isZero();
    assertThat(CommitPace.waitMs(100)).isEqualTo(100);
    assertThat(CommitPace.waitMs(500)).isEqualTo(500);
    assertThat(CommitPace.waitMs(2_000)).isEqualTo(500);
    assertThat(CommitPace.waitMs(10_000)).isEqualTo(2_500);
  }

  @Test
  void intervalBelowTheWait_isTheWait() {
    CommitPace soon = new CommitPace(() -> nowMs, 100, TIMEOUT_MS);
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
    assertThat(earlyCommitsWithin(EACH_MS)).isEqualTo(CommitPace.BURST);
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
    CommitPace.NONE.emitted();
    assertThat(CommitPace.NONE.isDueAfter(NOT_BEHIND)).isFalse();
    CommitPace.NONE.committed();
  }

  @Test
  void intervalOfZero_isNoDivisionByZero() {
    CommitPace always = new CommitPace(() -> nowMs, 0, TIMEOUT_MS);
    always.emitted();
    assertThat(always.isDueAfter(NOT_BEHIND)).isTrue();
  }
}
