package io.weir.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Health and metrics over HTTP: {@code /livez}, {@code /readyz}, {@code /metrics}. Shows no data
 * and no secret; binds to all interfaces, as probes and scrapers come from outside. Two daemon
 * threads.
 */
public final class HttpEndpoint implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "weir-http");
            thread.setDaemon(true);
            return thread;
          });

  private HttpEndpoint(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts to answer.
   *
   * @param port 0 for any that is free
   * @param metrics the registry's text, in Prometheus's format
   * @throws IOException if the port is taken
   */
  public static HttpEndpoint start(int port, Health health, Supplier<String> metrics)
      throws IOException {
    HttpEndpoint endpoint = new HttpEndpoint(HttpServer.create(new InetSocketAddress(port), 0));
    endpoint.server.setExecutor(endpoint.threads);
    endpoint.serve("/livez", () -> Answer.of(health.isAlive(), health.describe()));
    endpoint.serve("/readyz", () -> Answer.of(health.isReady(), health.describe()));
    endpoint.serve("/metrics", () -> Answer.of(true, metrics.get()));
    endpoint.server.start();
    return endpoint;
  }

  private record Answer(int status, String text) {
    static Answer of(boolean well, String text) {
      return new Answer(well ? 200 : 503, text);
    }
  }

  private void serve(String path, Supplier<Answer> answers) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            respond(exchange, path, answers);
          }
        });
  }

  private static void respond(HttpExchange exchange, String path, Supplier<Answer> answers)
      throws IOException {
    boolean known = exchange.getRequestURI().getPath().equals(path);
    Answer answer = known ? answers.get() : new Answer(404, "not here\n");
    byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  /** The port it answers on. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
