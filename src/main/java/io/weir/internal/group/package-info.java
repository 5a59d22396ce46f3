/**
 * Groups of sensors: the aggregation of their sensors' windows and its emission. Uses {@code
 * window}; no Kafka.
 */
package io.weir.internal.group;
