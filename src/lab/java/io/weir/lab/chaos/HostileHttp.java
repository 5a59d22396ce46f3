package io.weir.lab.chaos;

import io.weir.lab.hostile.HostileRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An honest sender of line protocol to an edge, and a hostile one. The honest one has a thread, and
 * sends each line until the edge has it.
 */
final class HostileHttp implements AutoCloseable {
  /** The sensor of the honest sender. */
  static final String NEIGHBOUR = "http-neighbour f";

  private static final String NEIGHBOUR_TOKEN = "honest";
  private static final Duration STEP = Duration.ofMillis(200);

  /** An edge answers 503 earlier; a request that it waits for ends with its connection. */
  private static final Duration ANSWER = Duration.ofSeconds(6);

  private final int port;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread writer = new Thread(this::write, "honest sender");

  HostileHttp(int port) {
    this.port = port;
    writer.setDaemon(true);
  }

  /** The file with both senders. */
  static String clients() {
    return "clients:\n"
        + client("neighbour", NEIGHBOUR_TOKEN)
        + client("hostile", HostileRequest.TOKEN);
  }

  private static String client(String name, String token) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      return "  - {name: %s, token-sha256: %s}\n".formatted(name, HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  int port() {
    return port;
  }

  void start() {
    writer.start();
  }

  private void write() {
    while (!Waiting.until(STEP, closed::get)) {
      byte[] line =
          "http-neighbour f=1.5 %d000000\n"
              .formatted(System.currentTimeMillis())
              .getBytes(StandardCharsets.UTF_8);
      HostileRequest request =
          new HostileRequest(
              """
              POST /write HTTP/1.1\r
              Host: localhost\r
              Authorization: Token %s\r
              Content-Length: %d\r
              \r
              """
                  .formatted(NEIGHBOUR_TOKEN, line.length),
              line);
      while (!closed.get() && !isTaken(request)) {
        Waiting.until(STEP, closed::get);
      }
    }
  }

  private boolean isTaken(HostileRequest request) {
    try {
      return send(request).isEmpty();
    } catch (IOException e) {
      return false; // It starts, or starts again.
    }
  }

  /**
   * Sends a request on a connection of its own.
   *
   * @return the first line of the answer if it is not that everything is stored
   * @throws IOException if there is no answer
   */
  Optional<String> send(HostileRequest request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      socket.setSoTimeout((int) ANSWER.toMillis());
      // An edge that refuses a request does not read all of it.
      Thread sending = new Thread(() -> write(request, socket), "request");
      sending.setDaemon(true);
      sending.start();
      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      String status = answer.readLine();
      if (status == null) {
        throw new IOException("the edge closed the connection");
      }
      return status.startsWith("HTTP/1.1 2") ? Optional.empty() : Optional.of(status);
    }
  }

  private static void write(HostileRequest request, Socket socket) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(request.head().getBytes(StandardCharsets.ISO_8859_1));
      out.write(request.body());
      out.flush();
    } catch (IOException e) {
      // The edge closed it, or has answered before the end.
    }
  }

  @Override
  public void close() {
    closed.set(true);
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
