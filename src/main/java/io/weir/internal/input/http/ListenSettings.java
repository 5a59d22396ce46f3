package io.weir.internal.input.http;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where the server listens.
 *
 * @param listen addresses as host:port; port 0 takes a free one
 * @param tls certificate and key; empty for plain text
 * @param maxConnections connections at the same time; further ones are closed
 * @param idleTimeout after which a silent connection is closed
 */
public record ListenSettings(
    List<String> listen, Optional<Tls> tls, int maxConnections, Duration idleTimeout) {
  /**
   * Files in PEM.
   *
   * @param clientCa whose certificates clients must show; empty: none
   */
  public record Tls(Path cert, Path key, Optional<Path> clientCa) {}
}
