/**
 * Readings from edge nodes of Sparkplug B: {@link io.weir.internal.input.sparkplug.SparkplugInput}
 * is the host application, {@link io.weir.internal.input.sparkplug.SparkplugHost} knows the edge
 * nodes.
 *
 * <p>Uses {@code reading}, {@code wire}, and {@code text} for UTF-8.
 */
package io.weir.internal.input.sparkplug;
