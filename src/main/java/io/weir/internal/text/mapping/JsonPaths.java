package io.weir.internal.text.mapping;

import java.util.Optional;

/** Where the parts of a reading are in a JSON object; the quality need not be there. */
public record JsonPaths(
    JsonPath sensorId, JsonPath timestamp, JsonPath value, Optional<JsonPath> quality) {
  /** The names of the plain form. */
  public static final JsonPaths DEFAULT =
      new JsonPaths(
          JsonPath.parse("$.sensor_id"),
          JsonPath.parse("$.timestamp_ms"),
          JsonPath.parse("$.value"),
          Optional.of(JsonPath.parse("$.quality")));
}
