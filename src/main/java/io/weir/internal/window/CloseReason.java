package io.weir.internal.window;

/** Why a window is emitted. */
public enum CloseReason {
  /** Its sensor's watermark passed its end and grace. */
  EVENT_TIME(1),
  /** Its sensor is idle; further readings are added to it. */
  IDLE(2),
  /** A reading arrived after its close, within the allowed lateness. */
  AMENDED(3),
  /** Its gateway attested that it is complete; it is not emitted again. */
  COMPLETE(4);

  private final int number;

  CloseReason(int number) {
    this.number = number;
  }

  /** Whether the emission is final. */
  public boolean isFinal() {
    return this == COMPLETE;
  }

  /** Its number in {@code weir.v1.CloseReason}. */
  public int number() {
    return number;
  }
}
