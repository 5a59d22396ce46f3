package io.weir.dev.oracle;

/**
 * The status records and alarms of sensors.
 *
 * @param records of status
 * @param alarms turns of alarms
 */
public record StatusTurns(long records, long alarms) {
  /** Nothing. */
  public static final StatusTurns NONE = new StatusTurns(0, 0);

  /** Both together. */
  public StatusTurns plus(StatusTurns other) {
    return new StatusTurns(records + other.records, alarms + other.alarms);
  }
}
