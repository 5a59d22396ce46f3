package io.weir.internal.serve;

import com.fasterxml.jackson.core.JsonGenerator;
import io.weir.internal.ops.Reply;
import java.io.IOException;
import java.util.Map;

/** An answer that is an error: application/problem+json, RFC 9457. */
final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String parameter;
  private final transient Map<String, String> headers;

  private Problem(int status, String parameter, String detail, Map<String, String> headers) {
    super(detail, null, false, false);
    this.status = status;
    this.parameter = parameter;
    this.headers = headers;
  }

  static Problem of(int status, String detail) {
    return new Problem(status, "", detail, Map.of());
  }

  static Problem of(int status, String detail, Map<String, String> headers) {
    return new Problem(status, "", detail, headers);
  }

  /** A parameter is wrong. */
  static Problem parameter(String name, String detail) {
    return new Problem(400, name, detail, Map.of());
  }

  /** The answer may come later. */
  static Problem later(int seconds, String detail) {
    return new Problem(503, "", detail, Map.of("Retry-After", Integer.toString(seconds)));
  }

  Reply.Bytes reply() {
    byte[] body = Json.object(this::write);
    return new Reply.Bytes(status, "application/problem+json", body, headers);
  }

  private void write(JsonGenerator json) throws IOException {
    json.writeStringField("type", "about:blank");
    json.writeStringField("title", title(status));
    json.writeNumberField("status", status);
    json.writeStringField("detail", getMessage());
    if (!parameter.isEmpty()) {
      json.writeStringField("parameter", parameter);
    }
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 406 -> "Not Acceptable";
      case 413 -> "Content Too Large";
      case 414 -> "URI Too Long";
      case 503 -> "Service Unavailable";
      default -> "Internal Server Error";
    };
  }
}
