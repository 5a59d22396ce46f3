package io.weir.app;

import io.weir.edge.Overflow;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a gateway keeps batches on disk.
 *
 * @param dir where batches are kept until they are acknowledged; empty: in memory alone
 * @param maxBytes most bytes that are kept there
 * @param full what happens when there is no room for more
 * @param replayRate most readings a second that are sent from the disk; empty for no bound
 */
public record SpoolSettings(
    Optional<Path> dir, long maxBytes, Overflow full, Optional<Long> replayRate) {}
