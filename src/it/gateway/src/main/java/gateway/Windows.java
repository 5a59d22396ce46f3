package gateway;

import io.weir.truth.TruthReader;
import io.weir.v1.WindowSummary;
import java.util.Map;

/** Reads the truths of all windows. */
final class Windows {
  private Windows() {}

  static void print() {
    Map<String, Object> kafka = Map.of("bootstrap.servers", "localhost:9092");
    try (TruthReader truths = TruthReader.open(kafka, "weir.windows")) {
      while (truths.hasNext()) {
        WindowSummary window = truths.next();
        System.out.printf(
            "%s %d count %d sum %s%n",
            window.getSensorId(), window.getWindowStartMs(), window.getCount(), window.getSum());
      }
    }
  }
}
