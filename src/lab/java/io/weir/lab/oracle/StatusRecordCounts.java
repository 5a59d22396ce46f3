package io.weir.lab.oracle;

/**
 * The status records and alarms of sensors.
 *
 * @param records of status
 * @param alarms transitions of alarms
 */
public record StatusRecordCounts(long records, long alarms) {
  /** Nothing. */
  public static final StatusRecordCounts NONE = new StatusRecordCounts(0, 0);

  /** Both together. */
  public StatusRecordCounts plus(StatusRecordCounts other) {
    return new StatusRecordCounts(records + other.records, alarms + other.alarms);
  }
}
