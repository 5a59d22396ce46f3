package io.weir.internal.input.sparkplug;

import java.util.Arrays;

/**
 * Of a message: {@code spBv1.0/GROUP/TYPE/NODE[/DEVICE]}.
 *
 * @param device empty for the edge node itself
 */
record SparkplugTopic(Type type, String group, String node, String device) {
  static final String NAMESPACE = "spBv1.0";

  /** Each metric of a message has a copy of a part of it. */
  static final int MOST_LENGTH = 1_024;

  private static final int NODE_LEVELS = 4;

  /** What edge nodes send. */
  enum Type {
    NBIRTH,
    NDATA,
    NDEATH,
    DBIRTH,
    DDATA,
    DDEATH;

    boolean isOfDevice() {
      return compareTo(DBIRTH) >= 0;
    }
  }

  /** Null for a topic that no edge node sends to, such as one of commands. */
  static SparkplugTopic of(String topic) {
    String[] levels = topic.split("/", -1);
    if (levels.length < NODE_LEVELS || !levels[0].equals(NAMESPACE)) {
      return null;
    }
    Type type =
        Arrays.stream(Type.values())
            .filter(each -> each.name().equals(levels[2]))
            .findFirst()
            .orElse(null);
    if (type == null
        || levels.length != (type.isOfDevice() ? NODE_LEVELS + 1 : NODE_LEVELS)
        || Arrays.asList(levels).contains("")) {
      return null;
    }
    return new SparkplugTopic(
        type, levels[1], levels[3], type.isOfDevice() ? levels[NODE_LEVELS] : "");
  }

  /** Names the edge node. */
  String key() {
    return group + "/" + node;
  }
}
