package io.weir.peers;

import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** Gives a total its sensor and start. */
public final class ToWindow extends ProcessWindowFunction<Total, SensorWindow, String, TimeWindow> {
  private static final long serialVersionUID = 1;

  @Override
  public void process(
      String sensorId, Context context, Iterable<Total> totals, Collector<SensorWindow> out) {
    Total total = totals.iterator().next();
    out.collect(
        new SensorWindow(
            sensorId, context.window().getStart(), total.count, total.sum, total.min, total.max));
  }
}
