package io.weir.internal.input.mqtt;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A connection to a broker, used once. Thread-safe. */
public interface MqttConnection extends AutoCloseable {
  /**
   * Connects; messages come from then on.
   *
   * @return whether the broker has the session of before
   * @throws MqttRefusedException if the broker refuses for good
   * @throws MqttVersionException if it does not know the version
   * @throws java.io.IOException if it cannot be reached, or refuses for now
   */
  boolean open() throws java.io.IOException;

  /** Subscribes to filters with QoS 1. */
  void subscribe(List<String> filters) throws java.io.IOException;

  void unsubscribe(List<String> filters) throws java.io.IOException;

  /**
   * Sends a message.
   *
   * @return completes when it is written, and with QoS 1 when the broker has it
   */
  CompletableFuture<?> publish(String topic, byte[] payload, int qos, boolean retained);

  /** Completes when the connection has ended, with the reason. */
  CompletableFuture<End> ended();

  /** Ends the connection; the session stays. */
  @Override
  void close();

  /**
   * Why a connection ended.
   *
   * @param takenOver whether another connection has the client id now
   * @param unreadable whether the broker sent what the client cannot read
   */
  record End(String reason, boolean takenOver, boolean unreadable) {}

  /** A retained message with QoS 1 that the broker sends when the connection breaks. */
  record Will(String topic, byte[] payload) {}
}
