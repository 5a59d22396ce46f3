package io.weir.internal.input.http;

import io.weir.internal.input.PemFiles;
import io.weir.internal.input.http.ConnectionPlaces.State;
import io.weir.internal.input.http.HttpService.Cause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/1.1 server on Jetty. Bodies are read without a thread of their own, and a request that
 * waits holds none. Cut off without an answer are a head that takes longer than 10 s, and a body
 * slower than 1 KiB/s over 30 s or longer than 5 minutes. Statuses that make clients drop data are
 * never answered.
 */
public final class HttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

  private static final int HEADER_BYTES = 16 * 1024;
  private static final int TARGET_BYTES = 8 * 1024;
  private static final Patience PATIENCE =
      new Patience(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(5));
  private static final long BYTES_OF_A_SECOND = 1024;
  private static final long LOOK_MS = 500;
  private static final Duration RELOAD = Duration.ofSeconds(10);

  /** Of a body that is discarded before its refusal is answered. */
  private static final long MOST_BYTES = 512L * 1024 * 1024;

  private static final Set<Integer> ERRORS =
      Set.of(400, 401, 403, 404, 405, 413, 414, 415, 431, 503);

  private final HttpService service;
  private final Patience patience;
  private final Duration reload;
  private final ConnectionPlaces<EndPoint> places;
  private final Server server = new Server();
  private final List<ServerConnector> connectors = new ArrayList<>();
  private final Set<Exchange> reading = ConcurrentHashMap.newKeySet();
  private final IdentityHashMap<EndPoint, Head> heads = new IdentityHashMap<>();
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "weir-http-watch");
            thread.setDaemon(true);
            return thread;
          });

  private HttpServer(HttpService service, int maxConnections, Patience patience, Duration reload) {
    this.service = service;
    this.patience = patience;
    this.reload = reload;
    this.places = new ConnectionPlaces<>(maxConnections);
  }

  /**
   * How long a sender may take.
   *
   * @param head until the head of a request has come
   * @param slow over which a body must come at 1 KiB/s, and a refused one must end
   * @param body until a body has come
   */
  record Patience(Duration head, Duration slow, Duration body) {}

  /**
   * Starts to listen.
   *
   * @throws IOException with one line that names the address or file
   */
  public static HttpServer start(ListenSettings settings, HttpService service) throws IOException {
    return start(settings, service, PATIENCE, RELOAD);
  }

  /**
   * The same.
   *
   * @param reload time after which changed certificates are read again
   */
  static HttpServer start(
      ListenSettings settings, HttpService service, Patience patience, Duration reload)
      throws IOException {
    HttpServer started = new HttpServer(service, settings.maxConnections(), patience, reload);
    try {
      started.listen(settings);
      return started;
    } catch (IOException e) {
      started.close();
      throw e;
    }
  }

  private void listen(ListenSettings settings) throws IOException {
    server.setHandler(new Requests());
    server.setErrorHandler(HttpServer::answerError);
    Connection.Listener opened = new Opened();
    for (String address : settings.listen()) {
      ServerConnector connector = connector(settings);
      int colon = address.lastIndexOf(':');
      connector.setHost(address.substring(0, colon));
      connector.setPort(Integer.parseInt(address.substring(colon + 1)));
      connector.setIdleTimeout(settings.idleTimeout().toMillis());
      connector.addBean(opened);
      server.addConnector(connector);
      connectors.add(connector);
    }
    try {
      server.start();
    } catch (IOException e) {
      throw new IOException("weir.edge.listen: " + e.getMessage(), e);
    } catch (Exception e) {
      throw new IOException(settings.listen() + ": " + e, e);
    }
    watch.scheduleWithFixedDelay(this::cutSlow, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  private ServerConnector connector(ListenSettings settings) throws IOException {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendDateHeader(true);
    http.setRequestHeaderSize(HEADER_BYTES);
    // Otherwise a header gets the value of an earlier one that differs in case: another token.
    http.setHeaderCacheCaseSensitive(true);
    if (settings.tls().isEmpty()) {
      return new ServerConnector(server, new HttpConnectionFactory(http));
    }
    http.addCustomizer(new SecureRequestCustomizer(false));
    ListenSettings.Tls tls = settings.tls().get();
    SslContextFactory.Server ssl = new SslContextFactory.Server();
    load(tls, ssl);
    watch.scheduleWithFixedDelay(
        new Reload(tls, ssl), reload.toMillis(), reload.toMillis(), TimeUnit.MILLISECONDS);
    return new ServerConnector(server, ssl, new HttpConnectionFactory(http));
  }

  private static void load(ListenSettings.Tls tls, SslContextFactory.Server ssl)
      throws IOException {
    ssl.setKeyStore(PemFiles.keyStore(tls.cert(), tls.key()));
    ssl.setKeyStorePassword("");
    if (tls.clientCa().isPresent()) {
      ssl.setTrustStore(PemFiles.trustStore(tls.clientCa().get()));
      ssl.setNeedClientAuth(true);
    }
  }

  /** The port of the first address. */
  public int port() {
    return connectors.get(0).getLocalPort();
  }

  private void cutSlow() {
    long nowNanos = System.nanoTime();
    reading.forEach(exchange -> exchange.cutIfSlow(nowNanos));
    places
        .states()
        .forEach(
            (endPoint, state) -> {
              boolean waits = state == State.NEW || state == State.SILENT;
              if (heads.computeIfAbsent(endPoint, Head::new).isSlow(waits, state, nowNanos)) {
                close(endPoint, Cause.HEAD);
              }
            });
    heads.keySet().removeIf(endPoint -> !endPoint.isOpen());
  }

  private void close(EndPoint endPoint, Cause cause) {
    service.closed(cause);
    endPoint.close();
  }

  private static boolean answerError(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    int answered = ERRORS.contains(status) ? status : status >= 500 && status != 505 ? 503 : 400;
    send(response, callback, HttpReply.error(answered, "status " + status));
    return true;
  }

  private static void send(Response response, Callback callback, HttpReply reply) {
    response.setStatus(reply.status());
    if (!reply.contentType().isEmpty()) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.contentType());
    }
    reply.headers().forEach(response.getHeaders()::put);
    if (reply.status() != 204) {
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, reply.body().length);
    }
    response.write(true, ByteBuffer.wrap(reply.body()), callback);
  }

  /** Answers nothing more at once; requests in flight are cut off. */
  @Override
  public void close() {
    watch.shutdownNow();
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("the HTTP server did not stop", e);
    }
  }

  private final class Requests extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      if (request.getHttpURI().getPathQuery().length() > TARGET_BYTES) {
        send(response, callback, HttpReply.error(414, "the target is longer than 8 KiB"));
        return true;
      }
      new Exchange(request, response, callback).begin();
      return true;
    }
  }

  /** A request from its head to its answer. */
  private final class Exchange {
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final EndPoint endPoint;
    private final HttpTask task;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final long beginNanos = System.nanoTime();
    private Body body = new Body();
    private volatile HttpReply early;
    private volatile long received;
    private long lookedAtNanos = beginNanos;
    private long receivedThen;

    Exchange(Request request, Response response, Callback callback) {
      this.request = request;
      this.response = response;
      this.callback = callback;
      this.endPoint = outer(request.getConnectionMetaData().getConnection().getEndPoint());
      places.set(endPoint, State.BODY, beginNanos);
      this.task = begin(request);
    }

    private HttpTask begin(Request of) {
      try {
        return service.begin(head(of), this::cut);
      } catch (RuntimeException | Error e) {
        LOG.error("a request failed", e);
        return HttpTask.answering(HttpReply.error(503, "the edge failed; see its log"));
      }
    }

    void begin() {
      // An answer that waits for the disk is not a silent connection; one that is not read is.
      request.addIdleTimeoutListener(timeout -> reading.contains(this) || ended.get());
      reading.add(this);
      read();
    }

    private void read() {
      try {
        readAll();
      } catch (RuntimeException | Error e) {
        LOG.error("a request failed", e);
        breakOff(e);
      }
    }

    private void readAll() {
      while (true) {
        Content.Chunk chunk = request.read();
        if (chunk == null) {
          request.demand(this::read);
          return;
        }
        if (Content.Chunk.isFailure(chunk)) {
          breakOff(chunk.getFailure());
          return;
        }
        boolean last = chunk.isLast();
        take(chunk.getByteBuffer());
        chunk.release();
        if (received > MOST_BYTES) {
          breakOff(new IOException("the body is too large to discard"));
          return;
        }
        if (last) {
          reading.remove(this);
          places.set(endPoint, State.WAITING, System.nanoTime());
          complete();
          return;
        }
      }
    }

    private void take(ByteBuffer bytes) {
      int length = bytes.remaining();
      received += length;
      if (length == 0 || early != null) {
        return;
      }
      HttpReply refusal = task.received(length);
      int grown = refusal == null ? body.capacityFor(length, request.getLength()) : 0;
      if (grown > 0) {
        refusal = task.take(grown);
      }
      if (refusal != null) {
        early = refusal;
        body = new Body();
        return;
      }
      int before = body.capacity();
      body.add(bytes, length, grown);
      if (grown > 0) {
        task.take(-before);
      }
    }

    private void complete() {
      if (early != null) {
        answer(early);
        return;
      }
      try {
        task.run(body.bytes, body.size, this::answerLater);
      } catch (RuntimeException | Error e) {
        LOG.error("a request failed", e);
        answer(HttpReply.error(503, "the edge failed; see its log"));
      }
    }

    /** Not on the publisher's thread. */
    private void answerLater(HttpReply reply) {
      server.getThreadPool().execute(() -> answer(reply));
    }

    private void answer(HttpReply reply) {
      if (ended.compareAndSet(false, true)) {
        task.end();
        body = null;
        send(response, Callback.from(this::silent, callback), reply);
      }
    }

    private void silent() {
      places.set(endPoint, State.SILENT, System.nanoTime());
    }

    /** Other bodies need its memory. */
    private void cut() {
      service.closed(Cause.MEMORY);
      breakOff(new IOException("other bodies need the memory"));
    }

    private void breakOff(Throwable cause) {
      reading.remove(this);
      if (ended.compareAndSet(false, true)) {
        task.end();
        if (!(cause instanceof HttpException)) {
          request.getConnectionMetaData().getConnection().getEndPoint().close();
        }
        callback.failed(cause);
      }
    }

    void cutIfSlow(long nowNanos) {
      long slowNanos = patience.slow().toNanos();
      boolean late =
          nowNanos - beginNanos > (early == null ? patience.body().toNanos() : slowNanos);
      if (!late && nowNanos - lookedAtNanos < slowNanos) {
        return;
      }
      long least = BYTES_OF_A_SECOND * patience.slow().toSeconds();
      if (late || received - receivedThen < least) {
        service.closed(Cause.BODY);
        breakOff(new IOException("the body is too slow"));
      }
      lookedAtNanos = nowNanos;
      receivedThen = received;
    }
  }

  private static HttpHead head(Request request) {
    String query = request.getHttpURI().getQuery();
    return new HttpHead(
        request.getMethod(),
        request.getHttpURI().getPath(),
        query == null ? "" : query,
        address(request.getConnectionMetaData().getRemoteSocketAddress()),
        isLoopback(request.getConnectionMetaData().getLocalSocketAddress()),
        name -> request.getHeaders().get(name));
  }

  private static boolean isLoopback(SocketAddress address) {
    return address instanceof InetSocketAddress inet
        && inet.getAddress() != null
        && inet.getAddress().isLoopbackAddress();
  }

  /** The one that counts, of one with TLS. */
  private static EndPoint outer(EndPoint endPoint) {
    EndPoint outer = endPoint;
    while (outer instanceof EndPoint.Wrapper wrapper) {
      outer = wrapper.unwrap();
    }
    return outer;
  }

  /** Grows by doubling, up to the length that the head says. */
  private static final class Body {
    private byte[] bytes = {};
    private int size;

    int capacity() {
      return bytes.length;
    }

    /**
     * The capacity that more bytes need; 0 if they have room.
     *
     * @param length of the whole body; negative if it is not known
     */
    int capacityFor(int more, long length) {
      int needed = size + more;
      if (needed <= bytes.length) {
        return 0;
      }
      long doubled = 2L * bytes.length;
      return (int) Math.max(needed, length > 0 ? Math.min(doubled, length) : doubled);
    }

    void add(ByteBuffer more, int length, int capacity) {
      if (capacity > 0) {
        bytes = Arrays.copyOf(bytes, capacity);
      }
      more.get(bytes, size, length);
      size += length;
    }
  }

  /** Counts connections, and closes one if there are too many. */
  private final class Opened implements Connection.Listener {
    @Override
    public void onOpened(Connection connection) {
      EndPoint endPoint = connection.getEndPoint();
      if (isOuter(endPoint)) {
        places
            .opened(endPoint, address(endPoint.getRemoteSocketAddress()), System.nanoTime())
            .ifPresent(victim -> close(victim, Cause.PLACES));
      }
    }

    @Override
    public void onClosed(Connection connection) {
      if (isOuter(connection.getEndPoint())) {
        places.closed(connection.getEndPoint());
      }
    }

    /** Not the plain connection inside of one with TLS. */
    private static boolean isOuter(EndPoint endPoint) {
      return !(endPoint instanceof EndPoint.Wrapper);
    }
  }

  /** The address of a sender, without its port. */
  private static String address(SocketAddress remote) {
    return remote instanceof InetSocketAddress inet && inet.getAddress() != null
        ? inet.getAddress().getHostAddress()
        : String.valueOf(remote);
  }

  /** Watches whether the head of a request comes. Used by one thread. */
  private final class Head {
    private final EndPoint endPoint;
    private long bytesIn = -1;
    private long sinceNanos = System.nanoTime();

    Head(EndPoint endPoint) {
      this.endPoint = endPoint;
    }

    /** Of a silent connection nothing is expected until the first byte of its next request. */
    boolean isSlow(boolean waits, State state, long nowNanos) {
      long now = waits ? endPoint.getConnection().getBytesIn() : -1;
      if (now < 0 || bytesIn < 0 || state == State.SILENT && now == bytesIn) {
        bytesIn = now;
        sinceNanos = state == State.NEW ? sinceNanos : nowNanos;
      }
      return waits && nowNanos - sinceNanos > patience.head().toNanos();
    }
  }

  /** Reads certificate and key again when a file has changed. */
  private static final class Reload implements Runnable {
    private final ListenSettings.Tls tls;
    private final SslContextFactory.Server ssl;
    private List<String> seen;

    Reload(ListenSettings.Tls tls, SslContextFactory.Server ssl) {
      this.tls = tls;
      this.ssl = ssl;
      this.seen = stamps();
    }

    @Override
    public void run() {
      List<String> now = stamps();
      if (now.equals(seen)) {
        return;
      }
      seen = now;
      try {
        PemFiles.keyStore(tls.cert(), tls.key());
        ssl.reload(factory -> reload((SslContextFactory.Server) factory));
        LOG.info("{} was read again", tls.cert());
      } catch (Exception e) {
        LOG.error("{}; the certificate read before stays", e.getMessage());
      }
    }

    private void reload(SslContextFactory.Server factory) {
      try {
        load(tls, factory);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private List<String> stamps() {
      return Stream.concat(Stream.of(tls.cert(), tls.key()), tls.clientCa().stream())
          .map(Reload::stamp)
          .toList();
    }

    private static String stamp(Path file) {
      try {
        return Files.getLastModifiedTime(file) + " " + Files.size(file);
      } catch (IOException e) {
        return e.toString();
      }
    }
  }
}
