package io.weir.cli.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;

/** Clocks of brokers that differ from this machine's, or from each other. */
final class ClockCheck implements Check {
  private static final long TOLERATED_MS = Duration.ofMinutes(1).toMillis();

  /** Clocks that NTP holds differ by milliseconds, and each change of a leader may show it. */
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
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>();
    List<Long> newest = new ArrayList<>();
    Offsets.list(
        of.admin(),
        Set.copyOf(of.after().of(of.readings())),
        OffsetSpec.maxTimestamp(),
        IsolationLevel.READ_UNCOMMITTED,
        (partition, found) -> newest.add(found.timestamp()));
    long newestMs = newest.stream().max(Long::compare).orElse(0L);
    long aheadMs = newestMs - wallMs.getAsLong();
    if (aheadMs > TOLERATED_MS) {
      findings.add(
          risk(
              "the newest append time of "
                  + of.readings()
                  + " is "
                  + aheadMs / 1000
                  + " s ahead of this machine's clock",
              "append times decide what is from the future: wrong event times pass",
              "set the clocks of the brokers, or of this machine (NTP)"));
    }
    Counted back = Counted.of(of.pages(), "weir_append_time_back_total");
    if (back.total() > USUAL_TIMES_BACK) {
      findings.add(
          counted(
              back,
              String.format(
                  Locale.ROOT, "append times went back %.0f times %s", back.total(), back.when()),
              "the clocks of two brokers differ: after a change of leaders silence is measured"
                  + " wrongly for a while",
              "set the clocks of the brokers (NTP)"));
    }
    return findings;
  }
}
