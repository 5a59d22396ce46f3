package io.weir.internal.postgres;

import java.util.Optional;

/**
 * The address of a database, with the login.
 *
 * @param url JDBC URL
 * @param user empty for the driver's default
 * @param password of that role
 * @param program the client, such as {@code weir sink}
 * @param settings prefix of these settings, such as {@code weir.sink.jdbc}
 */
public record DatabaseAddress(
    String url, Optional<String> user, Optional<String> password, String program, String settings) {
  /** Without parameters, for messages. */
  String name() {
    int parameters = url.indexOf('?');
    String address = parameters < 0 ? url : url.substring(0, parameters);
    return address.substring("jdbc:".length());
  }

  /** Names the database; the password is not shown. */
  @Override
  public String toString() {
    return name();
  }
}
