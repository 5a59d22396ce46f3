package io.weir.internal.input.sparkplug;

import io.weir.internal.input.Sensor;
import java.util.HashMap;
import java.util.Map;

/** The metrics that a birth of an edge node or device names. Not thread-safe. */
final class Births {
  private static final int METRIC_BYTES = 300;
  private static final int BYTES_OF_NAME = 4;

  private final Map<String, Born> names = new HashMap<>();
  private final Map<Long, Born> aliases = new HashMap<>();
  private final Memory.Share memory;
  private long bytes;

  /** A metric of a birth. */
  static final class Born {
    final String name;
    final int type;

    /** Made with its first reading. */
    Sensor sensor;

    Born(String name, int type) {
      this.name = name;
      this.type = type;
    }
  }

  Births(Memory.Share memory) {
    this.memory = memory;
  }

  /** Null if there is no memory for it. */
  Born add(String name, int type, boolean hasAlias, long alias) {
    long more = METRIC_BYTES + (long) BYTES_OF_NAME * name.length();
    if (!memory.take(more)) {
      return null;
    }
    bytes += more;
    Born born = new Born(name, type);
    names.put(name, born);
    if (hasAlias) {
      aliases.put(alias, born);
    }
    return born;
  }

  /** Null if it is not known. */
  Born named(String name) {
    return names.get(name);
  }

  /** Null if it is not known. */
  Born aliased(long alias) {
    return aliases.get(alias);
  }

  /** Forgets all. */
  void clear() {
    names.clear();
    aliases.clear();
    memory.free(bytes);
    bytes = 0;
  }
}
