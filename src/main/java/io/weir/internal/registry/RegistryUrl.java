package io.weir.internal.registry;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;

/**
 * An address of a registry.
 *
 * @param base URL without credentials, query and trailing slash
 * @param authorization header of its own credentials
 */
record RegistryUrl(String base, Optional<String> authorization) {
  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");

  static RegistryUrl of(String url) {
    URI uri = parse(url);
    String host = uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceAll("/+$", "");
    return new RegistryUrl(
        uri.getScheme() + "://" + host + path,
        Optional.ofNullable(uri.getUserInfo())
            .map(RegistryUrl::basic)); // Here its %40 is decoded to @.
  }

  /**
   * @throws ConfigException if it is invalid
   */
  static void check(String url) {
    if (!url.startsWith("mock://")) {
      of(url);
    }
  }

  /**
   * Whether credentials, its own or common ones, would be sent over plain HTTP to another machine.
   */
  static boolean isInClearText(String url, boolean authorized) {
    if (!url.startsWith("http:")) {
      return false;
    }
    URI uri = parse(url);
    return (authorized || uri.getUserInfo() != null) && !LOCAL.contains(uri.getHost());
  }

  private static URI parse(String url) {
    try {
      URI uri = new URI(url);
      if (uri.getHost() != null && uri.getScheme() != null && SCHEMES.contains(uri.getScheme())) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Reported below; the exception's message would show the password.
    }
    throw new ConfigException(
        RegistrySettings.URL
            + " has an invalid address (not shown, because it may contain a password); expected:"
            + " http://host:port, https://host:port or mock://scope, comma-separated; in a name or"
            + " password write %20 for a blank, %2F for /, %40 for @ and %2C for a comma");
  }

  /** An address without its credentials. */
  static String shown(String url) {
    return url.replaceAll("//[^/]*@", "//***@");
  }

  /** The header for {@code user:password}. */
  static String basic(String userInfo) {
    return "Basic " + Base64.getEncoder().encodeToString(userInfo.getBytes(StandardCharsets.UTF_8));
  }
}
