package io.weir.internal.topology;

import io.weir.internal.permission.Permissions;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the topology needs of the process that runs it.
 *
 * @param measures counts what happens to every record
 * @param tasks what its tasks need
 * @param control reads the operators' orders
 * @param permissions which gateway may publish which sensors, at the moment; empty where each may
 *     publish all
 * @param lives an id for each life of a state, never the same
 */
public record TopologyServices(
    Measures measures,
    TaskServices tasks,
    ControlLog control,
    Optional<Supplier<Permissions>> permissions,
    LongSupplier lives) {
  /** Where each gateway may publish all sensors, and no state is reset. */
  public TopologyServices(Measures measures, TaskServices tasks, ControlLog control) {
    this(measures, tasks, control, Optional.empty(), () -> 1);
  }
}
