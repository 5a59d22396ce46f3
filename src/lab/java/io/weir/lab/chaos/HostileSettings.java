package io.weir.lab.chaos;

import java.time.Duration;
import java.util.Optional;

/**
 * What a run of the hostile table is to be.
 *
 * @param seed of the rows and, where not all are played, of which
 * @param postgres whether there is a PostgreSQL, with {@code weir sink} and {@code weir collect}
 * @param others whether there are readers too that stand in nobody's way: {@code weir tail}, {@code
 *     weir doctor}, {@code weir serve} and {@code weir import}
 * @param words only rows whose text contains them are played; empty for all
 * @param atMost how long rows are played, drawn by the seed; empty for all of them
 * @param neighbourMayWait how long after its end a neighbour's window may come
 */
public record HostileSettings(
    long seed,
    boolean postgres,
    boolean others,
    String words,
    Optional<Duration> atMost,
    Duration neighbourMayWait) {
  /** What Weir promises. */
  public static final Duration PROMISED = Duration.ofSeconds(10);
}
