package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.common.KafkaException;

/** All checks, one after the other. */
public final class Doctor {
  private final List<Check> checks;

  Doctor(List<Check> checks) {
    this.checks = List.copyOf(checks);
  }

  /**
   * With every check there is.
   *
   * @param wallMs the wall clock
   */
  static Doctor withAll(LongSupplier wallMs) {
    return new Doctor(
        List.of(
            new TopicsCheck(),
            new StateCheck(),
            new RetentionCheck(),
            new GroupCheck(),
            new TransactionsCheck(),
            new AbortedWindowsCheck(wallMs),
            new DeadLettersCheck(wallMs),
            new GatewayIdsCheck(),
            new ReplicasCheck(),
            new LagCheck(),
            new HotCheck(),
            new ProcessCheck(),
            new PostgresCheck(),
            new GapsCheck(),
            new LimitsCheck(),
            new ClockCheck(wallMs),
            new ChangelogCheck(),
            new RightsCheck(),
            new QuotasCheck(),
            new VersionsCheck()));
  }

  /** The names of all checks, as findings begin with them. */
  static List<String> names() {
    return withAll(System::currentTimeMillis).checks.stream().map(Check::name).toList();
  }

  /**
   * What was found.
   *
   * @param findings the worst first
   * @param notLooked checks that could not be made, each with why
   */
  public record Diagnosis(List<Finding> findings, List<String> notLooked) {
    /** Whether nothing is wrong now; notes on the past do not count. */
    public boolean isWell() {
      return notes() == findings.size();
    }

    /** How many findings are of the past. */
    int notes() {
      return (int) findings.stream().filter(each -> each.severity() == Severity.NOTE).count();
    }
  }

  Diagnosis examine(Examination of) {
    List<Finding> findings = new ArrayList<>();
    List<String> notLooked = new ArrayList<>();
    for (Check check : checks) {
      try {
        findings.addAll(check.look(of));
      } catch (KafkaException e) {
        notLooked.add(check.name() + ": " + e.getMessage());
      }
    }
    findings.sort(Comparator.comparing(Finding::severity));
    return new Diagnosis(List.copyOf(findings), List.copyOf(notLooked));
  }
}
