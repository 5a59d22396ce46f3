package io.weir.cli.plan;

import java.util.Optional;

/**
 * What is asked for beside windows and rollups.
 *
 * @param publishing how full batches of readings are
 * @param status whether weir.status is written
 */
public record PlannedJobs(
    Publishing publishing,
    Optional<Hopping> hopping,
    boolean status,
    Optional<EventLoad> events,
    Optional<Tables> tables) {
  /** None, with publishers as they are by default. */
  public static final PlannedJobs NONE =
      new PlannedJobs(
          Publishing.DEFAULT, Optional.empty(), false, Optional.empty(), Optional.empty());

  /**
   * Hopping windows.
   *
   * @param lengthMs weir.hopping
   * @param sensors that have them
   */
  public record Hopping(double lengthMs, double sensors) {}

  /**
   * What {@code weir events} has to do; times in milliseconds.
   *
   * @param rate events a second on weir.events
   * @param scheduledRate events a second on weir.scheduled; as many come due
   * @param eventBytes of an event's message
   * @param timers scheduled events that wait
   * @param folds empty where weir.fold is off
   * @param groups empty where weir.groups is off
   * @param pods of {@code weir events}
   */
  public record EventLoad(
      double rate,
      double scheduledRate,
      double eventBytes,
      double timers,
      Optional<FoldLoad> folds,
      Optional<GroupLoad> groups,
      int pods) {}

  /**
   * Folds.
   *
   * @param keys that have events
   * @param fields of a fold
   */
  public record FoldLoad(double keys, double fields, double quietMs, double holdMs) {}

  /**
   * Groups of sensors.
   *
   * @param groups among which all sensors are
   * @param sizeMs of their windows
   * @param keepMs how long a window is kept after its last change
   */
  public record GroupLoad(double groups, double sizeMs, double keepMs) {}

  /**
   * Tables in PostgreSQL.
   *
   * @param retentionMs weir.sink.retention; infinite for ever
   */
  public record Tables(double retentionMs) {}
}
