package io.weir.internal.ops;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A client's request for a page. Immutable.
 *
 * @param path decoded; begins with a slash
 * @param query decoded parameters by name; the first value of a repeated one
 * @param headers by name in lower case; several of a name are joined by commas
 */
public record PageRequest(String path, Map<String, String> query, Map<String, String> headers) {
  public PageRequest {
    query = Map.copyOf(query);
    headers = Map.copyOf(headers);
  }

  /** A request for a path, without parameters and headers. */
  public static PageRequest of(String path) {
    return new PageRequest(path, Map.of(), Map.of());
  }

  /**
   * Parses a request.
   *
   * @throws IllegalArgumentException if the query is not percent-encoded
   */
  static PageRequest of(URI uri, Map<String, String> headers) {
    return new PageRequest(uri.getPath(), parameters(uri.getRawQuery()), headers);
  }

  private static Map<String, String> parameters(String rawQuery) {
    Map<String, String> parameters = new HashMap<>();
    if (rawQuery != null && !rawQuery.isEmpty()) {
      for (String parameter : rawQuery.split("&")) {
        String[] parts = parameter.split("=", 2);
        parameters.putIfAbsent(decoded(parts[0]), parts.length == 1 ? "" : decoded(parts[1]));
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** This request with a header. */
  public PageRequest with(String name, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(name.toLowerCase(Locale.ROOT), value);
    return new PageRequest(path, query, more);
  }

  /** The value of a parameter; empty if missing. */
  public Optional<String> parameter(String name) {
    return Optional.ofNullable(query.get(name));
  }

  /** The value of a header; empty if missing. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /** The media types that the client accepts, as it sent them; empty for any. */
  public String accept() {
    return header("Accept").orElse("");
  }
}
