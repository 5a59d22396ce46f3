package io.weir.internal.input.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/** Tokens in the header Authorization. */
public final class Credentials {
  private Credentials() {}

  /** The token of {@code Token T}, {@code Token user:T}, {@code Bearer T} or Basic. */
  public static Optional<String> token(HttpHead head) {
    String[] parts = head.header("Authorization").orElse("").strip().split("\\s+", 2);
    if (parts.length < 2) {
      return Optional.empty();
    }
    return switch (parts[0].toLowerCase(Locale.ROOT)) {
      case "bearer" -> Optional.of(parts[1]);
      case "token" -> Optional.of(behindColon(parts[1]));
      case "basic" -> basic(parts[1]);
      default -> Optional.empty();
    };
  }

  private static Optional<String> basic(String encoded) {
    try {
      return Optional.of(behindColon(new String(Base64.getDecoder().decode(encoded), UTF_8)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String behindColon(String text) {
    return text.substring(text.indexOf(':') + 1);
  }
}
