package io.weir.lab.oracle;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowKey;
import io.weir.v1.WindowSummary;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A partition of the topics with the last summary of each window, in protobuf: the last value of
 * each key must be the last record of the window on the topic of the summaries, and there must be
 * no other key. One thread.
 */
final class LatestCheck {
  private final Map<String, Topic> sources = new HashMap<>();
  private final Map<String, Topic> latest = new HashMap<>();
  private final Map<Topic, Map<ByteString, ByteString>> expected = new HashMap<>();
  private final Map<Topic, Map<ByteString, ByteString>> found = new HashMap<>();

  LatestCheck(TopicNames topics) {
    for (Topic topic : topics.topics()) {
      topic
          .latest()
          .ifPresent(
              last -> {
                sources.put(topics.of(topic), topic);
                latest.put(topics.of(last), topic);
                expected.put(topic, new HashMap<>());
                found.put(topic, new HashMap<>());
              });
    }
  }

  /** Takes a record of any topic. */
  void take(ConsumerRecord<byte[], byte[]> record) throws InvalidProtocolBufferException {
    Topic source = sources.get(record.topic());
    if (source != null) {
      WindowSummary window = WindowSummary.parseFrom(record.value());
      expected.get(source).put(key(window), ByteString.copyFrom(record.value()));
    }
    Topic of = latest.get(record.topic());
    if (of != null) {
      found.get(of).put(ByteString.copyFrom(record.key()), ByteString.copyFrom(record.value()));
    }
  }

  private static ByteString key(WindowSummary window) {
    return WindowKey.newBuilder()
        .setSensorId(window.getSensorId())
        .setWindowStartMs(window.getWindowStartMs())
        .setWindowEndMs(window.getWindowEndMs())
        .build()
        .toByteString();
  }

  void report(Findings findings) {
    expected.forEach(
        (topic, windows) -> {
          Map<ByteString, ByteString> rest = new HashMap<>(found.get(topic));
          windows.forEach(
              (key, value) -> {
                if (!value.equals(rest.remove(key))) {
                  findings.wrongRecord("latest " + topic.text() + ", not the last: " + text(key));
                }
              });
          rest.keySet()
              .forEach(
                  key ->
                      findings.wrongRecord("latest " + topic.text() + ", no window: " + text(key)));
        });
  }

  private static String text(ByteString key) {
    try {
      WindowKey window = WindowKey.parseFrom(key);
      return window.getSensorId() + " " + window.getWindowStartMs();
    } catch (InvalidProtocolBufferException e) {
      return key.toString();
    }
  }
}
