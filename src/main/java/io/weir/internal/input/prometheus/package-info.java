/**
 * Prometheus remote write, versions 1.0 and 2.0. Start at {@link
 * io.weir.internal.input.prometheus.RemoteWriteInput}. Uses {@code reading}, {@code text} and
 * {@code wire}.
 */
package io.weir.internal.input.prometheus;
