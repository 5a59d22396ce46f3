package io.weir.internal.app;

import io.weir.internal.registry.WaitLimit;
import io.weir.internal.topology.TaskServices;
import io.weir.topic.TopicAdmin;
import java.util.Map;
import org.apache.kafka.streams.Topology;

/**
 * The parts of a topology, after the checks of the cluster.
 *
 * @param topics looks up the topics on the cluster; used only while the topology is built
 * @param registryWait longest wait of a record for a schema registry
 * @param tasks services for the tasks of each input topic
 */
public record StreamsParts(
    TopicAdmin topics, WaitLimit registryWait, Map<String, TaskServices> tasks) {
  /** Builds a topology. */
  @FunctionalInterface
  public interface TopologyBuilder {
    /**
     * Builds it.
     *
     * @throws StartRefusedException if another check fails
     */
    BuiltTopology build(StreamsParts parts);
  }

  /**
   * A topology with its callbacks.
   *
   * @param maxRecordBytes the largest record that it writes
   * @param polled runs on a stream thread after each poll, before it processes the records
   * @param closed runs after the topology has ended
   */
  public record BuiltTopology(
      Topology topology, int maxRecordBytes, Runnable polled, Runnable closed) {}
}
