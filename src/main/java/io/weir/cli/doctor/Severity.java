package io.weir.cli.doctor;

/** The severity of a finding; most severe first. */
public enum Severity {
  /** Data is lost or not aggregated, or will be soon. */
  BROKEN,
  /** It runs, with a risk. */
  RISK,
  /** It happened since a process started, but not in the last hour: there is no problem now. */
  NOTE
}
