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
 * The topics of Weir, each declared here and nowhere else: how {@code weir topics} makes and checks
 * it, what is on it, and who reads and writes it. Names, settings, ACLs, schemas and {@code weir
 * tail} follow from it.
 */
public enum Topic {
  READINGS(
      new Declaration("readings", "batches of readings, from the gateways")
          .of(ReadingBatch.getDefaultInstance())
          .keptFor(Duration.ofHours(72), Declaration.EIGHT_GB)
          .writtenBy(User.GATEWAY, User.RUN, User.OPERATOR)
          .readBy(User.RUN)),
  WINDOWS(
      new Declaration("windows", "summaries of windows")
          .of(WindowSummary.getDefaultInstance())
          .keptFor(Duration.ofDays(30), Declaration.EIGHT_GB)
          .writtenBy(User.RUN)
          .readBy(User.EVENTS)),
  /** Only where rollups are switched on. */
  ROLLUPS(
      new Declaration("rollups", "summaries of larger spans that windows are put together to")
          .of(WindowSummary.getDefaultInstance())
          .keptFor(Duration.ofDays(30), Declaration.EIGHT_GB)
          .onlyIfSwitchedOn()
          .writtenBy(User.RUN)
          .readBy(User.EVENTS)),
  /** Only where hopping windows are switched on. */
  HOPPING(
      new Declaration("hopping", "summaries of hopping windows, one at the end of each window")
          .of(WindowSummary.getDefaultInstance())
          .keptFor(Duration.ofDays(14), Declaration.EIGHT_GB)
          .onlyIfSwitchedOn()
          .writtenBy(User.RUN)),
  /** The newest record of a sensor is its status, so it is compacted. */
  STATUS(
      new Declaration("status", "the state of sensors, and their alarms")
          .of(SensorStatus.getDefaultInstance())
          .compacted()
          .onlyIfSwitchedOn()
          .writtenBy(User.RUN)),
  LATE(
      new Declaration("late", "readings that came after their window")
          .of(ReadingBatch.getDefaultInstance())
          .keptFor(Duration.ofDays(14), Declaration.ONE_GIB)
          .withRoomForOriginals()
          .writtenBy(User.RUN)),
  DEAD_LETTERS(
      new Declaration("dead-letters", "readings and records that are refused")
          .of(ReadingBatch.getDefaultInstance())
          .keptFor(Duration.ofDays(14), Declaration.ONE_GIB)
          .withRoomForOriginals()
          .writtenBy(User.RUN, User.EVENTS, User.HANDLER)),
  /** One partition, as orders have one order; kept for ever, and never framed. */
  CONTROL(
      new Declaration("control", "operators' orders, such as weir gateway reset")
          .of(ControlRecord.getDefaultInstance())
          .writtenBy(User.OPERATOR)
          .readBy(User.RUN)),
  EVENTS(
      new Declaration("events", "batches of events: sent, come due, and alarms")
          .of(EventBatch.getDefaultInstance())
          .keptFor(Duration.ofDays(14), Declaration.EIGHT_GB)
          .onlyIfSwitchedOn()
          .ofKeys()
          .writtenBy(User.PUBLISHER, User.RUN, User.EVENTS, User.HANDLER)
          .readBy(User.EVENTS, User.HANDLER)),
  /** What waits is state: a scheduled event outlives its record. */
  SCHEDULED(
      new Declaration("scheduled", "batches of events that are due later")
          .of(EventBatch.getDefaultInstance())
          .keptFor(Duration.ofDays(14), Declaration.EIGHT_GB)
          .onlyIfSwitchedOn()
          .ofKeys()
          .writtenBy(User.PUBLISHER, User.EVENTS)
          .readBy(User.EVENTS)),
  FOLDED(
      new Declaration("folded", "what the events of a key come to once it rests")
          .of(FoldedEvent.getDefaultInstance())
          .keptFor(Duration.ofDays(30), Declaration.EIGHT_GB)
          .onlyIfSwitchedOn()
          .ofKeys()
          .writtenBy(User.EVENTS)),
  GROUPS(
      new Declaration("groups", "summaries of windows of groups of sensors")
          .of(GroupSummary.getDefaultInstance())
          .keptFor(Duration.ofDays(30), Declaration.EIGHT_GB)
          .onlyIfSwitchedOn()
          .ofKeys()
          .writtenBy(User.EVENTS)),
  /**
   * The way from the sensors' partitions to those of their groups; bare, as nobody else reads it.
   */
  GROUP_PARTS(
      new Declaration("group-parts", "summaries of sensors on the way to their groups")
          .of(WindowSummary.getDefaultInstance())
          .keptFor(Duration.ofHours(72), Declaration.EIGHT_GB)
          .onlyIfSwitchedOn()
          .ofKeys()
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
    HANDLER
  }

  /**
   * When old records are deleted: whichever bound is reached first.
   *
   * @param time since they were appended
   * @param bytesPerPartition of each partition, as Kafka counts; -1 for no bound
   */
  public record Retention(Duration time, long bytesPerPartition) {}

  private static final class Declaration {
    /** 500 GiB over 64 partitions. */
    static final long EIGHT_GB = 8_388_608_000L;

    static final long ONE_GIB = 1L << 30;

    private final String text;
    private final String content;
    private Message message;
    private Retention retention;
    private boolean holdsOriginals;
    private boolean optional;
    private boolean keyed;
    private boolean compacted;
    private final Set<User> readers = EnumSet.noneOf(User.class);
    private final Set<User> writers = EnumSet.noneOf(User.class);

    Declaration(String text, String content) {
      this.text = text;
      this.content = content;
    }

    Declaration of(Message value) {
      message = value;
      return this;
    }

    Declaration keptFor(Duration time, long bytesPerPartition) {
      retention = new Retention(time, bytesPerPartition);
      return this;
    }

    /** Of each key the newest record is kept, for ever. */
    Declaration compacted() {
      compacted = true;
      return this;
    }

    Declaration withRoomForOriginals() {
      holdsOriginals = true;
      return this;
    }

    Declaration onlyIfSwitchedOn() {
      optional = true;
      return this;
    }

    /** Records are in the partition of a key that is no sensor's id. */
    Declaration ofKeys() {
      keyed = true;
      return this;
    }

    Declaration readBy(User... users) {
      readers.addAll(Set.of(users));
      return this;
    }

    Declaration writtenBy(User... users) {
      writers.addAll(Set.of(users));
      return this;
    }
  }

  private final Declaration declared;

  Topic(Declaration declared) {
    this.declared = declared;
  }

  /** Those whose partitions are the sensors', readings first. */
  public static Stream<Topic> ofSensors() {
    return Stream.of(values()).filter(Topic::isOfSensors);
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

  /** Whether a sensor's records are in the sensor's partition. */
  public boolean isOfSensors() {
    return this != CONTROL && !declared.keyed;
  }

  /** Whether values may be framed, and so have a schema in the registry. */
  public boolean isFramed() {
    return this != CONTROL && this != GROUP_PARTS;
  }

  /** How many partitions it has, exactly. */
  public int partitions() {
    return this == CONTROL ? 1 : SensorPartition.COUNT;
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

  /** Whether it is there only where settings switch it on. */
  public boolean isOptional() {
    return declared.optional;
  }

  /** Whether a user's program cannot do without reading it. */
  public boolean isReadBy(User user) {
    return declared.readers.contains(user);
  }

  /** Whether a user's program writes to it. */
  public boolean isWrittenBy(User user) {
    return declared.writers.contains(user);
  }

  /** Whether {@code weir run} writes to it what it has worked out, inside its transactions. */
  public boolean isOutput() {
    return isWrittenBy(User.RUN) && this != READINGS;
  }
}
