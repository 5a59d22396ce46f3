package io.weir.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.ops.Page.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few pages over HTTP, for probes and scrapers: GET and HEAD of known paths, nothing else. Up to
 * {@value #THREADS} daemon threads. A client that takes longer than {@value #PATIENCE_SECONDS} s to
 * ask or to read is cut off, and a connection that asks nothing is closed after {@value
 * #SILENCE_SECONDS} s, so that slow and silent ones cannot keep probes out for longer.
 */
public final class HttpEndpoint implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);

  private static final int THREADS = 8;
  private static final int PATIENCE_SECONDS = 5;
  private static final int SILENCE_SECONDS = 2;
  private static final int LOOKS_EVERY_MS = 500;
  private static final int MAX_CONNECTIONS = 1_000;
  private static final Reply NOT_FOUND = plain(404, "not here\n");
  private static final Reply NOT_ALLOWED = plain(405, "GET or HEAD\n");
  private static final Reply BROKEN = plain(500, "broken: see the log\n");

  static {
    // The JDK's server is told so, and only before the first one is made.
    limit("sun.net.httpserver.maxReqTime", PATIENCE_SECONDS);
    limit("sun.net.httpserver.maxRspTime", PATIENCE_SECONDS);
    limit("sun.net.httpserver.idleInterval", SILENCE_SECONDS);
    limit("sun.net.httpserver.clockTick", LOOKS_EVERY_MS);
    limit("jdk.httpserver.maxConnections", MAX_CONNECTIONS);
  }

  private final HttpServer server;
  private final Map<String, Page> pages;
  private final ExecutorService threads = threads();

  private HttpEndpoint(HttpServer server, Map<String, Page> pages) {
    this.server = server;
    this.pages = Map.copyOf(pages);
  }

  /**
   * Starts to answer.
   *
   * @param host the address to listen on; 0.0.0.0 for all
   * @param port 0 for any that is free
   * @param pages by path
   * @throws IOException if the port is taken or the host is none of this machine's; its message
   *     names both
   */
  public static HttpEndpoint start(String host, int port, Map<String, Page> pages)
      throws IOException {
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
      HttpEndpoint endpoint = new HttpEndpoint(HttpServer.create(address, 0), pages);
      endpoint.server.setExecutor(endpoint.threads);
      endpoint.server.createContext("/", endpoint::serve);
      endpoint.server.start();
      return endpoint;
    } catch (UnknownHostException e) {
      throw new IOException(host + ":" + port + ": no such host", e);
    } catch (IOException e) {
      throw new IOException(host + ":" + port + ": " + e.getMessage(), e);
    }
  }

  private static void limit(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  private static ExecutorService threads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "weir-http");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean head = exchange.getRequestMethod().equals("HEAD");
      Reply reply = head || isGet(exchange) ? replyTo(exchange) : NOT_ALLOWED;
      byte[] body = reply.text().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", reply.contentType());
      if (reply == NOT_ALLOWED) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
      }
      if (head) {
        exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
        exchange.sendResponseHeaders(reply.status(), -1);
      } else {
        exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
      }
    }
  }

  private static boolean isGet(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("GET");
  }

  private Reply replyTo(HttpExchange exchange) {
    Page page = pages.get(exchange.getRequestURI().getPath());
    if (page == null) {
      return NOT_FOUND;
    }
    try {
      List<String> accept = exchange.getRequestHeaders().getOrDefault("Accept", List.of());
      return page.reply(String.join(",", accept));
    } catch (RuntimeException e) {
      LOG.warn("{} is broken", exchange.getRequestURI().getPath(), e);
      return BROKEN;
    }
  }

  private static Reply plain(int status, String text) {
    return new Reply(status, "text/plain; charset=utf-8", text);
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
