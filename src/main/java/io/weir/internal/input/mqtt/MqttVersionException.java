package io.weir.internal.input.mqtt;

import java.io.IOException;

/** The broker does not speak version 5. */
final class MqttVersionException extends IOException {
  private static final long serialVersionUID = 1;

  MqttVersionException(String message) {
    super(message);
  }
}
