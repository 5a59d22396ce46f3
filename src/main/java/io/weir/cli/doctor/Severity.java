package io.weir.cli.doctor;

/** How bad a finding is; the worst first. */
public enum Severity {
  /** Data is lost, or nothing is aggregated, or will be soon. */
  BROKEN,
  /** It runs, with a risk. */
  RISK,
  /** It happened since a process started, but not lately: nothing is wrong now. */
  NOTE
}
