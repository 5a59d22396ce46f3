package io.weir.internal.ops;

import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request to a {@link Site}.
 *
 * @param uri as the client sent it
 * @param headers by name in lower case; several of a name are joined by commas
 * @param client its address
 * @param body its beginning; is not copied
 */
public record SiteRequest(
    String method, URI uri, Map<String, String> headers, InetAddress client, byte[] body) {
  public SiteRequest {
    headers = Map.copyOf(headers);
  }

  /** The value of a header; empty where it is not there. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }
}
