package io.weir.internal.serve.memory;

import io.weir.topic.Topic;
import java.util.Map;
import java.util.Set;

/**
 * A late record or a dead letter.
 *
 * @param topic one of the two
 * @param headers in their order; the values as text
 * @param sensors ids of the sensors of its readings, as far as they are kept
 * @param json the record as a JSON object
 */
public record RefusedRecord(
    Topic topic,
    int partition,
    long offset,
    long appendMs,
    Map<String, String> headers,
    Set<String> sensors,
    String json) {
  public RefusedRecord {
    headers = Map.copyOf(headers);
    sensors = Set.copyOf(sensors);
  }

  /** An estimate of its memory. */
  int bytes() {
    return 400 + 2 * json.length() + 100 * (headers.size() + sensors.size());
  }
}
