package io.weir.internal.input;

/**
 * How repeats and collisions are recognised.
 *
 * @param dedup whether repeats are recognised
 * @param maxBytes memory of the identities
 * @param diskBytes bytes of newer segments until an acknowledged segment of the journal is deleted
 * @param collisions of two series with one sensor id
 * @param maxSensors that may be new in a partition
 */
public record IdentitySettings(
    boolean dedup, long maxBytes, long diskBytes, Collisions collisions, int maxSensors) {
  /** What happens to a series whose sensor id belongs to another. */
  public enum Collisions {
    COUNT,
    REFUSE
  }
}
