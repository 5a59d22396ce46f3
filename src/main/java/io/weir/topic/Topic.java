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
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The topics of Weir, each declared here and nowhere else: how {@code weir topics} makes and checks
 * it, what is on it, and who reads and writes it. Names, settings, ACLs, schemas and {@code weir
 * tail} follow from it.
 */
public enum Topic {
  READINGS(
      new TopicDeclaration("readings", "batches of readings from gateways")
          .of(ReadingBatch.getDefaultInstance())
          .keyedBy(RecordKey.GATEWAY_ID)
          .keptFor(Duration.ofHours(72), TopicDeclaration.EIGHT_GB)
          .writtenBy(User.GATEWAY, User.OPERATOR, User.REDRIVE)
          .tickedBy(User.RUN)
          .readBy(User.RUN)),
  WINDOWS(
      new TopicDeclaration("windows", "summaries of windows")
          .of(WindowSummary.getDefaultInstance())
          .keyedBy(RecordKey.SENSOR_ID)
          .keptFor(Duration.ofDays(30), TopicDeclaration.EIGHT_GB)
          .writtenBy(User.RUN)
          .readBy(User.EVENTS, User.SINK)),
  /** Only where rollups are switched on. */
  ROLLUPS(
      new TopicDeclaration("rollups", "summaries of longer windows, computed from windows")
          .of(WindowSummary.getDefaultInstance())
          .keyedBy(RecordKey.SENSOR_ID)
          .keptFor(Duration.ofDays(30), TopicDeclaration.EIGHT_GB)
          .onlyWith("rollups")
          .writtenBy(User.RUN)
          .readBy(User.EVENTS, User.SINK)),
  /** Only where hopping windows are switched on. */
  HOPPING(
      new TopicDeclaration("hopping", "summaries of hopping windows, one at the end of each window")
          .of(WindowSummary.getDefaultInstance())
          .keyedBy(RecordKey.SENSOR_ID)
          .keptFor(Duration.ofDays(14), TopicDeclaration.EIGHT_GB)
          .onlyWith("hopping")
          .writtenBy(User.RUN)
          .readBy(User.SINK)),
  /** The newest record of a sensor is its status, so it is compacted. */
  STATUS(
      new TopicDeclaration("status", "status of sensors and their alarms")
          .of(SensorStatus.getDefaultInstance())
          .keyedBy(RecordKey.SENSOR_ID)
          .compacted()
          .onlyWith("status")
          .writtenBy(User.RUN)
          .readBy(User.SINK)),
  LATE(
      new TopicDeclaration("late", "readings that arrived after their window closed")
          .of(ReadingBatch.getDefaultInstance())
          .keyedBy(RecordKey.GATEWAY_ID)
          .keptFor(Duration.ofDays(14), TopicDeclaration.ONE_GIB)
          .withRoomForOriginals()
          .writtenBy(User.RUN)
          .readBy(User.REDRIVE)),
  DEAD_LETTERS(
      new TopicDeclaration("dead-letters", "refused readings and records")
          .of(ReadingBatch.getDefaultInstance())
          .keyedBy(RecordKey.AS_RECEIVED)
          .keptFor(Duration.ofDays(14), TopicDeclaration.ONE_GIB)
          .withRoomForOriginals()
          .writtenBy(User.RUN, User.EVENTS, User.HANDLER)
          .readBy(User.REDRIVE)),
  /** One partition, as orders have one order; kept for ever, and never framed. */
  CONTROL(
      new TopicDeclaration("control", "orders of operators, such as weir gateway reset")
          .of(ControlRecord.getDefaultInstance())
          .keyedBy(RecordKey.GATEWAY_ID)
          .inOnePartition()
          .bare()
          .writtenBy(User.OPERATOR)
          .readBy(User.EVENTS, User.HANDLER, User.RUN, User.REDRIVE)),
  EVENTS(
      new TopicDeclaration("events", "batches of events: published, due, and alarms")
          .of(EventBatch.getDefaultInstance())
          .keyedBy(RecordKey.GATEWAY_ID)
          .keptFor(Duration.ofDays(14), TopicDeclaration.EIGHT_GB)
          .onlyWith("events")
          .placedByKeys()
          .writtenBy(User.PUBLISHER, User.RUN, User.EVENTS)
          .tickedBy(User.EVENTS, User.HANDLER)
          .readBy(User.EVENTS, User.HANDLER)),
  /** What waits is state: a scheduled event outlives its record. */
  SCHEDULED(
      new TopicDeclaration("scheduled", "batches of events that are due later")
          .of(EventBatch.getDefaultInstance())
          .keyedBy(RecordKey.GATEWAY_ID)
          .keptFor(Duration.ofDays(14), TopicDeclaration.EIGHT_GB)
          .onlyWith("events")
          .placedByKeys()
          .writtenBy(User.PUBLISHER)
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
          .readBy(User.SINK)),
  /**
   * The way from the sensors' partitions to those of their groups; bare, as nobody else reads it.
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

  /** Whose program reads or writes a topic. */
  public enum User {
    /** {@code weir run}. */
    RUN,
    /** {@code weir edge}, or a program with the publisher in it. */
    GATEWAY,
    /** {@code weir gateway reset}. */
    OPERATOR,
    /** {@code weir send}, or a program that publishes events. */
    PUBLISHER,
    /** {@code weir events}. */
    EVENTS,
    /** A program with handlers of keys in it. */
    HANDLER,
    /** {@code weir sink}: reads what it has a table for. */
    SINK,
    /** {@code weir redrive}; marks what it has sent on a topic beside the one that it reads. */
    REDRIVE
  }

  /** What is in the keys of records; those that Weir adds for itself, such as ticks, have none. */
  public enum RecordKey {
    /** Of the batch's gateway, or of who published the events. */
    GATEWAY_ID,
    SENSOR_ID,
    /** That of the record which was refused. */
    AS_RECEIVED,
    /** That of the event, or of the events that became one. */
    EVENT_KEY,
    /** The group of sensors. */
    GROUP
  }

  /**
   * When old records are deleted: whichever bound is reached first.
   *
   * @param time since they were appended
   * @param bytesPerPartition of each partition, as Kafka counts; -1 for no bound
   */
  public record Retention(Duration time, long bytesPerPartition) {}

  private final TopicDeclaration declared;

  Topic(TopicDeclaration declared) {
    this.declared = declared;
  }

  /** Those whose partitions are the sensors', readings first. */
  public static Stream<Topic> ofSensors() {
    return Stream.of(values()).filter(Topic::isOfSensors);
  }

  /** Those that a user's program reads or writes, readings first. */
  public static Stream<Topic> of(User user) {
    return Stream.of(values()).filter(topic -> topic.isReadBy(user) || topic.isWrittenBy(user));
  }

  /** Those that a user's program reads. */
  public static Stream<Topic> readBy(User user) {
    return Stream.of(values()).filter(topic -> topic.isReadBy(user));
  }

  /** As settings and {@code weir tail} name it, such as dead-letters. */
  public String text() {
    return declared.text;
  }

  /** Its name on a cluster where nobody gives another. */
  public String defaultName() {
    return "weir." + declared.text;
  }

  /** What is on it, in a few words. */
  public String content() {
    return declared.content;
  }

  /** The message in its values. */
  public Message message() {
    return declared.message;
  }

  /** What is in the keys of its records, in UTF-8. */
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

  /** How long it is kept where nobody says otherwise; empty for ever. */
  public Optional<Retention> retention() {
    return Optional.ofNullable(declared.retention);
  }

  /** Whether of each key only the newest record is kept. */
  public boolean isCompacted() {
    return declared.compacted;
  }

  /** Whether a record of the largest size must fit into it together with further headers. */
  public boolean holdsOriginals() {
    return declared.holdsOriginals;
  }

  /** Whether it is there only where a setting switches it on. */
  public boolean isOptional() {
    return declared.switchedOnBy != null;
  }

  /**
   * The setting, such as {@code fold}, that switches it on by being other than its default; empty
   * where it is always there.
   */
  public Optional<String> switchedOnBy() {
    return Optional.ofNullable(declared.switchedOnBy);
  }

  /** Whether a user's program cannot do without reading it. */
  public boolean isReadBy(User user) {
    return declared.readers.contains(user);
  }

  /** Whether a user's program writes to it, if only ticks. */
  public boolean isWrittenBy(User user) {
    return declared.writers.contains(user) || declared.tickers.contains(user);
  }

  /** Whether a user's program writes to it more than ticks. */
  public boolean isOutputOf(User user) {
    return declared.writers.contains(user);
  }

  /** Whether {@code weir run} writes to it what it has worked out, inside its transactions. */
  public boolean isOutput() {
    return isOutputOf(User.RUN);
  }
}
