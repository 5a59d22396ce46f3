package io.weir.internal.redrive;

import io.weir.reading.Limits;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of a redrive.
 *
 * @param records topic of late readings or dead letters
 * @param readings target topic
 * @param control topic of operator commands; empty if the records have no sequences
 * @param windows topic of windows, which shows whose are published; empty for events
 * @param eventTopics topics whose events are sent again, each to its own; empty for readings
 * @param noWindows of the topic of windows, whose records need not be windows
 * @param limits limits of the application
 * @param maxFutureSkewMs setting of the application
 * @param force whether to send records that were sent before, which may count twice
 * @param returned whether to send records that came back from an earlier redrive
 * @param dryRun whether to send nothing
 */
public record RedriveRequest(
    String records,
    String readings,
    Optional<String> control,
    Optional<String> windows,
    RecordFilter filter,
    Set<String> eventTopics,
    List<KnownOffsets> noWindows,
    Limits limits,
    long maxFutureSkewMs,
    boolean force,
    boolean returned,
    boolean dryRun) {
  /** A request for readings. */
  public RedriveRequest(
      String records,
      String readings,
      Optional<String> control,
      Optional<String> windows,
      RecordFilter filter,
      Limits limits,
      long maxFutureSkewMs,
      boolean force,
      boolean returned,
      boolean dryRun) {
    this(
        records,
        readings,
        control,
        windows,
        filter,
        Set.of(),
        List.of(),
        limits,
        maxFutureSkewMs,
        force,
        returned,
        dryRun);
  }

  public RedriveRequest {
    eventTopics = Set.copyOf(eventTopics);
    noWindows = List.copyOf(noWindows);
  }

  /** Whether events are sent again. */
  boolean isOfEvents() {
    return !eventTopics.isEmpty();
  }

  /** The topics that are written to. */
  Set<String> targets() {
    return isOfEvents() ? eventTopics : Set.of(readings);
  }

  /** Whether a record is selected: one of events, or one of readings. */
  boolean fits(RedriveRecord record) {
    return filter.fits(record)
        && (isOfEvents()
            ? record.originTopic().filter(eventTopics::contains).isPresent()
            : record.application().isEmpty());
  }

  /** The topic that a record is sent to. */
  String target(RedriveRecord record) {
    return isOfEvents() ? record.originTopic().orElseThrow() : readings;
  }
}
