/**
 * Metrics of OpenTelemetry over HTTP. Start at {@link io.weir.internal.input.otlp.OtlpInput}. Uses
 * {@code reading}, {@code text} and {@code wire}.
 */
package io.weir.internal.input.otlp;
