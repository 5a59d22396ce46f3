package gateway;

import io.weir.summary.LatestSummaryReader;
import io.weir.v1.WindowSummary;
import java.util.Map;

/** Reads the latest summaries of all windows. */
final class Windows {
  private Windows() {}

  static void print() {
    Map<String, Object> kafka = Map.of("bootstrap.servers", "localhost:9092");
    try (LatestSummaryReader summaries = LatestSummaryReader.open(kafka, "weir.windows")) {
      while (summaries.hasNext()) {
        WindowSummary window = summaries.next();
        System.out.printf(
            "%s %d count %d sum %s%n",
            window.getSensorId(), window.getWindowStartMs(), window.getCount(), window.getSum());
      }
    }
  }
}
