package io.weir.internal.input.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttTopicFilter;
import io.weir.internal.input.SensorTemplate;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where messages come from, and how they are read.
 *
 * @param servers tried in turn
 * @param filters of topics
 * @param version of the protocol
 * @param clientId names the session
 * @param login empty for none
 * @param tls for servers with mqtts
 * @param sessionExpiry how long the broker keeps messages of an absent edge; zero for none
 * @param keepAlive longest silence of a connection
 * @param takesRetained whether retained messages are readings
 * @param payload form of messages
 * @param sensorId template; empty for that of the payload
 * @param maxPendingBytes of messages whose readings are not on disk yet
 * @param filtersFile where the filters of the session are kept
 */
public record MqttSettings(
    List<URI> servers,
    List<String> filters,
    Version version,
    String clientId,
    Optional<Login> login,
    Tls tls,
    Duration sessionExpiry,
    Duration keepAlive,
    boolean takesRetained,
    Payload payload,
    Optional<SensorTemplate> sensorId,
    long maxPendingBytes,
    Path filtersFile) {
  /** The parts of a template of sensor ids. */
  public static final Set<String> PARTS =
      Set.of("topic", "topic:", "column", "path:", "client", "hash");

  private static final int PLAIN_PORT = 1883;
  private static final int TLS_PORT = 8883;

  /** A version of the protocol: auto is 5, and 3.1.1 where the broker refuses 5. */
  public enum Version {
    AUTO,
    V5,
    V3
  }

  /** The form of messages: auto decides by the first byte. */
  public enum Payload {
    AUTO,
    NUMBER,
    JSON,
    CSV,
    LINE
  }

  /** Credentials of the edge. */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  /**
   * Certificates in PEM.
   *
   * @param authorities that the broker is trusted by; empty for those of the JVM
   * @param certificate of the edge, with its key
   */
  public record Tls(Optional<Path> authorities, Optional<Path> certificate, Optional<Path> key) {}

  /**
   * A server.
   *
   * @param text {@code mqtt://HOST:PORT} or {@code mqtts://HOST:PORT}; tcp and ssl are the same
   * @throws IllegalArgumentException if it is none
   */
  public static URI server(String text) {
    URI uri = URI.create(text.strip());
    boolean valid =
        uri.getScheme() != null
            && uri.getScheme().matches("mqtts?|tcp|ssl")
            && uri.getHost() != null
            && uri.getUserInfo() == null
            && (uri.getPath() == null || uri.getPath().matches("/?"));
    if (!valid) {
      throw new IllegalArgumentException(text);
    }
    return uri;
  }

  /**
   * A filter of topics.
   *
   * @throws IllegalArgumentException if it is none, such as {@code a/#/b}
   */
  public static String filter(String text) {
    return MqttTopicFilter.of(text).toString();
  }

  static boolean isSecure(URI server) {
    return server.getScheme().matches("mqtts|ssl");
  }

  static int port(URI server) {
    return server.getPort() >= 0 ? server.getPort() : isSecure(server) ? TLS_PORT : PLAIN_PORT;
  }
}
