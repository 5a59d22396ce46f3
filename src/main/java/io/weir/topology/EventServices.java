package io.weir.topology;

import java.util.Map;

/**
 * What the topology of events needs of the process that runs it.
 *
 * @param measures counts what happens to events
 * @param tasks what the tasks of each input topic need, by its name
 */
public record EventServices(EventMeasures measures, Map<String, TaskServices> tasks) {
  TaskServices of(String topic) {
    return tasks.get(topic);
  }

  void appendTimeWentBack() {
    measures.appendTimeWentBack();
  }
}
