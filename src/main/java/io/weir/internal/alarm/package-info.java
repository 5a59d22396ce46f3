/**
 * Status of sensors and alarms. {@link io.weir.internal.alarm.SensorStatuses} compares windows and
 * silence with the rules and stores the result with each sensor. Uses {@code reading}, {@code
 * time}, {@code window} and {@code yaml}; no Kafka.
 */
package io.weir.internal.alarm;
