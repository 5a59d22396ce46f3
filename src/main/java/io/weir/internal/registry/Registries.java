package io.weir.internal.registry;

import io.weir.internal.time.MonotonicClock;
import java.util.function.LongSupplier;
import org.apache.kafka.common.config.ConfigException;

/** Opens registries. */
public final class Registries {
  private static final String JSON = "com.fasterxml.jackson.core.JsonFactory";

  private Registries() {}

  /**
   * Opens the configured registry, with a cache. It is not called yet, and needs no close.
   *
   * @throws ConfigException if no registry is set, or jackson-core is missing for one over HTTP
   */
  public static SchemaRegistry open(RegistrySettings settings) {
    return open(settings, MonotonicClock::millis, Pause.SLEEP);
  }

  /** Same as {@link #open(RegistrySettings)}, with a given clock and pause. */
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

  /** Jackson is optional for a gateway without a registry. */
  private static void requireJson(RegistrySettings settings) {
    try {
      Class.forName(JSON, false, Registries.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new ConfigException(
          RegistrySettings.URL,
          settings.urls().stream().map(RegistryUrl::shown).toList(),
          "a registry needs com.fasterxml.jackson.core:jackson-core on the class path");
    }
  }
}
