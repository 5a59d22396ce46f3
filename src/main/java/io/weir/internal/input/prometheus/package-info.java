/**
 * Prometheus remote write, versions 1.0 and 2.0. Uses {@code reading}, {@code text} and {@code
 * wire}.
 */
package io.weir.internal.input.prometheus;
