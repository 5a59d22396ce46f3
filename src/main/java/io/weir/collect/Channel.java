package io.weir.collect;

import io.weir.topic.Topic;

/** A topic that rows go to. The order is that of the sequences in weir_collector. */
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
