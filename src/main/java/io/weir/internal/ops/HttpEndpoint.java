package io.weir.internal.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.internal.time.Daemons;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages over HTTP: GET and HEAD of known paths, nothing else; or a {@link Site}. Up to {@value
 * #THREADS} daemon threads answer, and each stream has one of its own, up to {@value #MAX_STREAMS}.
 *
 * <p>A client that takes longer than {@value #LIMIT_SECONDS} s to send its request, or to read a
 * single write, is disconnected, and an idle connection is closed after {@value #SILENCE_SECONDS}
 * s, so that slow and idle clients cannot block probes for longer. A stream lasts as long as its
 * client reads.
 */
public final class HttpEndpoint implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);

  private static final int THREADS = 8;
  private static final int MAX_STREAMS = 64;
  private static final int LIMIT_SECONDS = 5;
  private static final int SILENCE_SECONDS = 2;
  private static final int LOOKS_EVERY_MS = 500;
  private static final int MAX_CONNECTIONS = 1_000;
  private static final String PLAIN = "text/plain; charset=utf-8";
  private static final Reply NOT_FOUND = new Reply.Text(404, PLAIN, "no such page\n");
  private static final Reply BAD_QUERY =
      new Reply.Text(400, PLAIN, "the query is not percent-encoded\n");
  private static final Reply NOT_ALLOWED =
      new Reply.Text(405, PLAIN, "GET or HEAD\n", Map.of("Allow", "GET, HEAD"));
  private static final Reply BROKEN = new Reply.Text(500, PLAIN, "internal error: see the log\n");
  private static final Reply.Text TOO_MANY_STREAMS =
      new Reply.Text(503, PLAIN, "too many streams\n", Map.of("Retry-After", "10"));

  static {
    // The JDK's server reads these properties once, before the first server is created.
    limit("sun.net.httpserver.maxReqTime", LIMIT_SECONDS);
    limit("sun.net.httpserver.idleInterval", SILENCE_SECONDS);
    limit("sun.net.httpserver.clockTick", LOOKS_EVERY_MS);
    limit("jdk.httpserver.maxConnections", MAX_CONNECTIONS);
    // Else the body of a reply waits 40 ms for the acknowledgement of its headers.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final Responder responder;
  private final WriteLimit writeLimit;
  private final ExecutorService threads = threads();
  private final ExecutorService streams;

  /** Finds the answer to a request. */
  @FunctionalInterface
  private interface Responder {
    Reply reply(HttpExchange exchange) throws IOException;
  }

  private HttpEndpoint(HttpServer server, Responder responder, int maxStreams, long writeLimitMs) {
    this.server = server;
    this.responder = responder;
    this.streams = streams(maxStreams);
    this.writeLimit = new WriteLimit(writeLimitMs);
  }

  /**
   * Starts the endpoint.
   *
   * @param host the address to listen on; 0.0.0.0 for all
   * @param port 0 for a free one
   * @param pages by path; a path that ends with a slash includes all paths below it; the longest
   *     match is used
   * @throws IOException if the port is in use or the host is not an address of this machine; the
   *     message names both
   */
  public static HttpEndpoint start(String host, int port, Map<String, Page> pages)
      throws IOException {
    return start(host, port, pages, TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
  }

  /**
   * Same as {@link #start(String, int, Map)}.
   *
   * @param writeLimitMs longest duration of a single write
   */
  static HttpEndpoint start(String host, int port, Map<String, Page> pages, long writeLimitMs)
      throws IOException {
    Map<String, Page> known = Map.copyOf(pages);
    return start(host, port, exchange -> replyOfPages(known, exchange), MAX_STREAMS, writeLimitMs);
  }

  /**
   * Starts to answer with a site.
   *
   * @param maxStreams streams at one time
   * @throws IOException as {@link #start(String, int, Map)}
   */
  public static HttpEndpoint start(String host, int port, Site site, int maxStreams)
      throws IOException {
    return start(
        host,
        port,
        exchange -> replyOfSite(site, exchange),
        maxStreams,
        TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
  }

  private static HttpEndpoint start(
      String host, int port, Responder responder, int maxStreams, long writeLimitMs)
      throws IOException {
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
      HttpEndpoint endpoint =
          new HttpEndpoint(HttpServer.create(address, 0), responder, maxStreams, writeLimitMs);
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
            Daemons.named("weir-http"));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static ExecutorService streams(int most) {
    return new ThreadPoolExecutor(
        0, most, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), Daemons.named("weir-http-stream"));
  }

  private void serve(HttpExchange exchange) throws IOException {
    boolean head = exchange.getRequestMethod().equals("HEAD");
    Reply reply = responder.reply(exchange);
    if (reply instanceof Reply.Text text) {
      send(exchange, text, text.text().getBytes(StandardCharsets.UTF_8), head);
    } else if (reply instanceof Reply.Bytes bytes) {
      send(exchange, bytes, bytes.body(), head);
    } else if (reply instanceof Reply.Stream stream) {
      if (head) {
        stream.writer().ended();
        begin(exchange, stream, -1).close();
      } else {
        stream(exchange, stream);
      }
    }
  }

  private void send(HttpExchange exchange, Reply reply, byte[] body, boolean head)
      throws IOException {
    if (head) {
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
    }
    try (exchange;
        OutputStream out = begin(exchange, reply, head || body.length == 0 ? -1 : body.length)) {
      if (!head && body.length > 0) {
        out.write(body);
      }
    }
  }

  private void stream(HttpExchange exchange, Reply.Stream reply) throws IOException {
    try {
      streams.execute(() -> write(exchange, reply));
    } catch (RejectedExecutionException e) {
      reply.writer().ended();
      byte[] body = TOO_MANY_STREAMS.text().getBytes(StandardCharsets.UTF_8);
      send(exchange, TOO_MANY_STREAMS, body, false);
    }
  }

  private void write(HttpExchange exchange, Reply.Stream reply) {
    try (exchange;
        OutputStream out = begin(exchange, reply, 0)) {
      out.flush();
      reply.writer().write(out);
    } catch (IOException e) {
      LOG.debug(
          "{}: the client has disconnected: {}", exchange.getRequestURI().getPath(), e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The endpoint is closed.
    } catch (RuntimeException e) {
      LOG.warn("{} is broken", exchange.getRequestURI().getPath(), e);
    } finally {
      reply.writer().ended();
    }
  }

  /**
   * Sends status and headers.
   *
   * @param length length of the body in bytes; -1 for no body, 0 for an unknown length
   */
  private OutputStream begin(HttpExchange exchange, Reply reply, long length) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", reply.contentType());
    reply.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(reply.status(), length);
    return writeLimit.limited(exchange.getResponseBody());
  }

  private static Reply replyOfSite(Site site, HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(Site.MAX_BODY_BYTES + 1);
    SiteRequest request =
        new SiteRequest(
            exchange.getRequestMethod(),
            exchange.getRequestURI(),
            headers(exchange),
            exchange.getRemoteAddress().getAddress(),
            body);
    try {
      return site.reply(request);
    } catch (RuntimeException e) {
      LOG.warn("{} is broken", exchange.getRequestURI().getPath(), e);
      return site.broken();
    }
  }

  private static Reply replyOfPages(Map<String, Page> pages, HttpExchange exchange) {
    String method = exchange.getRequestMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      return NOT_ALLOWED;
    }
    Page page = pageAt(pages, exchange.getRequestURI().getPath());
    if (page == null) {
      return NOT_FOUND;
    }
    PageRequest request;
    try {
      request = PageRequest.of(exchange.getRequestURI(), headers(exchange));
    } catch (IllegalArgumentException e) {
      return BAD_QUERY;
    }
    try {
      return page.reply(request);
    } catch (RuntimeException e) {
      LOG.warn("{}: unexpected error", request.path(), e);
      return BROKEN;
    }
  }

  private static Page pageAt(Map<String, Page> pages, String path) {
    Page page = pages.get(path);
    for (int slash = path.lastIndexOf('/');
        page == null && slash >= 0;
        slash = path.lastIndexOf('/', slash - 1)) {
      page = slash == 0 ? null : pages.get(path.substring(0, slash + 1));
    }
    return page;
  }

  private static Map<String, String> headers(HttpExchange exchange) {
    Map<String, String> headers = new HashMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(lower(name), String.join(",", values)));
    return headers;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** The port. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    streams.shutdownNow();
    server.stop(0);
    threads.shutdownNow();
    writeLimit.close();
  }
}
