package io.weir.registry;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;

/**
 * One address of a registry.
 *
 * @param base where paths are added to; without credentials, query and a slash at its end
 * @param authorization the header that its own credentials make
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
        Optional.ofNullable(uri.getUserInfo()).map(RegistryUrl::basic)); // Its %40 is an @ by now.
  }

  /**
   * @throws ConfigException if it is no address
   */
  static void check(String url) {
    if (!url.startsWith("mock://")) {
      of(url);
    }
  }

  /** Whether credentials, its own or those for all, would go over plain http to another machine. */
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
            + " has an address that is none (it is not shown, as it may hold a password); expected:"
            + " http://host:port, https://host:port or mock://scope, with commas between them, and"
            + " within a name or password a blank is %20, / is %2F, @ is %40 and a comma is %2C");
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
