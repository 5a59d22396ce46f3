package io.weir.internal.alarm;

/**
 * An alarm that became active or cleared.
 *
 * @param alarm its state after the transition
 * @param limit the limit that was reached or left; for silence in milliseconds; NaN for a removed
 *     rule, and for a deviation that was not ended by a window
 * @param windowStartMs start of the window that caused it; {@link Alarm#NONE} without a window
 * @param cause the cause
 */
public record AlarmTransition(Alarm alarm, double limit, long windowStartMs, Cause cause) {
  /** The cause of a transition. */
  public enum Cause {
    /** Windows, or silence, met the condition for the on-delay. */
    EXCEEDED("exceeded"),
    /** A window is completely inside limit and deadband. */
    INSIDE("inside"),
    /** The sensor sends again. */
    SENDS_AGAIN("speaks"),
    /** The rule was removed. */
    RULE_REMOVED("rule-removed"),
    /** The rule was changed, and the alarm no longer meets it. */
    RULE_CHANGED("rule-changed"),
    /** The sensor was removed from the state. */
    FORGOTTEN("forgotten");

    private final String text;

    Cause(String text) {
      this.text = text;
    }

    /** The text form in events. */
    public String text() {
      return text;
    }
  }
}
