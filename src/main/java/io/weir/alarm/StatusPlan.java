package io.weir.alarm;

/**
 * What is sent about sensors: status, alarms.
 *
 * @param sendsStatus whether their status is emitted
 * @param silentAfterMs silence after which a sensor is SILENT
 * @param windowSizeMs length of the windows that the rules judge
 * @param group the group of a sensor, by which its alarms are keyed
 */
public record StatusPlan(
    boolean sendsStatus, long silentAfterMs, Rules rules, long windowSizeMs, GroupTemplate group) {
  /** Nothing, at no cost. */
  public static final StatusPlan OFF =
      new StatusPlan(false, 300_000, Rules.NONE, 10_000, GroupTemplate.DEFAULT);

  /** Whether anything is kept of sensors. */
  public boolean isOn() {
    return sendsStatus || !rules.isEmpty();
  }
}
