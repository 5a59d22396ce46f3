/** Metrics of OpenTelemetry over HTTP. Uses {@code reading}, {@code text} and {@code wire}. */
package io.weir.internal.input.otlp;
