package io.weir.internal.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Against a set of Java, and numbers that were chosen. */
class LongSetTest {
  @Test
  void holdsWhatAJavaSetHolds() {
    Seeds.forEach(
        20,
        random -> {
          LongSet set = new LongSet();
          Set<Long> model = new HashSet<>();
          for (int step = 0; step < 2_000; step++) {
            long number = random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(500) - 50;
            assertThat(set.contains(number)).isEqualTo(model.contains(number));
            assertThat(set.add(number)).isEqualTo(number != 0 && model.add(number));
          }
        });
  }

  /** All have the same low bits, and so had one place. */
  @Test
  void numbersThatAgreeInTheirLowBits_areSpread() {
    LongSet set = new LongSet();
    for (long number = 1; number <= 20_000; number++) {
      set.add(number << 32 | number & 0xfffff);
    }
    assertThat(set.steps()).isLessThan(200_000);
  }
}
