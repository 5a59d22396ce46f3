package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import org.junit.jupiter.api.Test;

/** Two partitions: in one a and b, of which b is 8 s ahead; in the other c, far behind. */
final class SubjectWindowCheckTest {
  private static final Closing BY_PARTITION = new Closing(Closing.Time.PARTITION, 5_000);

  private final PlainPass pass = new PlainPass(2);

  SubjectWindowCheckTest() {
    pass.add(0, batch("a", 1_000, 1, 2_000, 2, 17_000, 3));
    pass.add(0, batch("b", 9_000, 4, 25_000, 5));
    pass.add(1, batch("c", 3_000, 6, 12_000, 7));
  }

  private static ReadingBatch batch(String sensorId, double... timesAndValues) {
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    for (int i = 0; i < timesAndValues.length; i += 2) {
      batch.addReadings(
          Reading.newBuilder()
              .setSensorId(sensorId)
              .setTimestampMs((long) timesAndValues[i])
              .setValue(timesAndValues[i + 1]));
    }
    return batch.build();
  }

  private static WindowSummary window(
      String sensorId, long startMs, long count, double sum, double min, double max) {
    return WindowSummary.newBuilder()
        .setSensorId(sensorId)
        .setWindowStartMs(startMs)
        .setCount(count)
        .setSum(sum)
        .setMin(min)
        .setMax(max)
        .build();
  }

  private SubjectWindowCheck check(Closing closing) {
    return new SubjectWindowCheck(pass, closing);
  }

  @Test
  void windows_areDue_byTheTimeThatClosesThem() {
    // a and b have passed 10 s; of b's partition 20 s have passed, so a's second window too.
    assertThat(check(BY_PARTITION).missing()).isEqualTo(3);
    assertThat(check(new Closing(Closing.Time.SENSOR, 5_000)).missing()).isEqualTo(2);
    assertThat(check(new Closing(Closing.Time.TOPIC, 5_000)).missing()).isZero();
    assertThat(check(new Closing(Closing.Time.TOPIC, 2_000)).missing()).isEqualTo(3);
  }

  @Test
  void everyWindowOnce_isTheSame_andNothingIsLost() {
    SubjectWindowCheck check = check(BY_PARTITION);
    check.take(window("a", 0, 2, 3, 1, 2));
    check.take(window("b", 0, 1, 4, 4, 4));
    check.take(window("a", 10_000, 1, 3, 3, 3));

    assertThat(check.comparison()).isEqualTo(new Comparison(3, 3, 0, 0, 0, 0, 0));
    assertThat(check.comparison().isOnce()).isTrue();
  }

  @Test
  void windowThatIsNotDue_isHeldAgainstThePassAllTheSame() {
    SubjectWindowCheck check = check(new Closing(Closing.Time.TOPIC, 5_000));
    check.take(window("c", 0, 1, 6, 6, 6));
    check.take(window("c", 10_000, 1, 7.5, 7, 7));

    assertThat(check.comparison()).isEqualTo(new Comparison(2, 1, 0, 0, 0, 0, 1));
  }

  @Test
  void readingsOfShortAndOfMissingWindows_areLost() {
    SubjectWindowCheck check = check(BY_PARTITION);
    check.take(window("a", 0, 1, 2, 2, 2));
    check.take(window("b", 0, 1, 4, 4, 4));

    assertThat(check.comparison()).isEqualTo(new Comparison(2, 1, 1, 1, 2, 0, 0));
    assertThat(check.comparison().toString()).contains("lost 2 readings: 1 windows lack some");
  }

  @Test
  void windowAgain_orWithMoreReadings_orWithOthers_isSeen() {
    SubjectWindowCheck check = check(BY_PARTITION);
    check.take(window("b", 0, 1, 4, 4, 4));
    check.take(window("b", 0, 1, 4, 4, 4));
    check.take(window("a", 0, 3, 5, 1, 2));
    check.take(window("a", 10_000, 1, 3.000001, 3, 3));
    check.take(window("d", 0, 1, 1, 1, 1));
    check.take(window("c", 0, 1, 6, 6, 6.5));

    assertThat(check.comparison()).isEqualTo(new Comparison(6, 1, 0, 0, 0, 1, 4));
    assertThat(check.comparison().isOnce()).isFalse();
    assertThat(check.comparison().toString()).contains("1 DOUBLED, 4 WRONG");
  }

  @Test
  void windowThatLacksReadings_butHasValuesOfNone_isWrong() {
    SubjectWindowCheck check = check(BY_PARTITION);
    check.take(window("a", 0, 1, 9, 9, 9));

    assertThat(check.comparison().wrong()).isEqualTo(1);
  }

  @Test
  void comparison_asFigures_andBack_isTheSame() {
    Comparison comparison = new Comparison(7, 1, 2, 3, 4, 5, 6);
    String line = comparison.figures().toString();

    assertThat(Comparison.in(Figures.parse(line))).contains(comparison);
    assertThat(Comparison.in(Figures.NONE)).isEmpty();
  }
}
