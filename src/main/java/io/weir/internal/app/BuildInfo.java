package io.weir.internal.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * The build that is running.
 *
 * @param version of Weir
 * @param revision git revision of its sources; "unknown" if built without git
 */
public record BuildInfo(String version, String revision) {
  private static final String RESOURCE = "/weir-build.properties";
  private static final String UNKNOWN = "unknown";

  /** Reads the file that the build writes. */
  public static BuildInfo load() {
    Properties properties = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream(RESOURCE)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BuildInfo(property(properties, "version"), property(properties, "revision"));
  }

  private static String property(Properties properties, String key) {
    String value = properties.getProperty(key, "");
    return value.isEmpty() || value.startsWith("${") ? UNKNOWN : value;
  }
}
