package io.weir.topology;

import io.weir.permission.Permissions;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the topology needs of the process that runs it.
 *
 * @param measures is told what becomes of every record
 * @param tasks what its tasks need
 * @param control tells what the operators ordered
 * @param permissions tells which gateway may speak for which sensors, as it stands at the moment;
 *     empty where each may for all
 */
public record TopologyServices(
    Measures measures,
    TaskServices tasks,
    ControlLog control,
    Optional<Supplier<Permissions>> permissions) {
  /** Where each gateway may speak for all sensors. */
  public TopologyServices(Measures measures, TaskServices tasks, ControlLog control) {
    this(measures, tasks, control, Optional.empty());
  }
}
