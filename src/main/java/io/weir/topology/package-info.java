/**
 * The topologies, and their processors, which pass records to the packages that decide. Uses the
 * states and all that decides; no configuration.
 */
package io.weir.topology;
