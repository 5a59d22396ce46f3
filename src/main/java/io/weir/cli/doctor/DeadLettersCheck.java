package io.weir.cli.doctor;

import io.weir.internal.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Dead letters of the last hour: wrong clocks, two processes with one gateway id, undecodable
 * records, and others.
 */
final class DeadLettersCheck implements Check {
  private static final List<String> CLOCKS = List.of("FUTURE_TIMESTAMP", "FUTURE_BOOT");
  private static final List<String> NAMES = List.of("FENCED", "STALE_SEQUENCE");

  private final LongSupplier wallMs;

  DeadLettersCheck(LongSupplier wallMs) {
    this.wallMs = wallMs;
  }

  @Override
  public String name() {
    return "dead-letters";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    return findings(
        DeadLetters.read(cluster, wallMs.getAsLong()), cluster.config().topics().readings());
  }

  /**
   * @param readings the topic of readings: records of others are events
   */
  List<Finding> findings(DeadLetters letters, String readings) {
    List<Finding> findings = new ArrayList<>();
    for (DeadLetters.Kind kind : letters.kinds()) {
      String reason = kind.reason();
      String topic = kind.topic().isEmpty() ? "an unknown topic" : kind.topic();
      boolean areReadings = kind.topic().equals(readings);
      String what =
          letters.count(kind)
              + " dead letters "
              + reason
              + " of "
              + topic
              + " in the last hour, by gateway: "
              + letters.gateways(kind);
      if (CLOCKS.contains(reason)) {
        findings.add(
            broken(
                what,
                "the gateway's clock is ahead of the brokers' by more than weir.max.future.skew",
                "set its clock (NTP); then weir redrive dead-letters --reason "
                    + Printable.shellWord(reason)));
      } else if (NAMES.contains(reason)) {
        findings.add(
            broken(
                what,
                "two processes publish under one gateway id, or a gateway restarted with a"
                    + " lower boot id: all batches of one of them are refused",
                "set a different weir.gateway.id for each process; after a clock was set back, run"
                    + " weir gateway reset"));
      } else if (reason.equals("UNDECODABLE") || reason.equals("UNKNOWN_SCHEMA")) {
        findings.add(
            broken(
                what,
                "a producer writes records to " + topic + " that are not batches",
                "weir tail dead-letters shows key and value; revoke WRITE from users that"
                    + (areReadings ? " are not gateways" : " do not publish events")));
      } else {
        findings.add(
            risk(
                what,
                areReadings
                    ? "no window contains these readings"
                    : "no handler, fold or alarm has seen these events",
                "docs/reference/dead-letters.md explains the reason; after a repair run weir redrive dead-letters"
                    + " --reason "
                    + Printable.shellWord(reason)));
      }
    }
    return findings;
  }
}
