/**
 * Tracks the changes of windows, sensors and derived windows since their last write. Start at
 * {@link io.weir.internal.window.durable.DurableSensor}. Uses {@code hot} and the aggregates.
 */
package io.weir.internal.window.durable;
