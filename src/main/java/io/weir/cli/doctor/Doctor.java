package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Runs all checks, one after the other. */
public final class Doctor {
  private final List<Check> checks;

  Doctor(List<Check> checks) {
    this.checks = List.copyOf(checks);
  }

  /**
   * With all checks.
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
            new ImportCheck(),
            new InputsCheck(),
            new GapsCheck(),
            new LimitsCheck(),
            new ClockCheck(wallMs),
            new ChangelogCheck(),
            new RightsCheck(),
            new QuotasCheck(),
            new VersionsCheck()));
  }

  /** The names of all checks. */
  static List<String> names() {
    return withAll(System::currentTimeMillis).checks.stream().map(Check::name).toList();
  }

  /**
   * The result of all checks.
   *
   * @param findings most severe first
   * @param notLooked checks that failed to run, each with the reason
   */
  public record Diagnosis(List<Finding> findings, List<String> notLooked) {
    /** Whether there are no findings except notes. */
    public boolean isWell() {
      return notes() == findings.size();
    }

    /** The number of notes. */
    int notes() {
      return (int) findings.stream().filter(each -> each.severity() == Severity.NOTE).count();
    }
  }

  Diagnosis examine(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    List<String> notLooked = new ArrayList<>();
    for (Check check : checks) {
      try {
        findings.addAll(check.look(cluster));
      } catch (InterruptException e) {
        throw e;
      } catch (KafkaException e) {
        notLooked.add(check.name() + ": " + e.getMessage());
      }
    }
    findings.sort(Comparator.comparing(Finding::severity));
    return new Diagnosis(List.copyOf(findings), List.copyOf(notLooked));
  }
}
