package io.weir.topic;

import com.google.protobuf.Message;
import io.weir.topic.Topic.RecordKey;
import io.weir.topic.Topic.Retention;
import io.weir.topic.Topic.User;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The properties of a {@link Topic}. Defaults: it is kept for ever, always exists, its values may
 * be framed, and it is partitioned by sensor.
 */
final class TopicDeclaration {
  /** 500 GiB over 64 partitions. */
  static final long EIGHT_GB = 8_388_608_000L;

  static final long ONE_GIB = 1L << 30;

  final String text;
  final String content;
  final Set<User> readers = EnumSet.noneOf(User.class);
  final Set<User> writers = EnumSet.noneOf(User.class);
  final Set<User> tickers = EnumSet.noneOf(User.class);
  Message message;
  RecordKey key;
  Retention retention;
  String switchedOnBy;
  String latestOf;
  int partitions = SensorPartition.COUNT;
  boolean ofSensors = true;
  boolean framed = true;
  boolean holdsOriginals;
  boolean compacted;

  TopicDeclaration(String text, String content) {
    this.text = text;
    this.content = content;
  }

  TopicDeclaration of(Message value) {
    message = value;
    return this;
  }

  TopicDeclaration keyedBy(RecordKey what) {
    key = what;
    return this;
  }

  TopicDeclaration keptFor(Duration time, long bytesPerPartition) {
    retention = new Retention(time, bytesPerPartition);
    return this;
  }

  /** The topic is compacted and kept for ever. */
  TopicDeclaration compacted() {
    compacted = true;
    return this;
  }

  /** The topic has the last record of each window of another; a setting lists those. */
  TopicDeclaration latestOf(String topic) {
    latestOf = topic;
    switchedOnBy = "latest";
    compacted = true;
    return this;
  }

  TopicDeclaration withRoomForOriginals() {
    holdsOriginals = true;
    return this;
  }

  /** It exists only if that setting differs from its default. */
  TopicDeclaration onlyWith(String setting) {
    switchedOnBy = setting;
    return this;
  }

  /** It is partitioned by event key or group, not by sensor. */
  TopicDeclaration placedByKeys() {
    ofSensors = false;
    return this;
  }

  TopicDeclaration inOnePartition() {
    partitions = 1;
    ofSensors = false;
    return this;
  }

  /** Values are never framed, and have no schema in the registry. */
  TopicDeclaration bare() {
    framed = false;
    return this;
  }

  TopicDeclaration readBy(User... users) {
    readers.addAll(Set.of(users));
    return this;
  }

  TopicDeclaration writtenBy(User... users) {
    writers.addAll(Set.of(users));
    return this;
  }

  /** These programs append only ticks. */
  TopicDeclaration tickedBy(User... users) {
    tickers.addAll(Set.of(users));
    return this;
  }
}
