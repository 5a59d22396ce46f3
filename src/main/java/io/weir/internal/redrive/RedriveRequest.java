package io.weir.internal.redrive;

import io.weir.reading.Limits;
import java.util.Optional;

/**
 * The parameters of a redrive.
 *
 * @param records topic of late readings or dead letters
 * @param readings target topic
 * @param control topic of operator commands; empty if the records have no sequences
 * @param windows topic of windows, whose withheld readings are sent; empty if the records have none
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
    Limits limits,
    long maxFutureSkewMs,
    boolean force,
    boolean returned,
    boolean dryRun) {}
