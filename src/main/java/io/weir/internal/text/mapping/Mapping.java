package io.weir.internal.text.mapping;

import java.nio.charset.Charset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How a file of another program becomes readings. Immutable. Made by {@link MappingOptions}.
 *
 * @param charset of the file; a byte order mark is passed over
 * @param skipLines physical lines before the header, or before the first record
 * @param delimiter between fields; {@link #WHITESPACE} for any run of blanks and tabs
 * @param header whether the first record names the columns
 * @param wide whether every column but the time's is a sensor of its own
 * @param sensorId how sensors are named, where not by a column
 * @param quality what the texts of the quality mean, where not the plain form's
 * @param missing texts that stand for no value
 * @param values numbers that texts stand for, by the texts in lower case
 * @param units texts that may be behind a number, with the power of ten that each multiplies by
 * @param timeShiftMs added to each time
 */
public record Mapping(
    Charset charset,
    int skipLines,
    char delimiter,
    boolean header,
    Columns columns,
    boolean wide,
    Optional<IdTemplate> sensorId,
    NumberStyle numbers,
    TimeFormat time,
    Optional<QualityMap> quality,
    Set<String> missing,
    Map<String, String> values,
    Map<String, Integer> units,
    long timeShiftMs,
    JsonPaths json) {
  /** A run of blanks and tabs, as a delimiter. */
  public static final char WHITESPACE = ' ';

  public Mapping {
    missing = Set.copyOf(missing);
  }
}
