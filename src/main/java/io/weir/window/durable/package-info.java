/**
 * What windows, sensors and longer spans know of their durable form: what of them changed since it
 * was written, and where that is. Plain Java; uses the aggregates that it is known of.
 */
package io.weir.window.durable;
