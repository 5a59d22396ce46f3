package io.weir.internal.input.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer.
 *
 * @param contentType empty for none
 * @param body shared, do not modify
 */
public record HttpReply(int status, String contentType, byte[] body, Map<String, String> headers) {
  private static final byte[] EMPTY = {};

  public static HttpReply of(int status) {
    return new HttpReply(status, "", EMPTY, Map.of());
  }

  public static HttpReply json(int status, String json) {
    return new HttpReply(
        status, "application/json", json.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  /** The same with a header. */
  public HttpReply with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new HttpReply(status, contentType, body, more);
  }

  /** An error whose body every client of the inputs understands. */
  public static HttpReply error(int status, String message) {
    String quoted = quoted(message);
    return json(
        status,
        "{\"code\":\"%s\",\"message\":%s,\"error\":%s}".formatted(code(status), quoted, quoted));
  }

  private static String code(int status) {
    return switch (status) {
      case 401 -> "unauthorized";
      case 403 -> "forbidden";
      case 404 -> "not found";
      case 405 -> "method not allowed";
      case 413 -> "request too large";
      case 415 -> "unsupported media type";
      case 503 -> "unavailable";
      default -> "invalid";
    };
  }

  /** A JSON string. */
  public static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
