/**
 * Mergeable aggregates of the values of a window: counts, extremes and exact sums ({@link
 * io.weir.internal.window.aggregate.Aggregate}), further statistics ({@link
 * io.weir.internal.window.aggregate.Statistics}). Plain Java; uses nothing else of Weir.
 */
package io.weir.internal.window.aggregate;
