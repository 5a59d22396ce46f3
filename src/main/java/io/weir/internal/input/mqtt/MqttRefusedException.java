package io.weir.internal.input.mqtt;

import java.io.IOException;

/** The broker refuses what the settings say; the message has cause and remedy. */
public final class MqttRefusedException extends IOException {
  private static final long serialVersionUID = 1;

  MqttRefusedException(String message) {
    super(message);
  }
}
