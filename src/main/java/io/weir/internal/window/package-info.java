/**
 * The windows of sensors. {@link io.weir.internal.window.PartitionWindows} adds readings to the
 * sensors of a partition; {@link io.weir.internal.window.WindowClosing} closes windows; rollups and
 * hopping windows follow from them. No Kafka. Uses {@code hot} and {@code reading}.
 */
package io.weir.internal.window;
