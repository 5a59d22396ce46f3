package io.weir.internal.postgres;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings of a session in the address, such as {@code currentSchema} and {@code options}. They are
 * set by SQL after the connection is open, because poolers such as PgBouncer refuse them at the
 * start.
 *
 * @param url the address without them
 * @param settings by name
 */
record SessionParameters(String url, Map<String, String> settings) {
  private static final String SCHEMA = "currentSchema";
  private static final String OPTIONS = "options";

  /** An option of the server: {@code -c name=value} or {@code --name=value}. */
  private static final Pattern OPTION =
      Pattern.compile("\\G\\s*(?:-c\\s*|--)([A-Za-z0-9_.-]+)=((?:\\\\.|[^\\s\\\\])*)(?=\\s|$)");

  /** Removes them from an address; options in another form remain in it. */
  static SessionParameters of(String url) {
    int query = url.indexOf('?');
    if (query < 0) {
      return new SessionParameters(url, Map.of());
    }
    Map<String, String> settings = new LinkedHashMap<>();
    List<String> left = new ArrayList<>();
    for (String parameter : url.substring(query + 1).split("&")) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      String value =
          equals < 0
              ? ""
              : URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8);
      if (name.equals(SCHEMA) && !value.isEmpty()) {
        settings.put("search_path", value);
      } else if (!name.equals(OPTIONS) || !options(value, settings)) {
        left.add(parameter);
      }
    }
    String address = url.substring(0, query);
    return new SessionParameters(
        left.isEmpty() ? address : address + "?" + String.join("&", left), settings);
  }

  private static boolean options(String text, Map<String, String> settings) {
    Map<String, String> found = new LinkedHashMap<>();
    Matcher matcher = OPTION.matcher(text);
    int end = 0;
    while (matcher.find()) {
      found.put(matcher.group(1).replace('-', '_'), matcher.group(2).replaceAll("\\\\(.)", "$1"));
      end = matcher.end();
    }
    if (found.isEmpty() || !text.substring(end).isBlank()) {
      return false;
    }
    found.forEach(settings::putIfAbsent);
    return true;
  }

  /** Sets them in a session. */
  void set(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select set_config(?, ?, false)")) {
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        statement.setString(1, setting.getKey());
        statement.setString(2, setting.getValue());
        statement.execute();
      }
    }
  }
}
