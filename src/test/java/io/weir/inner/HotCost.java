package io.weir.inner;

import io.weir.internal.hot.CountedByMinute;
import io.weir.internal.hot.HotList;
import io.weir.internal.window.PartitionWindows;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.wire.BatchDecoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.lab.bench.LoadForm;
import io.weir.lab.bench.LoadSample;
import io.weir.lab.bench.LoadShape;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.reading.ReadingJudge;
import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What counting hot sensors costs, beside all that a task does with a batch of the dense load but
 * for Kafka. Both are measured in one process, in turns, and of each the best of many short rounds
 * counts: what else the machine does shows in neither.
 */
final class HotCost {
  private static final int BATCHES = 120;
  private static final int READINGS = BATCHES * LoadSample.READINGS;
  private static final int ROUNDS = 600;

  /** Counting takes so much less that it is measured several times over. */
  private static final int TIMES = 10;

  private static final int BATCHES_A_MINUTE = 1_000;
  private static final long START_MS = 1_600_000_000_000L;

  private final BatchDecoder decoder = new BatchDecoder(Limits.DEFAULT);
  private final ReadingJudge judge = new ReadingJudge(0, SensorPartition.COUNT, 256, 300_000);
  private final PartitionWindows windows =
      new PartitionWindows(
          WindowSpec.of(10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 86_400_000),
          WindowLimits.DEFAULT);
  private final List<byte[]> batches;
  private final long cycleMs;
  private long movedMs;

  private final List<Run[]> runs = new ArrayList<>();
  private final HotList<CountedByMinute> sensors = new HotList<>();
  private final HotList<CountedByMinute> gateways = new HotList<>();
  private final Map<String, CountedByMinute> gatewaysById = new HashMap<>();
  private long counted;

  /** Keeps what was done from being left out by the compiler. */
  private long result;

  /** Readings of a sensor that follow one another in a batch. */
  private record Run(CountedByMinute sensor, int readings) {}

  private HotCost(LoadForm form) throws UndecodableException {
    batches = LoadSample.batches(LoadShape.DENSE, form, BATCHES, START_MS);
    gatewaysById.put("line-7", weighed("line-7"));
    Map<String, CountedByMinute> byId = new HashMap<>();
    Map<String, Run> known = new HashMap<>();
    long lastMs = START_MS;
    for (byte[] batch : batches) {
      ReadingColumns columns = decoder.decode(batch);
      Run[] ofBatch = new Run[columns.runs()];
      for (int i = 0; i < ofBatch.length; i++) {
        String id =
            new String(
                columns.bytes(), columns.idOffset(i), columns.idLength(i), StandardCharsets.UTF_8);
        int readings = columns.runEnd(i) - columns.runStart(i);
        CountedByMinute sensor = byId.computeIfAbsent(id, HotCost::weighed);
        ofBatch[i] = known.computeIfAbsent(id + " " + readings, any -> new Run(sensor, readings));
      }
      runs.add(ofBatch);
      lastMs = Math.max(lastMs, columns.timestampMs(columns.readings() - 1));
    }
    cycleMs = lastMs - START_MS + LoadShape.DENSE.intervalMs();
  }

  private static CountedByMinute weighed(String name) {
    return new CountedByMinute() {
      @Override
      public String name() {
        return name;
      }
    };
  }

  /** Prints a line for rows and one for columns. */
  static void print() throws UndecodableException {
    System.out.println("the dense load, best of " + ROUNDS + " rounds in turns, ns a reading:");
    for (LoadForm form : List.of(LoadForm.ROW, LoadForm.COLUMNAR)) {
      System.out.println(new HotCost(form).measure(form));
    }
  }

  private String measure(LoadForm form) throws UndecodableException {
    double task = Double.MAX_VALUE;
    double counting = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      task = Math.min(task, (double) processAll() / READINGS);
      counting = Math.min(counting, (double) countAll() / TIMES / READINGS);
    }
    if (result == 0) {
      throw new IllegalStateException("nothing was done");
    }
    return String.format(
        Locale.ROOT,
        "%-8s  decode, judge, aggregate %6.2f   of these count %5.3f   %.2f %%",
        form.name().toLowerCase(Locale.ROOT),
        task,
        counting,
        100 * counting / task);
  }

  /** Each batch once; that its times are moved on is not measured. */
  private long processAll() throws UndecodableException {
    long nanos = 0;
    for (byte[] bytes : batches) {
      long began = System.nanoTime();
      ReadingColumns batch = decoder.decode(bytes);
      nanos += System.nanoTime() - began;
      for (int i = 0; i < batch.readings(); i++) {
        batch.timestampsMs()[i] += movedMs;
      }
      long appendMs = batch.timestampMs(batch.readings() - 1);
      began = System.nanoTime();
      windows.recognise(batch);
      result += judge.judge(batch, appendMs);
      int late = windows.apply(batch, appendMs, (sensor, window, reason) -> result++);
      nanos += System.nanoTime() - began;
      if (late > 0) {
        throw new IllegalStateException(late + " readings were late");
      }
    }
    movedMs += cycleMs;
    return nanos;
  }

  /** What is counted of the same batches, with the look at each minute. */
  private long countAll() {
    long began = System.nanoTime();
    for (int time = 0; time < TIMES; time++) {
      for (Run[] batch : runs) {
        long logMs = counted++ * (60_000 / BATCHES_A_MINUTE);
        gateways.observe(logMs);
        if (sensors.observe(logMs)) {
          sensors.look(Integer.MAX_VALUE);
          gateways.look(Integer.MAX_VALUE);
          result += sensors.take().size() + gateways.take().size();
        }
        gateways.add(gatewaysById.get("line-7"), LoadSample.READINGS);
        for (Run run : batch) {
          sensors.add(run.sensor(), run.readings());
        }
      }
    }
    return System.nanoTime() - began;
  }
}
