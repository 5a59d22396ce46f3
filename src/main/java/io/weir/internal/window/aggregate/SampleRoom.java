package io.weir.internal.window.aggregate;

/**
 * The number of samples that the windows of a partition keep, and a maximum. Beyond half of it, an
 * owner with an eighth keeps no more. A function of the windows in the state. Not thread-safe.
 */
public final class SampleRoom {
  /** An owner takes no more beyond this part of the maximum, if half of it is taken. */
  private static final int SHARES = 8;

  private final long most;
  private long taken;

  /** The samples of one owner. */
  public final class Share {
    private long taken;

    /** Takes the room of one more, if there is some. */
    boolean take() {
      boolean isFull = SampleRoom.this.taken >= most;
      boolean isHalfFull = SampleRoom.this.taken >= most / 2;
      if (isFull || (isHalfFull && taken >= most / SHARES)) {
        return false;
      }
      add(1);
      return true;
    }

    void add(int samples) {
      taken += samples;
      SampleRoom.this.taken += samples;
    }
  }

  /**
   * @param most maximum number of samples
   */
  public SampleRoom(long most) {
    this.most = most;
  }

  /** Forgets all samples, and all shares. */
  public void clear() {
    taken = 0;
  }
}
