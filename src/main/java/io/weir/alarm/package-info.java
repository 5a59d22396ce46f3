/**
 * Status of sensors and alarms: rules, how windows and silence are held against them, and what of
 * it is kept with a sensor. Uses {@code reading}, {@code time}, {@code window} and {@code yaml}; no
 * Kafka.
 */
package io.weir.alarm;
