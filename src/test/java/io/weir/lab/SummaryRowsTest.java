package io.weir.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.text.SummaryRow;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SummaryRowsTest {
  @Test
  void laterSummary_ofTheSameWindow_takesThePlaceOfTheEarlier() {
    SummaryRows summaries = new SummaryRows();
    summaries.add(summary("a", 0, 10, 3).setBadCount(1).setRevision(4).build());
    assertThat(summaries.readings()).isEqualTo(4);
    summaries.add(summary("a", 0, 20, 5).build());
    summaries.add(summary("a", 0, 10, 2).setSum(1.5).setMin(-1).setMax(9).build());
    assertThat(summaries.readings()).isEqualTo(7);
    assertThat(summaries.windows()).isEqualTo(2);
    assertThat(summaries.sorted())
        .containsExactly(
            new SummaryRow("a", 0, 10, 2, 0, 1.5, -1, 9, 0),
            new SummaryRow("a", 0, 20, 5, 0, 0, 0, 0, 0));
  }

  @Test
  void windowOfBadReadingsAlone_isARow() {
    SummaryRows summaries = new SummaryRows();
    summaries.add(summary("a", 0, 10, 0).setBadCount(2).build());
    assertThat(summaries.sorted()).containsExactly(new SummaryRow("a", 0, 10, 0, 2, 0, 0, 0, 0));
    assertThat(summaries.readings()).isEqualTo(2);
  }

  @Test
  void sensors_areSortedByTheBytesOfTheirIds() {
    SummaryRows summaries = new SummaryRows();
    List<String> ids = List.of("\ud83d\ude00", "\uffee", "b", "a\u0000", "a", "\u00e9");
    ids.forEach(id -> summaries.add(summary(id, 0, 10, 1).build()));
    assertThat(summaries.sorted())
        .extracting(SummaryRow::sensorId)
        .containsExactly("a", "a\u0000", "b", "\u00e9", "\uffee", "\ud83d\ude00");
  }

  @Test
  void counts_beyond63Bits_areRefused() {
    SummaryRows summaries = new SummaryRows();
    assertThatThrownBy(() -> summaries.add(summary("a", 0, 10, -1).build()))
        .isInstanceOf(ArithmeticException.class);
    summaries.add(summary("a", 0, 10, Long.MAX_VALUE).build());
    assertThatThrownBy(() -> summaries.add(summary("b", 0, 10, 1).build()))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void oneSensorWith600000Windows_inAnyOrder_isHeldAndSorted() {
    SummaryRows summaries = new SummaryRows();
    int windows = 600_000;
    for (long i = 0; i < windows; i++) {
      long start = i * 7919 % windows * 10;
      summaries.add(summary("a", start, start + 10, 1).build());
    }
    long expectedStart = 0;
    for (SummaryRow row : summaries.sorted()) {
      if (row.startMs() != expectedStart) {
        assertThat(row.startMs()).isEqualTo(expectedStart);
      }
      expectedStart += 10;
    }
    assertThat(expectedStart).isEqualTo(10L * windows);
    assertThat(summaries.readings()).isEqualTo(windows);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void randomSummaries_areFoldedAsByAMap(long seed) {
    Random random = new Random(seed);
    SummaryRows summaries = new SummaryRows();
    Map<List<Object>, SummaryRow> naive = new HashMap<>();
    int sensors = 1 + random.nextInt(40);
    for (int i = 0; i < 20_000; i++) {
      WindowSummary s = randomSummary(random, sensors);
      summaries.add(s);
      naive.put(
          List.of(s.getSensorId(), s.getWindowStartMs(), s.getWindowEndMs()),
          new SummaryRow(
              s.getSensorId(),
              s.getWindowStartMs(),
              s.getWindowEndMs(),
              s.getCount(),
              s.getBadCount(),
              s.getSum(),
              s.getMin(),
              s.getMax(),
              s.getRevision()));
      if (i % 1000 == 0) {
        assertThat(summaries.readings()).as("seed %d", seed).isEqualTo(readings(naive));
      }
    }
    List<SummaryRow> expected = new ArrayList<>(naive.values());
    // Latin-1 keeps each byte apart and orders by it.
    Comparator<SummaryRow> byBytes =
        Comparator.comparing(
            t ->
                new String(
                    t.sensorId().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    expected.sort(
        byBytes.thenComparingLong(SummaryRow::startMs).thenComparingLong(SummaryRow::endMs));
    assertThat(summaries.sorted()).as("seed %d", seed).containsExactlyElementsOf(expected);
  }

  private static WindowSummary randomSummary(Random random, int sensors) {
    String id = Character.toString("aZ\u00e9\uffee".charAt(random.nextInt(4)));
    long start = (random.nextInt(400) - 100) * 1000L;
    return summary(id + random.nextInt(sensors), start, start + 1000, random.nextInt(9))
        .setBadCount(random.nextInt(3))
        .setSum(random.nextGaussian())
        .setMin(random.nextGaussian())
        .setMax(random.nextGaussian())
        .setRevision(random.nextInt())
        .build();
  }

  private static long readings(Map<List<Object>, SummaryRow> summaries) {
    return summaries.values().stream().mapToLong(t -> t.count() + t.badCount()).sum();
  }

  private static WindowSummary.Builder summary(String id, long start, long end, long count) {
    return WindowSummary.newBuilder()
        .setSensorId(id)
        .setWindowStartMs(start)
        .setWindowEndMs(end)
        .setCount(count);
  }
}
