/**
 * Tracks the changes of windows, sensors and derived windows since their last write. Uses {@code
 * hot} and the aggregates.
 */
package io.weir.internal.window.durable;
