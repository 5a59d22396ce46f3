/**
 * The topologies, and their processors, which pass records to the packages that decide. Uses
 * everything before it in the order of the data, except the edge; no configuration.
 */
package io.weir.internal.topology;
