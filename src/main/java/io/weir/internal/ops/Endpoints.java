package io.weir.internal.ops;

import io.weir.internal.app.Key;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves health and metrics of a command. */
public final class Endpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Endpoints.class);

  private Endpoints() {}

  /**
   * Starts the endpoint. If the port cannot be opened, the command runs without health and metrics,
   * and logs a warning.
   */
  public static Optional<HttpEndpoint> start(
      String host, int port, Key<Integer> key, Map<String, Page> pages) {
    try {
      HttpEndpoint endpoint = HttpEndpoint.start(host, port, pages);
      String what = pages.containsKey("/metrics") ? "health and metrics" : "health only";
      LOG.info("{} on port {}", what, endpoint.port());
      return Optional.of(endpoint);
    } catch (IOException e) {
      LOG.warn(
          "{} = {}: {}; no health and metrics (0 chooses a free port)",
          key.propertyName(),
          port,
          e.getMessage());
      return Optional.empty();
    }
  }
}
