/**
 * Metrics, health checks and HTTP. {@link io.weir.internal.ops.ServiceProcess} runs a service with
 * its pages; {@link io.weir.internal.ops.MetricsPage} renders {@code /metrics}; {@link
 * io.weir.internal.ops.RunMetric} and its neighbours are the catalogue. No command. Uses everything
 * that has metrics.
 */
package io.weir.internal.ops;
