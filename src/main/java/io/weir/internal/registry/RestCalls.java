package io.weir.internal.registry;

import io.weir.internal.registry.RegistryException.Kind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Calls of the REST API: tries the addresses in turn, beginning with the last one that answered,
 * and repeats after a pause until one answers or the retries are used. A definite answer, success
 * or failure, ends the call. Safe for many threads.
 */
final class RestCalls {
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
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", CONTENT_TYPE);
    }
    url.authorization().or(() -> authorization).ifPresent(a -> request.header("Authorization", a));
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
