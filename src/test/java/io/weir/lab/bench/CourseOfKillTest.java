package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class CourseOfKillTest {
  private static final long START = TimeUnit.HOURS.toNanos(1);

  private final PlainPass pass = new PlainPass(1);
  private final SubjectWindowCheck check;
  private final CourseOfKill course;

  /** One window is due. */
  CourseOfKillTest() {
    pass.add(
        0,
        ReadingBatch.newBuilder()
            .addReadings(Reading.newBuilder().setSensorId("a").setTimestampMs(1_000))
            .addReadings(Reading.newBuilder().setSensorId("a").setTimestampMs(20_000))
            .build());
    check = new SubjectWindowCheck(pass, new Closing(Closing.Time.SENSOR, 0));
    course = new CourseOfKill(check);
  }

  private static long after(double seconds) {
    return START + (long) (seconds * 1e9);
  }

  private static double restartSeconds(Figures figures) {
    return figures.get(Figure.RESTART_SECONDS).orElseThrow();
  }

  @Test
  void windowsOfTheKilledProcess_areNoSignOfTheNext() {
    course.committed(0, 3, after(-1));
    assertThat(course.hasCommitted()).isTrue();
    course.killed(600, new long[] {5});
    course.startedAgain(START);
    course.committed(0, 4, after(1)); // Written by the first, committed by the second.
    assertThat(course.figures(1000).get(Figure.RESTART_SECONDS)).isEmpty();

    course.committed(0, 5, after(2.5));
    course.committed(0, 6, after(3));
    course.takenAgain(700);

    Figures figures = course.figures(1000);
    assertThat(restartSeconds(figures)).isEqualTo(2.5);
    assertThat(figures.get(Figure.KILLED_AFTER_READINGS)).hasValue(600);
    assertThat(figures.get(Figure.REPEATED_READINGS)).hasValue(300);
  }

  @Test
  void run_isOver_onceAllThatIsDueCame_andNothingMoreForAWhile() {
    course.killed(600, new long[] {0});
    course.startedAgain(START);
    course.committed(0, 1, after(1));
    check.take(WindowSummary.newBuilder().setSensorId("a").setCount(1).build());
    assertThat(check.missing()).isZero();

    assertThat(course.isOver(after(5.9))).isFalse();
    assertThat(course.isOver(after(6.1))).isTrue();
    course.committed(0, 2, after(6.05));
    assertThat(course.isOver(after(6.1))).isFalse();
  }

  @Test
  void windowThatDoesNotCome_isWaitedForLonger_andNotForEver() {
    course.killed(600, new long[] {0});
    course.startedAgain(START);
    assertThat(course.isOver(after(170))).isFalse();
    assertThat(course.isOver(after(181))).isTrue();

    course.committed(0, 1, after(175));
    assertThat(course.isOver(after(200))).isFalse();
    assertThat(course.isOver(after(206))).isTrue();
  }
}
