package io.weir.registry;

import io.weir.time.MonotonicClock;
import java.util.function.LongSupplier;
import org.apache.kafka.common.config.ConfigException;

/** Opens registries. */
public final class Registries {
  private static final String JSON = "com.fasterxml.jackson.core.JsonFactory";

  private Registries() {}

  /**
   * The registry that settings name, with a cache before it. Nothing is asked of it yet, and
   * nothing is to be closed.
   *
   * @throws ConfigException if they name none, or one over HTTP where jackson-core is absent
   */
  public static SchemaRegistry open(RegistrySettings settings) {
    return open(settings, MonotonicClock::millis, Pause.SLEEP);
  }

  /** As {@link #open(RegistrySettings)}, with a clock and a way to wait of one's own. */
  public static SchemaRegistry open(
      RegistrySettings settings, LongSupplier elapsedMs, Pause pause) {
    if (!settings.isSet()) {
      throw new ConfigException(RegistrySettings.URL + " is not set");
    }
    if (settings.mockScope().isPresent()) {
      return MockRegistry.scope(settings.mockScope().get());
    }
    requireJson(settings);
    return new CachingRegistry(new RestRegistry(settings, pause), settings, elapsedMs);
  }

  /** A gateway does without, unless it has a registry. */
  private static void requireJson(RegistrySettings settings) {
    try {
      Class.forName(JSON, false, Registries.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new ConfigException(
          RegistrySettings.URL,
          settings.urls().stream().map(RegistryUrl::shown).toList(),
          "a registry wants com.fasterxml.jackson.core:jackson-core on the class path");
    }
  }
}
