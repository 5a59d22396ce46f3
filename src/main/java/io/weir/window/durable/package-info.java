/**
 * What windows, sensors and longer spans know of their durable form: what of them changed since it
 * was written, and where that is. Uses {@code hot} and the aggregates.
 */
package io.weir.window.durable;
