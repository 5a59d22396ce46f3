package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetTest {
  private static final Fleet FLEET =
      new Fleet(
          7,
          Duration.ofMillis(1000),
          Duration.ofSeconds(3),
          Duration.ofSeconds(5),
          2,
          Duration.ofMillis(20));

  @Test
  void everySensorSendsOnceAPeriod_spreadEvenly() {
    assertThat(FLEET.rounds()).isEqualTo(8);
    assertThat(FLEET.readings()).isEqualTo(56);
    assertThat(FLEET.warmUpReadings()).isEqualTo(21);
    assertThat(FLEET.perSecond()).isEqualTo(7);
    long lastMs = -1;
    for (int round = 0; round < FLEET.rounds(); round++) {
      for (int sensor = 0; sensor < FLEET.sensors(); sensor++) {
        long momentMs = FLEET.momentMs(sensor, round);
        assertThat(momentMs - lastMs).isBetween(1L, 143L);
        lastMs = momentMs;
      }
    }
  }

  @Test
  void nextMoment_isTheFirstThatIsNotBefore() {
    for (int sensor = 0; sensor < FLEET.sensors(); sensor++) {
      for (long fromMs = -1500; fromMs < 4000; fromMs++) {
        long naiveMs = FLEET.momentMs(sensor, 0);
        while (naiveMs < fromMs) {
          naiveMs += 1000;
        }
        assertThat(FLEET.nextMomentMs(sensor, fromMs)).isEqualTo(naiveMs);
      }
    }
  }

  @Test
  void fleetThatCannotBe_isRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new Fleet(1, second, second, second, 2, second))
        .hasMessageContaining("not 1 and 2");
    assertThatThrownBy(() -> new Fleet(9, Duration.ofMinutes(2), second, second, 1, second))
        .hasMessageContaining("not 120000 ms");
  }

  /** A million readings at 8 bytes, 86,400 s: figures that can be calculated by hand. */
  @Test
  void table_addsUp() {
    Fleet fleet =
        new Fleet(
            1_000_000,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            1,
            Duration.ofMillis(20));
    BenchPlan plan =
        BenchPlan.of(BenchScale.QUICK, 2, group -> false, List.of(), false, List.of())
            .with(fleet, List.of(Subject.WEIR, Subject.OFF), false);
    BenchResults results = new BenchResults(plan, List.of());
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    for (Figure figure : Figure.values()) {
      figures.put(figure, 1.0);
    }
    figures.put(Figure.READINGS_PER_SECOND, 100_000.0);
    figures.put(Figure.TOPIC_BYTES_PER_READING, 8.0);
    figures.put(Figure.WINDOWS, 1_000.0);
    figures.put(Figure.WINDOWS_BYTES, 40_000.0);
    figures.put(Figure.CPU_SECONDS_PER_MILLION, 5.0);
    results.add(new Cell(BenchPlan.FLEET, Subject.WEIR), Figures.of(figures));

    figures.put(Figure.WRITTEN_BYTES_PER_READING, 0.5);
    figures.put(Figure.BROKER_CPU_SECONDS_PER_MILLION, 0.25);
    results.add(new Cell(BenchPlan.FLEET, Subject.OFF), Figures.of(figures));

    assertThat(new BenchTable(results).lines())
        .anySatisfy(line -> assertThat(line).contains("8.0 bytes a reading, 69.12 GB a day"))
        .anySatisfy(line -> assertThat(line).contains("40.0 bytes each, 345.60 GB a day"))
        .anySatisfy(line -> assertThat(line).contains("Weir", "0.50 processors"))
        .anySatisfy(
            line ->
                assertThat(line).contains("broker_cpu_weir_on_over_off", " 4.00 ", "1.3 or less"))
        .anySatisfy(
            line -> assertThat(line).contains("bytes_written_weir_on_over_off", " 2.00 ", "1.3"));
  }
}
