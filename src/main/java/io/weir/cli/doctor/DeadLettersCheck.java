package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** What was refused in the last hour: clocks, two processes with one name, poison, all else. */
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
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>();
    DeadLetters letters = DeadLetters.read(of, wallMs.getAsLong());
    for (String reason : letters.byReason().keySet()) {
      String what =
          letters.count(reason)
              + " dead letters "
              + reason
              + " in the last hour, by gateway: "
              + letters.gateways(reason);
      if (CLOCKS.contains(reason)) {
        findings.add(
            broken(
                what,
                "the gateway's clock is ahead of the brokers' by more than weir.max.future.skew",
                "set its clock (NTP); then weir redrive dead-letters --reason " + reason));
      } else if (NAMES.contains(reason)) {
        findings.add(
            broken(
                what,
                "two processes publish under one gateway id, or a gateway started again with a"
                    + " lower boot: one of them is refused forever",
                "give each a weir.gateway.id of its own; for one whose clock was set back,"
                    + " weir gateway reset"));
      } else if (reason.equals("UNDECODABLE") || reason.equals("UNKNOWN_SCHEMA")) {
        findings.add(
            broken(
                what,
                "somebody writes to " + of.readings() + " what is no batch",
                "weir tail dead-letters shows key and value; take away the right to WRITE from who"
                    + " is no gateway"));
      } else {
        findings.add(
            risk(
                what,
                "these readings are in no window",
                "docs/reference/dead-letters.md has the reason; after a repair weir redrive dead-letters"
                    + " --reason "
                    + reason));
      }
    }
    return findings;
  }
}
