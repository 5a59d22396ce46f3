package io.weir.app;

import io.weir.registry.WaitLimit;
import io.weir.topic.TopicAdmin;
import io.weir.topology.TaskServices;
import java.util.Map;
import org.apache.kafka.streams.Topology;

/**
 * What a topology is built with, once the cluster was found to be as it must be.
 *
 * @param topics looks up the topics on the cluster; used only while the topology is built
 * @param registryWait for how long a record may wait for a schema registry
 * @param tasks what the tasks of each input topic need
 */
public record StreamsParts(
    TopicAdmin topics, WaitLimit registryWait, Map<String, TaskServices> tasks) {
  /** Builds a topology. */
  @FunctionalInterface
  public interface TopologyBuilder {
    /**
     * Builds it.
     *
     * @throws StartRefusedException if something else is not as it must be
     */
    BuiltTopology build(StreamsParts parts);
  }

  /**
   * A topology that was built, with what belongs to it.
   *
   * @param maxRecordBytes the largest record that it writes
   * @param polled is run by a stream thread that has got records, before it looks at them
   * @param closed is run when the topology has ended
   */
  public record BuiltTopology(
      Topology topology, int maxRecordBytes, Runnable polled, Runnable closed) {}
}
