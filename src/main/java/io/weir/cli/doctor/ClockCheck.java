package io.weir.cli.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;

/** Finds brokers whose clocks differ from this machine's or from each other. */
final class ClockCheck implements Check {
  private static final long TOLERATED_MS = Duration.ofMinutes(1).toMillis();

  /** Clocks under NTP differ by milliseconds; a change of leaders may show that. */
  private static final double USUAL_TIMES_BACK = 100;

  private final LongSupplier wallMs;

  ClockCheck(LongSupplier wallMs) {
    this.wallMs = wallMs;
  }

  @Override
  public String name() {
    return "clocks";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    List<Long> newest = new ArrayList<>();
    Offsets.list(
        cluster.admin(),
        Set.copyOf(cluster.after().of(cluster.readings())),
        OffsetSpec.maxTimestamp(),
        IsolationLevel.READ_UNCOMMITTED,
        (partition, found) -> newest.add(found.timestamp()));
    long newestMs = newest.stream().max(Long::compare).orElse(0L);
    long aheadMs = newestMs - wallMs.getAsLong();
    if (aheadMs > TOLERATED_MS) {
      findings.add(
          risk(
              "the newest append time of "
                  + cluster.readings()
                  + " is "
                  + aheadMs / 1000
                  + " s ahead of this machine's clock",
              "Weir compares event times with append times: wrong event times are accepted",
              "set the clocks of the brokers, or of this machine (NTP)"));
    }
    CounterDelta back = CounterDelta.of(cluster.pages(), "weir_append_time_back_total");
    if (back.total() > USUAL_TIMES_BACK) {
      findings.add(
          counted(
              back,
              String.format(
                  Locale.ROOT, "append times went back %.0f times, %s", back.total(), back.when()),
              "the clocks of two brokers differ: after a change of leaders idle times are"
                  + " wrong for a while",
              "set the clocks of the brokers (NTP)"));
    }
    return findings;
  }
}
