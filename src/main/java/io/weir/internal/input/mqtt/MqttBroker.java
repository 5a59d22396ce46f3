package io.weir.internal.input.mqtt;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A broker, and how to connect to it.
 *
 * @param servers tried in turn
 * @param version of the protocol
 * @param clientId names the session
 * @param login empty for none
 * @param tls for servers with mqtts
 * @param sessionExpiry how long the broker keeps messages of an absent edge; zero for none
 * @param keepAlive longest silence of a connection
 */
public record MqttBroker(
    List<URI> servers,
    Version version,
    String clientId,
    Optional<Login> login,
    Tls tls,
    Duration sessionExpiry,
    Duration keepAlive) {
  private static final int PLAIN_PORT = 1883;
  private static final int TLS_PORT = 8883;

  /** A version of the protocol: auto is 5, and 3.1.1 where the broker refuses 5. */
  public enum Version {
    AUTO,
    V5,
    V3
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

  /** The same, without the session and its messages. */
  MqttBroker withoutSession() {
    return new MqttBroker(servers, version, clientId, login, tls, Duration.ZERO, keepAlive);
  }

  static boolean isSecure(URI server) {
    return server.getScheme().matches("mqtts|ssl");
  }

  static int port(URI server) {
    return server.getPort() >= 0 ? server.getPort() : isSecure(server) ? TLS_PORT : PLAIN_PORT;
  }
}
