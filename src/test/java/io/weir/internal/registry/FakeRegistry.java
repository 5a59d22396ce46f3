package io.weir.internal.registry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.wire.SchemaKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A schema registry over HTTP on the loopback, which keeps what is registered and answers the next
 * requests as a test sets. It can go away and come back, with its port and its schemas.
 */
public final class FakeRegistry implements AutoCloseable {
  /** Does to a request what a registry should not. */
  @FunctionalInterface
  interface Misdeed {
    void answer(HttpExchange exchange) throws IOException;
  }

  private final MockRegistry schemas = new MockRegistry();
  private final Queue<Misdeed> misdeeds = new ConcurrentLinkedQueue<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private final List<String> refused = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "fake-registry");
            thread.setDaemon(true);
            return thread;
          });
  private final int port;
  private volatile boolean refusing;
  private volatile boolean knowsGuids = true;
  private HttpServer server;

  private FakeRegistry() throws IOException {
    goUp(0);
    this.port = server.getAddress().getPort();
  }

  public static FakeRegistry start() {
    try {
      return new FakeRegistry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void goUp(int onPort) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), onPort), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  /** Connections are refused from now on. */
  public void goAway() {
    server.stop(0);
  }

  /** Answers again, where it was. */
  public void comeBack() {
    try {
      goUp(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Answers everything with 401, or no longer. */
  public void refuse(boolean everything) {
    refusing = everything;
  }

  /** Has no operation for GUIDs from now on, as older registries. */
  public void forgetGuids() {
    knowsGuids = false;
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  /** What it keeps: to look into, and to fill from behind. */
  public SchemaRegistry schemas() {
    return schemas;
  }

  /** Methods and paths of the requests so far. */
  public List<String> requests() {
    return requests;
  }

  /** Those of them that were answered with 401 because everything was. */
  public List<String> refused() {
    return refused;
  }

  List<String> authorizations() {
    return authorizations;
  }

  /** Does this to the next request. */
  FakeRegistry next(Misdeed misdeed) {
    misdeeds.add(misdeed);
    return this;
  }

  /** Answers the next request with a status and a body. */
  FakeRegistry nextAnswers(int status, String body) {
    return next(exchange -> send(exchange, status, body));
  }

  /** Promises more than it sends, and hangs up. */
  static void halfAnAnswer(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 1000);
    exchange.getResponseBody().write("{\"schema\":\"".getBytes(StandardCharsets.UTF_8));
    exchange.getResponseBody().flush();
    exchange.close();
  }

  /** Takes the request and says nothing for as long as the registry lives. */
  void silence(HttpExchange exchange) {
    awaitClose();
  }

  /** Sends the head and the beginning of an answer, and then nothing more. */
  void stall(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 1000);
    exchange.getResponseBody().write('{');
    exchange.getResponseBody().flush();
    awaitClose();
  }

  private void awaitClose() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    requests.add(request);
    authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    if (refusing) {
      refused.add(request);
      send(exchange, 401, "{\"error_code\":401,\"message\":\"Unauthorized\"}");
      return;
    }
    if (!knowsGuids && exchange.getRequestURI().getPath().contains("/guids/")) {
      send(exchange, 404, "");
      return;
    }
    Misdeed misdeed = misdeeds.poll();
    if (misdeed != null) {
      misdeed.answer(exchange);
      return;
    }
    try {
      send(exchange, 200, Json.write(answer(exchange)));
    } catch (RegistryException e) {
      int status = e.kind() == Kind.MISSING ? 404 : 422;
      int code = e.kind() == Kind.MISSING ? 40403 : 42201;
      send(exchange, status, Json.write(Map.of("error_code", code, "message", e.getMessage())));
    }
  }

  private Object answer(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().substring(1).split("/");
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String last = path[path.length - 1];
    if (exchange.getRequestMethod().equals("DELETE")) {
      schemas.delete(path[1]);
      return List.of(1);
    }
    return switch (path[0]) {
      case "schemas" -> body(schemas.schema(key(path[1], last)));
      case "compatibility" -> throw new IOException("a fake does not judge");
      default ->
          switch (last) {
            case "subjects" -> schemas.subjects();
            case "versions" -> Map.of("id", schemas.register(path[1], schema(body)));
            case "latest" -> body(schemas.latest(path[1]));
            default ->
                body(
                    exchange.getRequestMethod().equals("GET")
                        ? schemas.version(path[1], Integer.parseInt(last))
                        : schemas.lookUp(path[1], schema(body)));
          };
    };
  }

  private static SchemaKey key(String kind, String text) {
    return kind.equals("ids")
        ? new SchemaKey.Id(Integer.parseInt(text))
        : new SchemaKey.Guid(UUID.fromString(text));
  }

  private static Map<String, Object> body(Registered registered) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("subject", registered.subject());
    body.put("version", registered.version());
    body.put("id", registered.id());
    body.putAll(body(registered.schema()));
    return body;
  }

  private static Map<String, Object> body(Schema schema) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("schema", schema.text());
    body.put("schemaType", schema.type());
    List<Object> references = new ArrayList<>();
    for (Schema.Reference r : schema.references()) {
      references.add(Map.of("name", r.name(), "subject", r.subject(), "version", r.version()));
    }
    body.put("references", references);
    return body;
  }

  private static Schema schema(String body) throws IOException {
    Map<?, ?> fields = (Map<?, ?>) Json.read(body);
    List<Schema.Reference> references = new ArrayList<>();
    for (Object element : (List<?>) fields.get("references")) {
      Map<?, ?> r = (Map<?, ?>) element;
      references.add(
          new Schema.Reference(
              (String) r.get("name"), (String) r.get("subject"), (Integer) r.get("version")));
    }
    return new Schema((String) fields.get("schemaType"), (String) fields.get("schema"), references);
  }

  static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    closed.countDown();
    goAway();
    threads.shutdownNow();
  }
}
