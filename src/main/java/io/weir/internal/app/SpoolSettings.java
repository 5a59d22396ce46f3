package io.weir.internal.app;

import io.weir.edge.Overflow;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of the spool directory.
 *
 * @param dir directory of unacknowledged batches; empty: memory only
 * @param maxBytes maximum size in bytes
 * @param full behaviour of a full spool
 * @param replayRate maximum readings a second sent from the spool; empty for no limit
 */
public record SpoolSettings(
    Optional<Path> dir, long maxBytes, Overflow full, Optional<Long> replayRate) {}
