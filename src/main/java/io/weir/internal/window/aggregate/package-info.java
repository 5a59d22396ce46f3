/**
 * Mergeable aggregates of the values of a window: counts, extremes and exact sums. Plain Java; uses
 * nothing else of Weir.
 */
package io.weir.internal.window.aggregate;
