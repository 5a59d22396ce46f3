package io.weir.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchEncoder;
import io.weir.reading.Quality;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of weir.readings against batches as a gateway encodes and compresses them. */
class PlanReadingsTest {
  private static final String GATEWAY = "gateway-7";
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final int BATCHES = 200;

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 7, 16})
  void readings_takeWhatTheirBatchesTake(int readings) {
    MeasuredLog log = new MeasuredLog();
    BatchEncoder encoder = new BatchEncoder();
    for (int batch = 0; batch < BATCHES; batch++) {
      byte[] bytes = encoder.encode(GATEWAY, NOW_MS, batch, columns(batch, readings));
      log.add(GATEWAY.getBytes(StandardCharsets.UTF_8), bytes);
    }
    double measured = (double) log.published() / BATCHES / readings;
    PlanFigures figures = PlanFigures.DEFAULT;
    double planned =
        figures.value(Figure.READING_BYTES)
            + figures.value(Figure.READING_BATCH_BYTES)
                * (1.0 / readings - 1 / figures.value(Figure.READINGS_IN_BATCH));

    assertThat(measured).isCloseTo(planned, withinPercentage(25));
  }

  /** Of as many sensors, somewhere in their second, with two decimals. */
  private static BatchColumns columns(int batch, int readings) {
    BatchColumns columns = new BatchColumns();
    for (int i = 0; i < readings; i++) {
      int number = (batch * readings + i) * 7919 % 20_000;
      String id = String.format(Locale.ROOT, "temperature-%05d", number);
      double value = Math.round(2_000 + 500 * Math.sin(number)) / 100.0;
      long atMs = NOW_MS + batch * 20L + number % 20;
      columns.add(id, id.hashCode(), atMs, value, Quality.GOOD);
    }
    return columns;
  }
}
