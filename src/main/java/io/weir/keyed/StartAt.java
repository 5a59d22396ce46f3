package io.weir.keyed;

/** Where an application begins to read its topic at its first start. */
public enum StartAt {
  /** At the oldest event that the topic still has. */
  BEGINNING,
  /**
   * At the end: it handles the events that are committed after its first start. The offsets of all
   * partitions are committed before the first member joins, so a restart loses no event, whether or
   * not the first process has handled one.
   */
  END
}
