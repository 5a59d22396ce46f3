package io.weir.window;

/** Why a window is emitted. */
public enum CloseReason {
  /** Its sensor's watermark passed its end and grace. */
  EVENT_TIME(1),
  /** Its sensor fell silent; it goes on if more comes. */
  IDLE(2),
  /** A reading came after its close, within the allowed lateness. */
  AMENDED(3),
  /** Its gateway said that all of its readings were handed over; it is not emitted again. */
  COMPLETE(4);

  private final int number;

  CloseReason(int number) {
    this.number = number;
  }

  /** Whether a window that is emitted for it is never emitted again. */
  public boolean isFinal() {
    return this == COMPLETE;
  }

  /** Its number in {@code weir.v1.CloseReason}. */
  public int number() {
    return number;
  }
}
