package io.weir.topology;

/**
 * What the topology of events needs of the process that runs it.
 *
 * @param measures is told what becomes of events
 * @param scheduled what the tasks of scheduled events need
 * @param events what the tasks that fold need; null where nothing is folded
 */
public record EventServices(EventMeasures measures, TaskServices scheduled, TaskServices events) {
  void appendTimeWentBack() {
    measures.appendTimeWentBack();
  }
}
