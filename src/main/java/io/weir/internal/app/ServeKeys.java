package io.weir.internal.app;

import static io.weir.internal.app.ValueType.file;
import static io.weir.internal.app.ValueType.hostPorts;
import static io.weir.internal.app.ValueType.integer;
import static io.weir.internal.app.ValueType.jdbcUrl;
import static io.weir.internal.app.ValueType.text;
import static io.weir.internal.app.ValueType.wholeNumber;

import java.nio.file.Path;
import java.util.List;

/** The settings of the page and its API: a part of the catalogue {@link Keys}. */
public final class ServeKeys {
  private static final Key.Group KEYS = new Key.Group();

  public static final Key<String> LISTEN =
      KEYS.of(
          "serve.listen",
          hostPorts(),
          "127.0.0.1:8088",
          "listen address of the page and the API; any address but loopback needs"
              + " weir.serve.clients.file");
  public static final Key<Path> CLIENTS_FILE =
      KEYS.unset(
          "serve.clients.file",
          file(),
          "YAML file of the clients that may read, each with the SHA-256 of its token; read again"
              + " when it changes; default: everybody on this machine");
  public static final Key<Long> MEMORY =
      KEYS.of(
          "serve.memory",
          wholeNumber("BYTES", 64L << 20, 64L << 30),
          Long.toString(512L << 20),
          "memory in bytes for the newest values of all sensors, and recent windows in the rest");
  public static final Key<Long> START_BYTES =
      KEYS.of(
          "serve.start.bytes",
          wholeNumber("BYTES", 0, 1L << 40),
          Long.toString(1L << 30),
          "bytes of windows, from the end of the topic, that are read at the start; an estimate");
  public static final Key<Long> SCAN_BYTES =
      KEYS.of(
          "serve.scan.bytes",
          wholeNumber("BYTES", 0, 1L << 40),
          Long.toString(256L << 20),
          "bytes that one question about older windows may read from the topic; 0: none");
  public static final Key<String> JDBC_URL =
      KEYS.unset(
          "serve.jdbc.url",
          jdbcUrl(),
          "JDBC URL of the database of weir sink, such as jdbc:postgresql://localhost:5432/weir:"
              + " older windows are read from its tables; default: from the topic alone");
  public static final Key<String> JDBC_USER =
      KEYS.unset("serve.jdbc.user", text(255), "role that may read the tables");
  public static final Key<String> JDBC_PASSWORD =
      KEYS.unset(
          "serve.jdbc.password",
          text(4_096),
          "password of the role; prefer a file, named by WEIR_SERVE_JDBC_PASSWORD_FILE");
  public static final Key<Integer> MAX_STREAMS =
      KEYS.of(
          "serve.max.streams",
          integer(1, 10_000),
          "256",
          "event streams at one time; one client may have 8");

  static final List<Key<?>> ALL = KEYS.all();

  private ServeKeys() {}
}
