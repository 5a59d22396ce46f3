package io.weir.internal.topology;

import io.weir.internal.store.InputState;
import java.util.Map;
import org.apache.kafka.streams.processor.api.ProcessorContext;

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

  /** A task of a topology of events, for the processor that gives its context. */
  <S extends InputState> InputTask<S> task(
      ProcessorContext<byte[], Outgoing> context, String store, String topic) {
    return new InputTask<>(
        context, store, topic, EventTopology.TICKS, of(topic), measures::appendTimeWentBack);
  }
}
