package io.weir.internal.input.mqtt;

/**
 * A message.
 *
 * @param payload do not modify
 * @param qos 0 to 2
 * @param acknowledge to be run once
 */
public record MqttMessage(
    String topic, byte[] payload, int qos, boolean retained, Runnable acknowledge) {
  private static final int OBJECT_BYTES = 512;

  /** Its memory: the client keeps a copy of the payload. */
  long bytes() {
    return OBJECT_BYTES + 3L * topic.length() + 2L * payload.length;
  }
}
