package io.weir.internal.registry;

import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.wire.SchemaKey;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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

  /**
   * Caches ids, versions and schemas, which do not change. A missing schema is cached only for a
   * short time, because it may be registered later; a failed request is not cached. Threads that
   * need the same schema at the same time may each send a request.
   */
  static final class CachingRegistry implements SchemaRegistry {
    private record InSubject(String subject, Schema schema) {}

    private final SchemaRegistry registry;
    private final TimedCache<InSubject, Integer> ids;
    private final TimedCache<InSubject, Registered> registered;
    private final TimedCache<String, Registered> latest;

    /** By number and subject. */
    private final TimedCache<String, Registered> versions;

    /** One list, without a key. */
    private final TimedCache<String, List<String>> subjects;

    private final TimedCache<SchemaKey, Schema> schemas;
    private final TimedCache<SchemaKey, RegistryException> missing;

    CachingRegistry(SchemaRegistry registry, RegistrySettings settings, LongSupplier elapsedMs) {
      this.registry = registry;
      int most = settings.number(RegistrySettings.CACHED_SCHEMAS);
      long latestMs = millis(settings.seconds(RegistrySettings.LATEST_TTL_SEC));
      long missingMs = millis(settings.seconds(RegistrySettings.MISSING_TTL_SEC));
      this.ids = new TimedCache<>(most, Long.MAX_VALUE, elapsedMs);
      this.registered = new TimedCache<>(most, Long.MAX_VALUE, elapsedMs);
      this.latest = new TimedCache<>(most, latestMs, elapsedMs);
      this.versions = new TimedCache<>(most, Long.MAX_VALUE, elapsedMs);
      this.subjects = new TimedCache<>(1, missingMs, elapsedMs);
      this.schemas = new TimedCache<>(most, Long.MAX_VALUE, elapsedMs);
      this.missing = new TimedCache<>(most, missingMs, elapsedMs);
    }

    private static long millis(long seconds) {
      return seconds < 0 ? Long.MAX_VALUE : TimeUnit.SECONDS.toMillis(seconds);
    }

    @Override
    public int register(String subject, Schema schema) {
      return cached(ids, new InSubject(subject, schema), () -> registry.register(subject, schema));
    }

    @Override
    public Registered lookUp(String subject, Schema schema) {
      return cached(
          registered, new InSubject(subject, schema), () -> registry.lookUp(subject, schema));
    }

    @Override
    public Registered latest(String subject) {
      return cached(latest, subject, () -> registry.latest(subject));
    }

    @Override
    public Registered version(String subject, int version) {
      return cached(versions, version + " " + subject, () -> registry.version(subject, version));
    }

    @Override
    public List<String> subjects() {
      return cached(subjects, "", registry::subjects);
    }

    @Override
    public Schema schema(SchemaKey key) {
      RegistryException absence = missing.get(key);
      if (absence != null) {
        throw absence;
      }
      try {
        return cached(schemas, key, () -> registry.schema(key));
      } catch (RegistryException e) {
        if (e.kind() == Kind.MISSING) {
          missing.put(key, e);
        }
        throw e;
      }
    }

    @Override
    public void delete(String subject) {
      registry.delete(subject);
      ids.removeIf(key -> key.subject().equals(subject));
      registered.removeIf(key -> key.subject().equals(subject));
      latest.removeIf(subject::equals);
      versions.removeIf(key -> key.endsWith(" " + subject));
    }

    private static <K, V> V cached(TimedCache<K, V> cache, K key, Supplier<V> source) {
      V known = cache.get(key);
      if (known != null) {
        return known;
      }
      V value = source.get();
      cache.put(key, value);
      return value;
    }
  }
}
