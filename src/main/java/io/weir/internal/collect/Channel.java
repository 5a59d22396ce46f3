package io.weir.internal.collect;

import io.weir.topic.Topic;

/**
 * A target topic of rows. The order of the constants is that of the sequences in weir_collector.
 */
enum Channel {
  READINGS(Topic.READINGS),
  EVENTS(Topic.EVENTS),
  SCHEDULED(Topic.SCHEDULED);

  private final Topic topic;

  Channel(Topic topic) {
    this.topic = topic;
  }

  Topic topic() {
    return topic;
  }
}
