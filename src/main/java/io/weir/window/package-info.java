/**
 * The algebra: window settings, a sensor's windows, rollups and hopping windows. Uses plain Java
 * and readings; no Kafka.
 */
package io.weir.window;
