package io.weir.internal.serve;

import io.weir.internal.input.Client;
import io.weir.internal.input.Clients;
import io.weir.internal.ops.Reply;
import io.weir.internal.ops.SiteRequest;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Who may read: with a file of clients those with a token, or with the cookie that a login with the
 * token gives; without, everybody on this machine. The key of a cookie is the SHA-256 of the token:
 * every instance with the file takes it, and none does once the client or its token is gone from
 * the file. Safe for many threads.
 */
final class Access {
  static final String COOKIE = "__Host-weir";

  private static final long COOKIE_SECONDS = 12 * 3_600;
  private static final int WRONG_A_MINUTE = 10;
  private static final long MINUTE_MS = 60_000;
  private static final int MAX_ADDRESSES = 10_000;
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final Optional<Clients> clients;
  private final LongSupplier wallMs;
  private final Map<String, Wrong> wrongByAddress =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Wrong> eldest) {
          return size() > MAX_ADDRESSES;
        }
      };

  /** Wrong tokens of an address within a minute. */
  private record Wrong(long sinceMs, int count) {}

  /**
   * @param clients empty for everybody on this machine
   * @param wallMs the wall clock
   */
  Access(Optional<Clients> clients, LongSupplier wallMs) {
    this.clients = clients;
    this.wallMs = wallMs;
  }

  /**
   * Makes sure that a browser was not led here under a foreign name, which would make this page a
   * part of a foreign one.
   *
   * @throws Problem if it was
   */
  void checkHost(SiteRequest request) {
    if (clients.isEmpty()) {
      String host = request.header("Host").orElse("").toLowerCase(Locale.ROOT);
      String name = host.replaceFirst(":\\d{1,5}$", "");
      if (!LOOPBACK.contains(name)) {
        throw Problem.of(403, "the Host header is not localhost, 127.0.0.1 or [::1]");
      }
    }
  }

  /**
   * The name of who asks.
   *
   * @throws Problem if nobody may know
   */
  String client(SiteRequest request) {
    if (clients.isEmpty()) {
      return "local";
    }
    Optional<String> bearer =
        request
            .header("Authorization")
            .filter(value -> value.regionMatches(true, 0, "Bearer ", 0, 7))
            .map(value -> value.substring(7).strip());
    if (bearer.isPresent()) {
      checkThrottle(request);
      return named(Clients.hash(bearer.get()), request);
    }
    // A cookie cannot be guessed, and behind a proxy all clients have one address.
    Optional<String> known = cookie(request).flatMap(this::ofCookie);
    if (known.isEmpty()) {
      checkThrottle(request);
      throw Problem.of(
          401,
          "a token is needed: Authorization: Bearer TOKEN, or a login",
          Map.of("WWW-Authenticate", "Bearer"));
    }
    return known.get();
  }

  private String named(String sha256, SiteRequest request) {
    Client client = clients.orElseThrow().byHash().get(sha256);
    if (client == null) {
      countWrong(request);
      throw Problem.of(401, "no client has this token", Map.of("WWW-Authenticate", "Bearer"));
    }
    return client.name();
  }

  private synchronized void checkThrottle(SiteRequest request) {
    Wrong wrong = wrongByAddress.get(request.client().getHostAddress());
    if (wrong != null
        && wrong.count() >= WRONG_A_MINUTE
        && wallMs.getAsLong() - wrong.sinceMs() < MINUTE_MS) {
      throw Problem.of(403, "too many wrong tokens; try again in a minute");
    }
  }

  private synchronized void countWrong(SiteRequest request) {
    long nowMs = wallMs.getAsLong();
    wrongByAddress.merge(
        request.client().getHostAddress(),
        new Wrong(nowMs, 1),
        (before, first) -> {
          if (nowMs - before.sinceMs() >= MINUTE_MS) {
            return first;
          }
          int count = before.count() + 1;
          return new Wrong(count == WRONG_A_MINUTE ? nowMs : before.sinceMs(), count);
        });
  }

  /** Takes a token from a form, and gives a cookie. */
  Reply login(SiteRequest request) {
    checkThrottle(request);
    checkOrigin(request);
    String token =
        Parameters.of(new String(request.body(), StandardCharsets.UTF_8), Set.of("token"))
            .text("token");
    if (clients.isPresent()) {
      String sha256 = Clients.hash(token);
      String name = named(sha256, request);
      long until = wallMs.getAsLong() / 1_000 + COOKIE_SECONDS;
      String signed = base64(name.getBytes(StandardCharsets.UTF_8)) + "." + until;
      return redirect(signed + "." + base64(hmac(sha256, signed)), COOKIE_SECONDS);
    }
    return redirect("", 0);
  }

  /** Takes the cookie away. */
  Reply logout(SiteRequest request) {
    checkOrigin(request);
    return redirect("", 0);
  }

  private static void checkOrigin(SiteRequest request) {
    String host = request.header("Host").orElse("");
    request
        .header("Origin")
        .filter(origin -> !origin.equals("https://" + host) && !origin.equals("http://" + host))
        .ifPresent(
            origin -> {
              throw Problem.of(403, "the form is of another page");
            });
  }

  private static Reply redirect(String value, long seconds) {
    String cookie =
        "%s=%s; Path=/; Max-Age=%d; HttpOnly; Secure; SameSite=Strict"
            .formatted(COOKIE, value, seconds);
    return new Reply.Bytes(
        303,
        "text/plain; charset=utf-8",
        new byte[0],
        Map.of("Location", "/", "Set-Cookie", cookie));
  }

  private static Optional<String> cookie(SiteRequest request) {
    for (String pair : request.header("Cookie").orElse("").split("[;,]")) {
      if (pair.strip().startsWith(COOKIE + "=")) {
        return Optional.of(pair.strip().substring(COOKIE.length() + 1));
      }
    }
    return Optional.empty();
  }

  private Optional<String> ofCookie(String cookie) {
    String[] parts = cookie.split("\\.", -1);
    if (parts.length != 3 || !parts[1].matches("\\d{1,12}")) {
      return Optional.empty();
    }
    if (Long.parseLong(parts[1]) < wallMs.getAsLong() / 1_000) {
      return Optional.empty();
    }
    String signed = parts[0] + "." + parts[1];
    for (Map.Entry<String, Client> client : clients.orElseThrow().byHash().entrySet()) {
      String expected = base64(hmac(client.getKey(), signed));
      if (parts[0].equals(base64(client.getValue().name().getBytes(StandardCharsets.UTF_8)))
          && MessageDigest.isEqual(
              expected.getBytes(StandardCharsets.UTF_8),
              parts[2].getBytes(StandardCharsets.UTF_8))) {
        return Optional.of(client.getValue().name());
      }
    }
    return Optional.empty();
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte[] hmac(String key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(("cookie" + key).getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }
}
