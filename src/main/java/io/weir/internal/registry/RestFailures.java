package io.weir.internal.registry;

import io.weir.internal.registry.RegistryException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Set;

/** The meaning of failed calls. */
final class RestFailures {
  private static final Set<Integer> LATER = Set.of(408, 425, 429);
  private static final String SCHEMA_CALL = "GET /schemas/";
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
        call.startsWith(SCHEMA_CALL) ? Kind.MISSING : Kind.REFUSED,
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
    if (call.startsWith(SCHEMA_CALL)) {
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
