package io.weir.topology;

/**
 * What the topology needs of the process that runs it.
 *
 * @param measures is told what becomes of every record
 * @param tasks what its tasks need
 * @param control tells what the operators ordered
 */
public record TopologyServices(Measures measures, TaskServices tasks, ControlLog control) {}
