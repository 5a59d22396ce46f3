package io.weir.redrive;

import io.weir.reading.Limits;
import java.util.Optional;

/**
 * What is to be sent again.
 *
 * @param records the topic of late readings or of dead letters
 * @param readings the topic they go to
 * @param control the topic of the operators' orders; empty where the records have no sequences
 * @param limits those of the application that reads them there
 * @param maxFutureSkewMs that of the application
 * @param force sends again also what was sent before: it may be counted twice
 * @param returned sends also what came back from an earlier redrive
 * @param dryRun sends nothing
 */
public record RedriveRequest(
    String records,
    String readings,
    Optional<String> control,
    RecordFilter filter,
    Limits limits,
    long maxFutureSkewMs,
    boolean force,
    boolean returned,
    boolean dryRun) {}
