package io.weir.internal.registry;

import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.registry.Schema.Reference;
import io.weir.internal.wire.SchemaKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** A registry over HTTP: paths and bodies of Confluent's REST API, version 1. */
final class RestRegistry implements SchemaRegistry {
  private final RestCalls calls;
  private final String normalize;

  RestRegistry(RegistrySettings settings, Pause pause) {
    this.calls = new RestCalls(settings, pause);
    this.normalize = settings.is(RegistrySettings.NORMALIZE) ? "?normalize=true" : "";
  }

  @Override
  public int register(String subject, Schema schema) {
    return calls.post(
        subject(subject) + "/versions" + normalize, body(schema), json -> number(json, "id"));
  }

  @Override
  public Registered lookUp(String subject, Schema schema) {
    return calls.post(subject(subject) + normalize, body(schema), RestRegistry::registered);
  }

  @Override
  public Registered latest(String subject) {
    return calls.get(subject(subject) + "/versions/latest", RestRegistry::registered);
  }

  @Override
  public Registered version(String subject, int version) {
    return calls.get(subject(subject) + "/versions/" + version, RestRegistry::registered);
  }

  @Override
  public Schema schema(SchemaKey key) {
    String path =
        key instanceof SchemaKey.Id id
            ? "/schemas/ids/" + id.id()
            : "/schemas/guids/" + ((SchemaKey.Guid) key).guid();
    return calls.get(path, RestRegistry::schema);
  }

  @Override
  public List<String> subjects() {
    return calls.get(
        "/subjects", json -> ((List<?>) json).stream().map(String.class::cast).toList());
  }

  @Override
  public void delete(String subject) {
    try {
      calls.delete(subject(subject));
      calls.delete(subject(subject) + "?permanent=true");
    } catch (RegistryException e) {
      if (e.kind() != Kind.MISSING) {
        throw e;
      }
    }
  }

  private static String subject(String subject) {
    return "/subjects/" + URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Map<String, Object> body(Schema schema) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("schemaType", schema.type());
    body.put("schema", schema.text());
    body.put("references", schema.references().stream().map(RestRegistry::body).toList());
    return body;
  }

  private static Map<String, Object> body(Reference reference) {
    return Map.of(
        "name", reference.name(), "subject", reference.subject(), "version", reference.version());
  }

  private static Registered registered(Object json) throws IOException {
    return new Registered(
        text(json, "subject"), number(json, "version"), number(json, "id"), schema(json));
  }

  private static Schema schema(Object json) throws IOException {
    // Absent for Avro, the first type.
    Object type = fields(json).getOrDefault("schemaType", "AVRO");
    List<Reference> references =
        fields(json).get("references") instanceof List<?> list
            ? list.stream().map(RestRegistry::reference).toList()
            : List.of();
    return new Schema((String) type, text(json, "schema"), references);
  }

  private static Reference reference(Object json) {
    Map<?, ?> fields = (Map<?, ?>) json;
    return new Reference(
        (String) fields.get("name"),
        (String) fields.get("subject"),
        ((Number) fields.get("version")).intValue());
  }

  private static int number(Object json, String name) throws IOException {
    if (fields(json).get(name) instanceof Number number) {
      return number.intValue();
    }
    throw new IOException("missing number " + name);
  }

  private static String text(Object json, String name) throws IOException {
    if (fields(json).get(name) instanceof String text) {
      return text;
    }
    throw new IOException("missing text " + name);
  }

  @SuppressWarnings("unchecked") // Json creates no other maps.
  private static Map<String, Object> fields(Object json) throws IOException {
    if (json instanceof Map<?, ?> fields) {
      return (Map<String, Object>) fields;
    }
    throw new IOException("not a JSON object");
  }

  /**
   * Calls of the REST API: tries the addresses in turn, beginning with the last one that answered,
   * and repeats after a pause until one answers or the retries are used. A definite answer, success
   * or failure, ends the call. Safe for many threads.
   */
  static final class RestCalls {
    private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";

    private final List<RegistryUrl> urls;
    private final Optional<String> authorization;
    private final HttpClient http;
    private final Duration readTimeout;
    private final int maxRetries;
    private final long firstWaitMs;
    private final long maxWaitMs;
    private final Pause pause;
    private volatile int preferred;

    /** Parses an answer; throws IOException if it is not an answer of a registry. */
    @FunctionalInterface
    interface Reader<T> {
      T read(Object json) throws IOException;
    }

    RestCalls(RegistrySettings settings, Pause pause) {
      this.urls = settings.urls().stream().map(RegistryUrl::of).toList();
      this.authorization = settings.authorization();
      this.http = client(settings, urls);
      this.readTimeout = Duration.ofMillis(settings.number(RegistrySettings.READ_TIMEOUT_MS));
      this.maxRetries = settings.number(RegistrySettings.MAX_RETRIES);
      this.firstWaitMs = settings.number(RegistrySettings.RETRY_WAIT_MS);
      this.maxWaitMs = settings.number(RegistrySettings.RETRY_MAX_WAIT_MS);
      this.pause = pause;
    }

    private static HttpClient client(RegistrySettings settings, List<RegistryUrl> urls) {
      HttpClient.Builder builder =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(
                  Duration.ofMillis(settings.number(RegistrySettings.CONNECT_TIMEOUT_MS)));
      if (urls.stream().anyMatch(url -> url.base().startsWith("https:"))) {
        RegistryTls tls = RegistryTls.of(settings.given());
        builder.sslContext(tls.context()).sslParameters(tls.parameters());
      }
      return builder.build();
    }

    <T> T get(String path, Reader<T> reader) {
      return call("GET", path, null, reader);
    }

    <T> T post(String path, Map<String, ?> body, Reader<T> reader) {
      return call("POST", path, Json.write(body), reader);
    }

    void delete(String path) {
      call("DELETE", path, null, answer -> null);
    }

    private <T> T call(String method, String path, String body, Reader<T> reader) {
      long waitMs = firstWaitMs;
      for (int retries = 0; ; retries++) {
        RegistryException failure = null;
        for (int i = 0; i < urls.size(); i++) {
          int turn = (preferred + i) % urls.size();
          try {
            T answer = ask(urls.get(turn), method, path, body, reader);
            preferred = turn;
            return answer;
          } catch (RegistryException e) {
            if (e.kind() == Kind.MISSING || e.kind() == Kind.REFUSED) {
              throw e;
            }
            failure = e;
          }
        }
        if (retries == maxRetries) {
          throw failure;
        }
        pause.pass(Math.min(waitMs, maxWaitMs));
        waitMs *= 2;
      }
    }

    private <T> T ask(RegistryUrl url, String method, String path, String body, Reader<T> reader) {
      HttpResponse<String> response;
      try {
        response = send(request(url, method, path, body));
      } catch (LimitedBody.TooLongException e) {
        throw RestFailures.tooLong(url, method + " " + path);
      } catch (IOException e) {
        throw RestFailures.silent(url, e);
      }
      if (response.statusCode() / 100 != 2) {
        throw RestFailures.refusal(url, method + " " + path, response);
      }
      try {
        return reader.read(response.body().isEmpty() ? null : Json.read(response.body()));
      } catch (IOException | ClassCastException | NullPointerException e) {
        throw RestFailures.nonsense(url, method + " " + path, e);
      }
    }

    private HttpRequest request(RegistryUrl url, String method, String path, String body) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url.base() + path))
              .header("Accept", CONTENT_TYPE + ", application/json;q=0.9")
              .method(
                  method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
      if (body != null) {
        request.header("Content-Type", CONTENT_TYPE);
      }
      url.authorization()
          .or(() -> authorization)
          .ifPresent(a -> request.header("Authorization", a));
      return request.build();
    }

    /** The client's timeout covers only the headers: the body could stall. */
    private HttpResponse<String> send(HttpRequest request) throws IOException {
      CompletableFuture<HttpResponse<String>> answer =
          http.sendAsync(request, head -> new LimitedBody());
      try {
        return answer.get(readTimeout.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        answer.cancel(true);
        throw new IOException("no answer within " + readTimeout.toMillis() + " ms", e);
      } catch (InterruptedException e) {
        answer.cancel(true);
        throw new InterruptException(e);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
      }
    }
  }

  /** The meaning of failed calls. */
  static final class RestFailures {
    private static final Set<Integer> LATER = Set.of(408, 425, 429);

    /** A call for one schema, which a stranger may have named. */
    private static final Pattern SCHEMA_CALL =
        Pattern.compile("GET /(schemas/.*|subjects/.*/versions/\\d+)");

    private static final int MAX_BODY_CHARS = 200;

    private RestFailures() {}

    static RegistryException silent(RegistryUrl url, IOException e) {
      String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      return new RegistryException(
          Kind.UNAVAILABLE,
          at(url)
              + " does not answer: "
              + (e instanceof ConnectException ? "connection refused or timed out" : why),
          e);
    }

    /** A retry would return the same. */
    static RegistryException tooLong(RegistryUrl url, String call) {
      return new RegistryException(
          SCHEMA_CALL.matcher(call).matches() ? Kind.MISSING : Kind.REFUSED,
          at(url) + " answers " + call + " with more than " + LimitedBody.MAX_BYTES + " bytes");
    }

    static RegistryException nonsense(RegistryUrl url, String call, Exception e) {
      return new RegistryException(
          Kind.UNAVAILABLE,
          at(url) + " answers " + call + " with an invalid answer: " + firstLine(e),
          e);
    }

    /**
     * A registry's 404 has an error code for the missing object, such as 40401. Another 404 comes
     * from a proxy or a wrong path, and says nothing about schemas. An invalid schema id (400, 422)
     * is as definite, and so is a registry's 403 for an id: a producer may use an id that this
     * process must not read, which does not concern other ids.
     */
    static RegistryException refusal(RegistryUrl url, String call, HttpResponse<String> response) {
      int status = response.statusCode();
      int code = errorCode(response.body());
      String text = at(url) + " answers " + call + " with " + status + ": " + said(response.body());
      if (status == 404) {
        return code / 100 == 404
            ? new RegistryException(Kind.MISSING, text)
            : new RegistryException(Kind.UNKNOWN_PATH, text + remedy(status));
      }
      if (SCHEMA_CALL.matcher(call).matches()) {
        if (status == 400 || status == 422) {
          return new RegistryException(Kind.MISSING, text);
        }
        if (status == 403 && (code == 403 || code / 100 == 403)) {
          return new RegistryException(Kind.MISSING, text + remedy(status));
        }
      }
      if (status / 100 == 5 || LATER.contains(status)) {
        return new RegistryException(Kind.UNAVAILABLE, text + remedy(status));
      }
      return new RegistryException(Kind.REFUSED, text + remedy(status));
    }

    private static String remedy(int status) {
      return switch (status) {
        case 401, 403 ->
            " (check "
                + RegistrySettings.BASIC_USER_INFO
                + " or "
                + RegistrySettings.BEARER_TOKEN
                + ")";
        case 404 -> " (check the path in " + RegistrySettings.URL + ")";
        case 409 -> " (the schema is not compatible with a version of the subject)";
        default -> "";
      };
    }

    private static String firstLine(Exception e) {
      return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static int errorCode(String body) {
      return fields(body).get("error_code") instanceof Number code ? code.intValue() : 0;
    }

    private static String said(String body) {
      String text = fields(body).get("message") instanceof String message ? message : body;
      String line = text.strip().replaceAll("\\s+", " ");
      return line.length() <= MAX_BODY_CHARS ? line : line.substring(0, MAX_BODY_CHARS) + "...";
    }

    private static Map<?, ?> fields(String body) {
      try {
        return Json.read(body) instanceof Map<?, ?> fields ? fields : Map.of();
      } catch (IOException e) {
        return Map.of();
      }
    }

    private static String at(RegistryUrl url) {
      return "schema registry at " + url.base();
    }
  }

  /** Reads the text of an answer up to a limit that no schema needs. */
  static final class LimitedBody implements BodySubscriber<String> {
    static final int MAX_BYTES = 1 << 20;

    /** An answer exceeds the limit. */
    static final class TooLongException extends IOException {
      private static final long serialVersionUID = 1;

      TooLongException() {
        super("more than " + MAX_BYTES + " bytes");
      }
    }

    private final CompletableFuture<String> text = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Subscription subscription;

    @Override
    public CompletionStage<String> getBody() {
      return text;
    }

    @Override
    public void onSubscribe(Subscription begun) {
      subscription = begun;
      begun.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
      for (ByteBuffer part : parts) {
        if (text.isDone()) {
          return;
        }
        if (bytes.size() + part.remaining() > MAX_BYTES) {
          subscription.cancel();
          text.completeExceptionally(new TooLongException());
          return;
        }
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        bytes.writeBytes(copy);
      }
    }

    @Override
    public void onError(Throwable failure) {
      text.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      text.complete(bytes.toString(StandardCharsets.UTF_8));
    }
  }

  /**
   * TLS by Kafka's {@code ssl.} settings: trust stores, key stores, PEM, protocols and ciphers. The
   * host name is always verified, because the JDK's HTTP client cannot disable it.
   */
  record RegistryTls(SSLContext context, SSLParameters parameters) {
    static RegistryTls of(Map<String, ?> settings) {
      ConfigDef def = new ConfigDef();
      SslConfigs.addClientSslSupport(def);
      Map<String, Object> ssl = new HashMap<>(def.parse(settings));
      if (ssl.get(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG) != null) {
        throw new ConfigException(
            SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG,
            ssl.get(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG),
            "a schema registry does not support it; expected: unset");
      }
      try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
        factory.configure(ssl);
        SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(array(ssl.get(SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG)));
        parameters.setCipherSuites(array(ssl.get(SslConfigs.SSL_CIPHER_SUITES_CONFIG)));
        return new RegistryTls(factory.sslContext(), parameters);
      }
    }

    /** The elements of a list; null, which selects the JDK's defaults, if it is empty. */
    private static String[] array(Object list) {
      return list instanceof List<?> names && !names.isEmpty()
          ? names.stream().map(Object::toString).toArray(String[]::new)
          : null;
    }
  }
}
