package io.weir.internal.input.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request without its body.
 *
 * @param method in upper case
 * @param path as it was sent, without the query
 * @param rawQuery as it was sent; empty for none
 * @param sender the address it came from
 * @param loopback whether it came to an address that only this machine reaches
 * @param headers the value of a header by its name in any case; null if it is missing
 */
public record HttpHead(
    String method,
    String path,
    String rawQuery,
    String sender,
    boolean loopback,
    Function<String, String> headers) {
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.apply(name));
  }

  /**
   * The parameters of the query; of one that comes twice, the first.
   *
   * @throws RefusedRequestException if it is not percent-encoded
   */
  public Map<String, String> query() {
    return parameters(rawQuery);
  }

  /** The parameters of a query or of a form. */
  public static Map<String, String> parameters(String encoded) {
    Map<String, String> parameters = new HashMap<>();
    for (String parameter : encoded.isEmpty() ? new String[0] : encoded.split("&")) {
      String[] parts = parameter.split("=", 2);
      parameters.putIfAbsent(decoded(parts[0]), parts.length == 1 ? "" : decoded(parts[1]));
    }
    return parameters;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new RefusedRequestException("the query is not percent-encoded");
    }
  }
}
