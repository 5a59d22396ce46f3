package io.weir.lab.chaos;

import io.weir.v1.Event;
import java.util.List;

/** What a gateway of events sends, step by step. One thread. */
interface EventTraffic {
  /** Events of a key's partition, for a batch. */
  record Part(String topic, String key, List<Event> events) {}

  /** Those of the next step. */
  List<Part> next(long clockMs);

  /** Those after the last step: what takes back all that would go on for ever. */
  List<Part> last(long clockMs);
}
