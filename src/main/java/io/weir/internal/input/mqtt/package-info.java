/**
 * Readings from an MQTT broker: {@link io.weir.internal.input.mqtt.MqttInput} keeps a session,
 * decodes each message, and acknowledges it when its readings are on disk.
 *
 * <p>Uses {@code reading}, and {@code text} for CSV.
 */
package io.weir.internal.input.mqtt;
