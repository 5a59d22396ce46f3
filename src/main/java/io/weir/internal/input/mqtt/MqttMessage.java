package io.weir.internal.input.mqtt;

/**
 * A message.
 *
 * @param payload do not modify
 * @param qos 0 to 2
 * @param acknowledge to be run once
 */
public record MqttMessage(
    String topic, byte[] payload, int qos, boolean retained, Runnable acknowledge) {}
