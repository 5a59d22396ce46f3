/**
 * The algebra: window settings, a sensor's windows, rollups and hopping windows. Uses {@code hot}
 * and {@code reading}; no Kafka.
 */
package io.weir.internal.window;
