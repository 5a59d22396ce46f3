package io.weir.cli.plan;

import java.util.Optional;

/**
 * Planned workloads other than windows and rollups.
 *
 * @param publishing the gateways, which determine the size of batches
 * @param status whether weir.status is enabled
 */
public record PlannedJobs(
    Publishing publishing,
    Optional<Hopping> hopping,
    boolean status,
    Optional<EventLoad> events,
    Optional<Tables> tables,
    Optional<ImportLoad> imports,
    Optional<InputLoad> inputs) {
  /** No other workloads, with default publishers. */
  public static final PlannedJobs NONE =
      new PlannedJobs(
          Publishing.DEFAULT,
          Optional.empty(),
          false,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /** Without inputs. */
  public PlannedJobs(
      Publishing publishing,
      Optional<Hopping> hopping,
      boolean status,
      Optional<EventLoad> events,
      Optional<Tables> tables,
      Optional<ImportLoad> imports) {
    this(publishing, hopping, status, events, tables, imports, Optional.empty());
  }

  /**
   * Hopping windows.
   *
   * @param lengthMs weir.hopping
   * @param sensors number of sensors with hopping windows
   */
  public record Hopping(double lengthMs, double sensors) {}

  /**
   * The load of {@code weir events}; times are in milliseconds.
   *
   * @param rate events per second on weir.events
   * @param scheduledRate events per second on weir.scheduled; as many become due
   * @param eventBytes bytes of an event's message
   * @param timers pending scheduled events
   * @param folds empty if weir.fold is off
   * @param groups empty if weir.groups is off
   * @param pods pods of {@code weir events}
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
   * @param keys number of keys with events
   * @param fields number of fields of a fold
   */
  public record FoldLoad(double keys, double fields, double quietMs, double holdMs) {}

  /**
   * Groups of sensors.
   *
   * @param groups number of groups of all sensors
   * @param sizeMs size of their windows
   * @param keepMs retention of a window after its last change
   */
  public record GroupLoad(double groups, double sizeMs, double keepMs) {}

  /**
   * The load of {@code weir import}.
   *
   * @param rate records per second on the topics of other programs
   * @param partitions number of their partitions
   * @param pods pods of {@code weir import}
   * @param recordMicros processor time of a record; 0 if it was not measured
   */
  public record ImportLoad(double rate, int partitions, int pods, double recordMicros) {}

  /**
   * The inputs of {@code weir edge}; times are in milliseconds.
   *
   * @param repeatMs longest time until a sender repeats a reading
   * @param outageMs how long Kafka may be away until the spool is full
   * @param idBytes bytes of a sensor id
   */
  public record InputLoad(double repeatMs, double outageMs, int idBytes) {}

  /**
   * Tables in PostgreSQL.
   *
   * @param retentionMs weir.sink.retention; infinite for unlimited
   */
  public record Tables(double retentionMs) {}
}
