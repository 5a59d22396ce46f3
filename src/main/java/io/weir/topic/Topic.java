package io.weir.topic;

import com.google.protobuf.Message;
import io.weir.v1.ControlRecord;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import io.weir.v1.GroupSummary;
import io.weir.v1.ReadingBatch;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The topics of Weir, each declared only here: its settings, content, readers and writers. Names,
 * ACLs, schemas, {@code weir topics} and {@code weir tail} are derived from it.
 */
public enum Topic {
  READINGS(
      new TopicDeclaration("readings", "batches of readings from gateways")
          .of(ReadingBatch.getDefaultInstance())
          .keyedBy(RecordKey.GATEWAY_ID)
          .keptFor(Duration.ofHours(72), TopicDeclaration.EIGHT_GB)
          .writtenBy(User.GATEWAY, User.IMPORT, User.OPERATOR, User.REDRIVE)
          .tickedBy(User.RUN)
          .readBy(User.RUN)),
  WINDOWS(
      new TopicDeclaration("windows", "summaries of windows")
          .of(WindowSummary.getDefaultInstance())
          .keyedBy(RecordKey.SENSOR_ID)
          .keptFor(Duration.ofDays(30), TopicDeclaration.EIGHT_GB)
          .writtenBy(User.RUN)
          .readBy(User.EVENTS, User.SINK, User.SERVE, User.REDRIVE)),
  /** Exists only if rollups are enabled. */
  ROLLUPS(
      new TopicDeclaration("rollups", "summaries of longer windows, computed from windows")
          .of(WindowSummary.getDefaultInstance())
          .keyedBy(RecordKey.SENSOR_ID)
          .keptFor(Duration.ofDays(30), TopicDeclaration.EIGHT_GB)
          .onlyWith("rollups")
          .writtenBy(User.RUN)
          .readBy(User.EVENTS, User.SINK, User.SERVE)),
  /** Exists only if hopping windows are enabled. */
  HOPPING(
      new TopicDeclaration("hopping", "summaries of hopping windows, one at the end of each window")
          .of(WindowSummary.getDefaultInstance())
          .keyedBy(RecordKey.SENSOR_ID)
          .keptFor(Duration.ofDays(14), TopicDeclaration.EIGHT_GB)
          .onlyWith("hopping")
          .writtenBy(User.RUN)
          .readBy(User.SINK, User.SERVE)),
  /** The same summaries as on windows, with a key for each window: the last record is the value. */
  LATEST(
      new TopicDeclaration("latest", "last summary of each window")
          .of(WindowSummary.getDefaultInstance())
          .keyedBy(RecordKey.WINDOW)
          .latestOf("windows")
          .keptFor(Duration.ofDays(30), TopicDeclaration.EIGHT_GB)
          .writtenBy(User.RUN)),
  LATEST_ROLLUPS(
      new TopicDeclaration("latest.rollups", "last summary of each rollup")
          .of(WindowSummary.getDefaultInstance())
          .keyedBy(RecordKey.WINDOW)
          .latestOf("rollups")
          .keptFor(Duration.ofDays(30), TopicDeclaration.EIGHT_GB)
          .writtenBy(User.RUN)),
  LATEST_HOPPING(
      new TopicDeclaration("latest.hopping", "last summary of each hopping window")
          .of(WindowSummary.getDefaultInstance())
          .keyedBy(RecordKey.WINDOW)
          .latestOf("hopping")
          .keptFor(Duration.ofDays(14), TopicDeclaration.EIGHT_GB)
          .writtenBy(User.RUN)),
  /** The newest record of a sensor is its status, so it is compacted. */
  STATUS(
      new TopicDeclaration("status", "status of sensors and their alarms")
          .of(SensorStatus.getDefaultInstance())
          .keyedBy(RecordKey.SENSOR_ID)
          .compacted()
          .onlyWith("status")
          .writtenBy(User.RUN)
          .readBy(User.SINK, User.SERVE)),
  LATE(
      new TopicDeclaration("late", "readings that arrived after their window closed")
          .of(ReadingBatch.getDefaultInstance())
          .keyedBy(RecordKey.GATEWAY_ID)
          .keptFor(Duration.ofDays(14), TopicDeclaration.ONE_GIB)
          .withRoomForOriginals()
          .writtenBy(User.RUN)
          .readBy(User.REDRIVE, User.SERVE)),
  DEAD_LETTERS(
      new TopicDeclaration("dead-letters", "refused readings and records")
          .of(ReadingBatch.getDefaultInstance())
          .keyedBy(RecordKey.AS_RECEIVED)
          .keptFor(Duration.ofDays(14), TopicDeclaration.ONE_GIB)
          .withRoomForOriginals()
          .writtenBy(User.RUN, User.EVENTS, User.HANDLER, User.IMPORT)
          .readBy(User.REDRIVE, User.SERVE)),
  /** One partition, because orders need a total order; kept for ever, never framed. */
  CONTROL(
      new TopicDeclaration("control", "orders of operators, such as weir gateway reset")
          .of(ControlRecord.getDefaultInstance())
          .keyedBy(RecordKey.GATEWAY_ID)
          .inOnePartition()
          .bare()
          .writtenBy(User.OPERATOR)
          .readBy(User.EVENTS, User.HANDLER, User.IMPORT, User.RUN, User.REDRIVE)),
  EVENTS(
      new TopicDeclaration("events", "batches of events: published, due, and alarms")
          .of(EventBatch.getDefaultInstance())
          .keyedBy(RecordKey.GATEWAY_ID)
          .keptFor(Duration.ofDays(14), TopicDeclaration.EIGHT_GB)
          .onlyWith("events")
          .placedByKeys()
          .writtenBy(User.PUBLISHER, User.RUN, User.EVENTS, User.HANDLER, User.REDRIVE)
          .tickedBy(User.EVENTS, User.HANDLER)
          .readBy(User.EVENTS, User.HANDLER)),
  /** Waiting events are in the state: a scheduled event outlives its record. */
  SCHEDULED(
      new TopicDeclaration("scheduled", "batches of events that are due later")
          .of(EventBatch.getDefaultInstance())
          .keyedBy(RecordKey.GATEWAY_ID)
          .keptFor(Duration.ofDays(14), TopicDeclaration.EIGHT_GB)
          .onlyWith("events")
          .placedByKeys()
          .writtenBy(User.PUBLISHER, User.HANDLER, User.REDRIVE)
          .tickedBy(User.EVENTS)
          .readBy(User.EVENTS)),
  FOLDED(
      new TopicDeclaration("folded", "one folded event for each key and quiet period")
          .of(FoldedEvent.getDefaultInstance())
          .keyedBy(RecordKey.EVENT_KEY)
          .keptFor(Duration.ofDays(30), TopicDeclaration.EIGHT_GB)
          .onlyWith("fold")
          .placedByKeys()
          .writtenBy(User.EVENTS)
          .readBy(User.SINK)),
  GROUPS(
      new TopicDeclaration("groups", "summaries of group windows")
          .of(GroupSummary.getDefaultInstance())
          .keyedBy(RecordKey.GROUP)
          .keptFor(Duration.ofDays(30), TopicDeclaration.EIGHT_GB)
          .onlyWith("groups")
          .placedByKeys()
          .writtenBy(User.EVENTS)
          .readBy(User.SINK, User.SERVE)),
  /**
   * Moves summaries from the sensors' partitions to those of their groups; internal and therefore
   * unframed.
   */
  GROUP_PARTS(
      new TopicDeclaration(
              "group-parts", "summaries of sensors, in the partitions of their groups (internal)")
          .of(WindowSummary.getDefaultInstance())
          .keyedBy(RecordKey.GROUP)
          .keptFor(Duration.ofHours(72), TopicDeclaration.EIGHT_GB)
          .onlyWith("groups")
          .placedByKeys()
          .bare()
          .writtenBy(User.EVENTS)
          .readBy(User.EVENTS));

  /** The programs that read or write topics. */
  public enum User {
    /** {@code weir run}. */
    RUN,
    /** {@code weir edge}, or a program that embeds the publisher. */
    GATEWAY,
    /** {@code weir gateway reset}. */
    OPERATOR,
    /** {@code weir send}, or a program that publishes events. */
    PUBLISHER,
    /** {@code weir events}. */
    EVENTS,
    /** A program with key handlers. */
    HANDLER,
    /** {@code weir sink}: reads the topics that have a table. */
    SINK,
    /** {@code weir import}: reads topics of other programs, too. */
    IMPORT,
    /** {@code weir serve}: reads those of them that exist. */
    SERVE,
    /** {@code weir redrive}; records its progress on a separate topic. */
    REDRIVE
  }

  /** The content of record keys; internal records, such as ticks, have no key. */
  public enum RecordKey {
    /** The id of the gateway or of the publisher of events. */
    GATEWAY_ID,
    SENSOR_ID,
    /** The sensor id with the start and the end of the window, in protobuf or JSON. */
    WINDOW,
    /** The key of the refused record. */
    AS_RECEIVED,
    /** The key of the event or of the folded events. */
    EVENT_KEY,
    /** The group of sensors. */
    GROUP
  }

  /**
   * The retention of records: the limit that is reached first applies.
   *
   * @param time since they were appended
   * @param bytesPerPartition of each partition, as Kafka counts; -1 for no bound
   */
  public record Retention(Duration time, long bytesPerPartition) {}

  private final TopicDeclaration declared;

  Topic(TopicDeclaration declared) {
    this.declared = declared;
  }

  /** The topics that a program reads or writes, readings first. */
  public static Stream<Topic> of(User user) {
    return Stream.of(values()).filter(topic -> topic.isReadBy(user) || topic.isWrittenBy(user));
  }

  /** The topics that a program reads. */
  public static Stream<Topic> readBy(User user) {
    return Stream.of(values()).filter(topic -> topic.isReadBy(user));
  }

  /** Its name in settings and {@code weir tail}, such as dead-letters. */
  public String text() {
    return declared.text;
  }

  /** Its default name on a cluster. */
  public String defaultName() {
    return "weir." + declared.text;
  }

  /**
   * The topic of summaries, by its name in settings, of which this one has the last of each window;
   * empty for all others.
   */
  public Optional<String> latestOf() {
    return Optional.ofNullable(declared.latestOf);
  }

  /** The topic with the last of each window of this one, if there is one. */
  public Optional<Topic> latest() {
    return Stream.of(values())
        .filter(topic -> declared.text.equals(topic.declared.latestOf))
        .findFirst();
  }

  /** A short description of its content. */
  public String content() {
    return declared.content;
  }

  /** The message in its values. */
  public Message message() {
    return declared.message;
  }

  /** The content of its record keys, in UTF-8 except for windows. */
  public RecordKey key() {
    return declared.key;
  }

  /** Whether a sensor's records are in the sensor's partition. */
  public boolean isOfSensors() {
    return declared.ofSensors;
  }

  /** Whether values may be framed, and so have a schema in the registry. */
  public boolean isFramed() {
    return declared.framed;
  }

  /** How many partitions it has, exactly. */
  public int partitions() {
    return declared.partitions;
  }

  /** The default retention, also of topics that are compacted; empty for ever. */
  public Optional<Retention> retention() {
    return Optional.ofNullable(declared.retention);
  }

  /** Whether it is compacted. */
  public boolean isCompacted() {
    return declared.compacted;
  }

  /** Whether it must accept a record of the maximum size with additional headers. */
  public boolean holdsOriginals() {
    return declared.holdsOriginals;
  }

  /** Whether it exists only if a setting enables it. */
  public boolean isOptional() {
    return declared.switchedOnBy != null;
  }

  /**
   * The setting, such as {@code fold}, that enables it by a value other than the default; empty if
   * it always exists.
   */
  public Optional<String> switchedOnBy() {
    return Optional.ofNullable(declared.switchedOnBy);
  }

  /** Whether a program must read it. */
  public boolean isReadBy(User user) {
    return declared.readers.contains(user);
  }

  /** Whether a program writes to it, including ticks. */
  public boolean isWrittenBy(User user) {
    return declared.writers.contains(user) || declared.tickers.contains(user);
  }

  /** Whether a program writes records other than ticks to it. */
  public boolean isOutputOf(User user) {
    return declared.writers.contains(user);
  }

  /** Whether {@code weir run} writes results to it in its transactions. */
  public boolean isOutput() {
    return isOutputOf(User.RUN);
  }

  /**
   * The properties of a {@link Topic}. Defaults: it is kept for ever, always exists, its values may
   * be framed, and it is partitioned by sensor.
   */
  static final class TopicDeclaration {
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
}
