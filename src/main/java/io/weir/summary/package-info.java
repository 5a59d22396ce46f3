/**
 * Summaries of windows as messages. {@link io.weir.summary.LatestSummaryReader} gives a program the
 * last summary of each window; {@link io.weir.summary.WindowSummaryEncoder} writes them. Uses
 * {@code fetch}, {@code topic}, {@code window} and {@code wire}.
 */
package io.weir.summary;
