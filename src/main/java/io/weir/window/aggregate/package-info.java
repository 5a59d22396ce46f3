/**
 * What is known of the values of a window: counts, extremes and exact sums, which can be merged.
 * Plain Java; uses nothing else of Weir.
 */
package io.weir.window.aggregate;
