package io.weir.internal.app;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of the page and its API.
 *
 * @param host to listen on
 * @param port to listen on
 * @param clientsFile the clients that may read; empty for everybody on this machine
 * @param memoryBytes for values and history
 * @param startBytes read of windows at the start
 * @param scanBytes that one question may read
 * @param maxStreams event streams at one time
 * @param jdbcUrl database of the sink; empty if older windows are read from the topic alone
 * @param jdbcUser empty for the driver's default
 * @param jdbcPassword of that role
 */
public record ServeSettings(
    String host,
    int port,
    Optional<Path> clientsFile,
    long memoryBytes,
    long startBytes,
    long scanBytes,
    int maxStreams,
    Optional<String> jdbcUrl,
    Optional<String> jdbcUser,
    Optional<String> jdbcPassword) {
  private static final int MAX_PORT = 65_535;

  static ServeSettings of(Settings settings) {
    String listen = settings.get(ServeKeys.LISTEN);
    int colon = listen.lastIndexOf(':');
    int port = Integer.parseInt(listen.substring(colon + 1));
    if (listen.contains(",") || port > MAX_PORT) {
      throw settings.refusal(
          ServeKeys.LISTEN, "expected: one host:port, with a port up to " + MAX_PORT);
    }
    return new ServeSettings(
        listen.substring(0, colon),
        port,
        settings.find(ServeKeys.CLIENTS_FILE),
        settings.get(ServeKeys.MEMORY),
        settings.get(ServeKeys.START_BYTES),
        settings.get(ServeKeys.SCAN_BYTES),
        settings.get(ServeKeys.MAX_STREAMS),
        settings.find(ServeKeys.JDBC_URL),
        settings.find(ServeKeys.JDBC_USER),
        settings.find(ServeKeys.JDBC_PASSWORD));
  }

  /** The address and the database; without the password. */
  @Override
  public String toString() {
    return "ServeSettings[%s:%d, %s]".formatted(host, port, jdbcUrl.orElse("no database"));
  }

  /**
   * Makes sure that other machines need a token.
   *
   * @throws ConfigException if they could read without
   */
  public void requireSafe() {
    if (clientsFile.isEmpty() && !isLoopback()) {
      throw new ConfigException(
          ServeKeys.LISTEN.propertyName()
              + "="
              + host
              + ":"
              + port
              + ": other machines can read it: set "
              + ServeKeys.CLIENTS_FILE.propertyName()
              + ", or listen on 127.0.0.1");
    }
  }

  private boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
