package io.weir.internal.topology;

import io.weir.internal.hot.CountedByMinute;
import io.weir.internal.hot.HotList;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts readings of the gateways of one partition, also of those that number nothing and are in no
 * state. Beyond a number of ids a minute new ones are counted together. Not safe for several
 * threads.
 */
final class HotGateways {
  /** What is left of the ids when there are too many. */
  static final String REST = "(others)";

  private final int mostIds;
  private final HotList<Gateway> list = new HotList<>();
  private Map<String, Gateway> byId = new HashMap<>();

  private static final class Gateway extends CountedByMinute {
    private final String id;

    Gateway(String id) {
      this.id = id;
    }

    @Override
    public String name() {
      return id;
    }
  }

  /**
   * @param mostIds that are distinguished in a minute
   */
  HotGateways(int mostIds) {
    this.mostIds = mostIds;
  }

  HotList<?> list() {
    return list;
  }

  void observe(long logMs) {
    if (list.observe(logMs)) {
      byId = new HashMap<>();
    }
  }

  void add(String id, long readings) {
    Gateway gateway = byId.get(id);
    if (gateway == null) {
      String known = byId.size() < mostIds ? id : REST;
      gateway = byId.computeIfAbsent(known, Gateway::new);
    }
    list.add(gateway, readings);
  }
}
