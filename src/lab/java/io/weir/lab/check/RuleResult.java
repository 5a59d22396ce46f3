package io.weir.lab.check;

import java.util.Optional;

/**
 * What became of a rule.
 *
 * @param records how many it was applied to; 0 where nothing exercised it
 * @param offenders how many of them broke it
 * @param first the first of these; empty where there is none
 */
public record RuleResult(Rule rule, long records, long offenders, Optional<Offence> first) {
  static RuleResult none(Rule rule) {
    return new RuleResult(rule, 0, 0, Optional.empty());
  }

  RuleResult kept(long more) {
    return new RuleResult(rule, records + more, offenders, first);
  }

  RuleResult broken(Offence offence) {
    return new RuleResult(rule, records + 1, offenders + 1, first.or(() -> Optional.of(offence)));
  }

  /** Whether a record exercised the rule. */
  public boolean isSeen() {
    return records > 0;
  }

  /** Whether no record broke it. */
  public boolean isOk() {
    return offenders == 0;
  }
}
