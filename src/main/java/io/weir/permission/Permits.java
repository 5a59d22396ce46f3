package io.weir.permission;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What gateways may, by the file as it is at the moment: kept for those that were asked for lately.
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
   * @param source gives the file's version that holds now
   */
  public Permits(Supplier<Permissions> source) {
    this.source = source;
  }

  /** Asked for once for each batch, which so is judged by one version as a whole. */
  public Permit of(String gatewayId) {
    Permissions now = source.get();
    if (now != version) {
      kept.clear();
      version = now;
    }
    return kept.computeIfAbsent(gatewayId, now::permit);
  }
}
