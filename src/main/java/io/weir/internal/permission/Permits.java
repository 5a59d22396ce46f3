package io.weir.internal.permission;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The permissions of gateways by the current version of the file, with a cache of recent gateways.
 * For one thread.
 */
public final class Permits {
  private static final int KEPT = 4096;

  private final Supplier<Permissions> source;
  private Permissions version;

  @SuppressWarnings("serial") // Never serialised.
  private final Map<String, Permit> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Permit> eldest) {
          return size() > KEPT;
        }
      };

  /**
   * @param source returns the current version of the file
   */
  public Permits(Supplier<Permissions> source) {
    this.source = source;
  }

  /** To be called once for each batch, so that one version applies to all of it. */
  public Permit of(String gatewayId) {
    Permissions now = source.get();
    if (now != version) {
      kept.clear();
      version = now;
    }
    return kept.computeIfAbsent(gatewayId, now::permit);
  }
}
