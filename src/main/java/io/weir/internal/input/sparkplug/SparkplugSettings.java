package io.weir.internal.input.sparkplug;

import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.mqtt.MqttBroker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which edge nodes are read, and how.
 *
 * @param broker without a session
 * @param groups of edge nodes; {@code +} for all
 * @param hostId under which the host says that it is online; empty for nothing
 * @param asksForRebirths whether edge nodes are asked for their births
 * @param takesBirths whether the values of births are readings
 * @param maxNodes most edge nodes
 * @param reorderTimeout how long a message waits for the one before it
 * @param sensorId template
 */
public record SparkplugSettings(
    MqttBroker broker,
    List<String> groups,
    Optional<String> hostId,
    boolean asksForRebirths,
    boolean takesBirths,
    int maxNodes,
    Duration reorderTimeout,
    SensorTemplate sensorId) {
  public static final String DEFAULT_SENSOR_ID = "{group}/{node}[/{device}]/{metric}";

  /** The parts of a template of sensor ids. */
  public static final Set<String> PARTS =
      Set.of("group", "node", "device", "metric", "client", "hash");

  /**
   * A group or a host id.
   *
   * @throws IllegalArgumentException if it is not one level of a topic
   */
  public static String level(String text) {
    if (text.isEmpty() || !text.equals(text.strip()) || text.matches(".*[/#\\x00].*")) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }
}
