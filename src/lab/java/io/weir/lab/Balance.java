package io.weir.lab;

/**
 * Where the readings are that were offered, each counted on the topics.
 *
 * @param offered acknowledged by the brokers, resends each time
 * @param inWindows count and bad_count of the windows' latest summaries
 * @param late on the late topic
 * @param rejected on the dead-letter topic
 * @param duplicates in batches that came before
 */
public record Balance(long offered, long inWindows, long late, long rejected, long duplicates) {
  /** Readings that are nowhere; negative where more came out than went in. */
  public long missing() {
    return offered - inWindows - late - rejected - duplicates;
  }

  public boolean isWhole() {
    return missing() == 0;
  }

  /** Both together. */
  public Balance plus(Balance other) {
    return new Balance(
        offered + other.offered,
        inWindows + other.inWindows,
        late + other.late,
        rejected + other.rejected,
        duplicates + other.duplicates);
  }

  /** The line that programs may read. */
  @Override
  public String toString() {
    return "balance: offered "
        + offered
        + " = in windows "
        + inWindows
        + " + late "
        + late
        + " + rejected "
        + rejected
        + " + duplicates "
        + duplicates
        + ", missing "
        + missing();
  }
}
