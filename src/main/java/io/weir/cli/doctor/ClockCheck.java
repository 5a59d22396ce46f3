package io.weir.cli.doctor;

import io.weir.cli.Exposition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Clocks of brokers that differ from this machine's, or from each other. */
final class ClockCheck implements Check {
  private static final long TOLERATED_MS = Duration.ofMinutes(1).toMillis();

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
    Map<TopicPartition, OffsetSpec> asked = new java.util.HashMap<>();
    of.after().of(of.readings()).forEach(p -> asked.put(p, OffsetSpec.maxTimestamp()));
    long newestMs =
        io.weir.topic.KafkaFutures.await(of.admin().listOffsets(asked).all()).values().stream()
            .mapToLong(ListOffsetsResultInfo::timestamp)
            .max()
            .orElse(0);
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
    double back = 0;
    for (Exposition page : of.metrics().values()) {
      back += page.sum("weir_append_time_back_total");
    }
    if (back > 0) {
      findings.add(
          risk(
              String.format(
                  java.util.Locale.ROOT, "append times went back %.0f times since the start", back),
              "the clocks of two brokers differ: after a change of leaders silence is measured"
                  + " wrongly for a while",
              "set the clocks of the brokers (NTP)"));
    }
    return findings;
  }
}
