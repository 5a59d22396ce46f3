package io.weir.internal.alarm;

/**
 * The settings of status and alarms.
 *
 * @param sendsStatus whether their status is emitted
 * @param silentAfterMs silence after which a sensor is SILENT
 * @param windowSizeMs length of the windows that the rules judge
 * @param group template of a sensor's group, the key of its alarms
 */
public record StatusPlan(
    boolean sendsStatus, long silentAfterMs, Rules rules, long windowSizeMs, GroupTemplate group) {
  /** Disabled, at no cost. */
  public static final StatusPlan OFF =
      new StatusPlan(false, 300_000, Rules.NONE, 10_000, GroupTemplate.DEFAULT);

  /** Whether status or alarms are enabled. */
  public boolean isOn() {
    return sendsStatus || !rules.isEmpty();
  }
}
