package io.weir.internal.input.sparkplug;

/** Takes the births and deaths of edge nodes and devices. */
public interface NodeEvents {
  /** For nobody. */
  NodeEvents NONE = (type, group, node, device, bdSeq, cause) -> {};

  /**
   * Takes one.
   *
   * @param type sparkplug.birth or sparkplug.death
   * @param device empty for the edge node itself
   * @param bdSeq of the edge node; -1 if it is not known
   * @param cause the type of the message
   */
  void take(String type, String group, String node, String device, long bdSeq, String cause);
}
