package io.weir.alarm;

/**
 * An alarm that became active or cleared.
 *
 * @param alarm as it is now
 * @param limit that was reached or left; of silence milliseconds; NaN where there is none: of a
 *     rule that is gone, and of a deviation that no window ended
 * @param windowStartMs the window that caused it; {@link Alarm#NONE} where it was none
 * @param cause why
 */
public record AlarmTransition(Alarm alarm, double limit, long windowStartMs, Cause cause) {
  /** Why an alarm became active or cleared. */
  public enum Cause {
    /** A window, or silence, met the condition for long enough. */
    EXCEEDED("exceeded"),
    /** A window lies wholly inside limit and deadband. */
    INSIDE("inside"),
    /** The sensor sends again. */
    SENDS_AGAIN("speaks"),
    /** There is no such rule any more. */
    RULE_REMOVED("rule-removed"),
    /** The rule was changed so that it no longer fits. */
    RULE_CHANGED("rule-changed"),
    /** Nothing is known of the sensor any more. */
    FORGOTTEN("forgotten");

    private final String text;

    Cause(String text) {
      this.text = text;
    }

    /** As in events. */
    public String text() {
      return text;
    }
  }
}
