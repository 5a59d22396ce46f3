/**
 * The resources for a load, calculated from measured figures. Uses {@code topology} and {@code
 * window} for their sizes and times, and no cluster.
 */
package io.weir.cli.plan;
