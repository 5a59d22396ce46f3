package io.weir.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.weir.internal.wire.SchemaKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A registry that sends its callers elsewhere. */
@Timeout(60)
class RedirectTest {
  /** The token would go to whoever the answer names. */
  @Test
  void redirect_isNotFollowed() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger askedElsewhere = new AtomicInteger();
    HttpServer elsewhere = server(askedElsewhere, null);
    HttpServer registry = server(asked, "http://127.0.0.1:" + elsewhere.getAddress().getPort());
    try {
      SchemaRegistry client =
          Registries.open(
              RegistrySettings.of(
                  Map.of(
                      RegistrySettings.URL,
                      "http://127.0.0.1:" + registry.getAddress().getPort(),
                      RegistrySettings.BEARER_SOURCE,
                      "STATIC_TOKEN",
                      RegistrySettings.BEARER_TOKEN,
                      "hunter2",
                      RegistrySettings.MAX_RETRIES,
                      0)),
              () -> 0,
              waitMs -> {});

      assertThatThrownBy(() -> client.schema(new SchemaKey.Id(1)))
          .isInstanceOf(RegistryException.class)
          .hasMessageContaining("307");
      assertThat(asked).hasValue(1);
      assertThat(askedElsewhere).hasValue(0);
    } finally {
      registry.stop(0);
      elsewhere.stop(0);
    }
  }

  /**
   * @param location where it sends its callers, or null for an empty answer
   */
  private static HttpServer server(AtomicInteger asked, String location) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          if (location != null) {
            exchange.getResponseHeaders().set("Location", location + exchange.getRequestURI());
          }
          exchange.sendResponseHeaders(location == null ? 200 : 307, -1);
          exchange.close();
        });
    server.start();
    return server;
  }
}
