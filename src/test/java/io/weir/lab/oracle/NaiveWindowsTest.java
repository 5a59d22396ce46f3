package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.oracle.NaiveWindows.Key;
import io.weir.lab.oracle.NaiveWindows.Window;
import io.weir.reading.Quality;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NaiveWindowsTest {
  @Test
  void windows_ofReadingsAcrossBoundaries_areAlignedToTheEpoch() {
    NaiveWindows naive = new NaiveWindows(10);
    naive.add("a", -1, 1, Quality.GOOD);
    naive.add("a", 0, 2, Quality.GOOD);
    naive.add("a", 9, -4, Quality.UNCERTAIN);
    naive.add("a", 10, 8, Quality.BAD);
    assertThat(naive.windows())
        .containsExactly(
            Map.entry(new Key("a", -10), new Window(1, 0, BigDecimal.ONE, 1, 1)),
            Map.entry(new Key("a", 0), new Window(2, 0, new BigDecimal(-2), -4, 2)),
            Map.entry(new Key("a", 10), new Window(0, 1, BigDecimal.ZERO, 0, 0)));
    assertThat(naive.readings()).isEqualTo(4);
  }

  @Test
  void keys_beyondTheBasicPlane_areOrderedByTheirBytes() {
    assertThat(new Key("\uffee", 0)).isLessThan(new Key("\ud83d\ude00", 0));
  }

  @Test
  void isRoundedSum_theNearestDoubleAlone() {
    BigDecimal third = new BigDecimal("0.3333333333333333333333");
    double nearest = 1.0 / 3;
    assertThat(NaiveWindows.isRoundedSum(third, nearest)).isTrue();
    assertThat(NaiveWindows.isRoundedSum(third, Math.nextUp(nearest))).isFalse();
    assertThat(NaiveWindows.isRoundedSum(third, Math.nextDown(nearest))).isFalse();
    assertThat(NaiveWindows.isRoundedSum(third, Double.NaN)).isFalse();
    assertThat(NaiveWindows.isRoundedSum(BigDecimal.ZERO, 0.0)).isTrue();
    assertThat(NaiveWindows.isRoundedSum(BigDecimal.ZERO, -0.0)).isFalse();
  }

  @Test
  void isRoundedSum_overflow_isInfiniteOnTheSameSide() {
    BigDecimal beyond = new BigDecimal(Double.MAX_VALUE).multiply(BigDecimal.TEN);
    assertThat(NaiveWindows.isRoundedSum(beyond, Double.POSITIVE_INFINITY)).isTrue();
    assertThat(NaiveWindows.isRoundedSum(beyond.negate(), Double.POSITIVE_INFINITY)).isFalse();
    assertThat(NaiveWindows.isRoundedSum(BigDecimal.ONE, Double.POSITIVE_INFINITY)).isFalse();
  }
}
