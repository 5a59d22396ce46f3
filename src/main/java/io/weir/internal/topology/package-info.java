/**
 * The topologies and their processors, which call the packages that decide. {@link
 * io.weir.internal.topology.WeirTopology} is that of {@code weir run}; {@link
 * io.weir.internal.topology.ReadingProcessor} is the way of a record through it. No configuration.
 * Uses everything before it in the order of the data, except the edge.
 */
package io.weir.internal.topology;
