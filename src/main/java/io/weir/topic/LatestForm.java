package io.weir.topic;

import java.util.Collection;

/** The form of keys and values on the topics that have the last summary of each window. */
public enum LatestForm {
  /** These topics do not exist. */
  OFF,
  /** The messages WindowKey, never framed, and WindowSummary, framed if a registry is set. */
  PROTOBUF,
  /** JSON, never framed. */
  JSON;

  /** These topics without those whose values are JSON, which have no schema in a registry. */
  public TopicNames withoutJson(TopicNames topics) {
    Collection<Topic> json =
        topics.topics().stream()
            .filter(topic -> this == JSON && topic.latestOf().isPresent())
            .toList();
    return topics.without(json);
  }
}
