package io.weir.internal.serve;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.json.RecordJson;
import io.weir.internal.json.TopicMessages;
import io.weir.internal.serve.memory.Memory;
import io.weir.internal.serve.memory.RefusedRecord;
import io.weir.internal.serve.memory.Stored;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import io.weir.topic.Topic;
import io.weir.v1.GroupSummary;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.SensorStatus;
import io.weir.v1.Series;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topics into the memory: status whole, of the others the end. One thread reads; any may
 * ask how far it is.
 */
final class TopicReader {
  private static final Logger LOG = LoggerFactory.getLogger(TopicReader.class);
  private static final Duration POLL = Duration.ofMillis(200);

  /** Of a window on its topic, to make a number of records of a number of bytes. */
  private static final int RECORD_BYTES = 100;

  /** Late records and dead letters of a partition that are read at the start. */
  private static final int LETTERS = 50;

  private static final int MAX_READINGS = 10;
  private static final long LAG_EVERY_MS = 500;

  private final Consumer<byte[], byte[]> consumer;
  private final Memory memory;
  private final Map<String, Topic> topics = new HashMap<>();
  private final Set<String> eventTopics;
  private final long startBytes;
  private final Map<TopicPartition, Long> waitedFor = new ConcurrentHashMap<>();
  private final Map<Integer, Position> positions = new ConcurrentHashMap<>();
  private long lagSeenMs;
  private volatile boolean loaded;
  private boolean undecodableLogged;

  /**
   * How far a partition of the windows was read.
   *
   * @param offset that is next
   * @param appendMs append time of the last record; 0 for none
   * @param waiting records that are not read yet
   */
  record Position(long offset, long appendMs, long waiting) {
    long lagMs(long nowMs) {
      return waiting == 0 || appendMs == 0 ? 0 : Math.max(0, nowMs - appendMs);
    }
  }

  /**
   * @param existing the topics that are there
   */
  TopicReader(
      Consumer<byte[], byte[]> consumer, Memory memory, WeirConfig config, List<Topic> existing) {
    this.consumer = consumer;
    this.memory = memory;
    this.startBytes = config.serve().startBytes();
    existing.forEach(topic -> topics.put(config.nameOf(topic), topic));
    this.eventTopics = Set.of(config.nameOf(Topic.EVENTS), config.nameOf(Topic.SCHEDULED));
  }

  /** Goes to where reading starts. */
  void begin() {
    List<TopicPartition> partitions =
        topics.keySet().stream()
            .flatMap(name -> consumer.partitionsFor(name).stream())
            .map(found -> new TopicPartition(found.topic(), found.partition()))
            .toList();
    consumer.assign(partitions);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    for (TopicPartition partition : partitions) {
      Topic topic = topics.get(partition.topic());
      long end = ends.get(partition);
      long start = Math.max(begins.get(partition), end - mostAtStart(topic));
      consumer.seek(partition, start);
      memory.begin(topic, partition.partition(), start, start == begins.get(partition));
      if (start < end) {
        waitedFor.put(partition, end);
      }
    }
    loaded = waitedFor.isEmpty();
  }

  private long mostAtStart(Topic topic) {
    return switch (topic) {
      case STATUS -> Long.MAX_VALUE / 2;
      case LATE, DEAD_LETTERS -> LETTERS;
      default -> startBytes / RECORD_BYTES / topic.partitions();
    };
  }

  /** Reads some records. */
  void turn(long nowMs) {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      take(record);
    }
    if (nowMs - lagSeenMs >= LAG_EVERY_MS || nowMs < lagSeenMs) {
      lagSeenMs = nowMs;
      look();
    }
  }

  private void look() {
    for (TopicPartition partition : consumer.assignment()) {
      long position = consumer.position(partition);
      if (topics.get(partition.topic()) == Topic.WINDOWS) {
        OptionalLong lag = consumer.currentLag(partition);
        positions.compute(
            partition.partition(),
            (number, before) ->
                new Position(position, before == null ? 0 : before.appendMs(), lag.orElse(0)));
      }
      waitedFor.computeIfPresent(partition, (any, end) -> position >= end ? null : end);
    }
    if (!loaded && waitedFor.isEmpty()) {
      loaded = true;
      LOG.info("all partitions were read to their ends");
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    Topic topic = topics.get(record.topic());
    try {
      switch (topic) {
        case WINDOWS, ROLLUPS, HOPPING -> {
          if (topic == Topic.WINDOWS) {
            positions.put(
                record.partition(), new Position(record.offset() + 1, record.timestamp(), 1));
          }
          Optional<byte[]> value = bare(record.value());
          if (value.isPresent()) {
            memory.window(
                stored(topic, record, value.get()),
                Protobuf.read(WindowSummary.getDefaultInstance(), value.get()));
          }
        }
        case STATUS -> {
          Optional<byte[]> value = bare(record.value());
          if (value.isPresent()) {
            memory.status(
                stored(topic, record, value.get()),
                Protobuf.read(SensorStatus.getDefaultInstance(), value.get()));
          } else if (record.key() != null) {
            memory.forget(new String(record.key(), StandardCharsets.UTF_8));
          }
        }
        case GROUPS -> {
          Optional<byte[]> value = bare(record.value());
          if (value.isPresent()) {
            memory.group(
                stored(topic, record, value.get()),
                Protobuf.read(GroupSummary.getDefaultInstance(), value.get()));
          }
        }
        default -> letter(topic, record);
      }
    } catch (UndecodableException e) {
      if (!undecodableLogged) {
        undecodableLogged = true;
        LOG.warn(
            "{}-{}@{} cannot be decoded and is left out; others are not logged",
            record.topic(),
            record.partition(),
            record.offset());
      }
    }
  }

  private static Stored stored(Topic topic, ConsumerRecord<byte[], byte[]> record, byte[] value) {
    return new Stored(topic, record.partition(), record.offset(), record.timestamp(), value);
  }

  /** The message of a value, without its frame; empty if there is none. */
  static Optional<byte[]> bare(byte[] value) {
    if (value == null) {
      return Optional.empty();
    }
    try {
      int payload = Frame.payloadOffset(value);
      return Optional.of(payload == 0 ? value : Arrays.copyOfRange(value, payload, value.length));
    } catch (UndecodableException e) {
      return Optional.empty();
    }
  }

  private void letter(Topic topic, ConsumerRecord<byte[], byte[]> record) {
    Topic content = TopicMessages.content(topic, record, eventTopics);
    Set<String> sensors = new HashSet<>();
    int readings = 1;
    ConsumerRecord<byte[], byte[]> shown = record;
    if (TopicMessages.read(content, record.value()).orElse(null) instanceof ReadingBatch batch) {
      readings = readings(batch);
      ReadingBatch first = first(batch);
      first.getReadingsList().forEach(reading -> sensors.add(reading.getSensorId()));
      first.getSeriesList().forEach(series -> sensors.add(series.getSensorId()));
      shown = with(record, first.toByteArray());
    } else if (record.value() != null && record.value().length > 1_024) {
      shown = with(record, Arrays.copyOf(record.value(), 1_024));
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (Header header : record.headers()) {
      if (header.value() != null && DeadLetterHeaders.isOurs(header.key())) {
        headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
      }
    }
    String json = RecordJson.line(topic, content, shown, Optional.empty(), false);
    String reason = headers.getOrDefault(DeadLetterHeaders.REASON, "UNKNOWN");
    memory.refuse(
        new RefusedRecord(
            topic, record.partition(), record.offset(), record.timestamp(), headers, sensors, json),
        reason,
        Math.max(1, readings));
  }

  private static int readings(ReadingBatch batch) {
    return batch.getReadingsCount()
        + batch.getSeriesList().stream().mapToInt(Series::getValueCount).sum();
  }

  /** The batch with its first readings alone. */
  static ReadingBatch first(ReadingBatch batch) {
    ReadingBatch.Builder first = batch.toBuilder().clearReadings().clearSeries().clearComplete();
    int left = MAX_READINGS;
    for (Reading reading : batch.getReadingsList()) {
      if (left-- > 0) {
        first.addReadings(reading);
      }
    }
    for (Series series : batch.getSeriesList()) {
      int some = Math.min(left, series.getValueCount());
      if (some > 0) {
        left -= some;
        Series.Builder shorter =
            series.toBuilder().clearTimestampDeltaMs().clearValue().clearQuality();
        shorter.addAllTimestampDeltaMs(
            series
                .getTimestampDeltaMsList()
                .subList(0, Math.min(some, series.getTimestampDeltaMsCount())));
        shorter.addAllValue(series.getValueList().subList(0, some));
        shorter.addAllQualityValue(
            series.getQualityValueList().subList(0, Math.min(some, series.getQualityCount())));
        first.addSeries(shorter);
      }
    }
    return first.build();
  }

  private static ConsumerRecord<byte[], byte[]> with(
      ConsumerRecord<byte[], byte[]> record, byte[] value) {
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType(),
        record.serializedKeySize(),
        value.length,
        record.key(),
        value,
        record.headers(),
        record.leaderEpoch());
  }

  /** Whether every partition was read to the end that it had at the start. */
  boolean isLoaded() {
    return loaded;
  }

  /** How many partitions were not. */
  int waitedFor() {
    return waitedFor.size();
  }

  /** How far the partitions of the windows were read. */
  Map<Integer, Position> positions() {
    return positions;
  }

  /** The largest lag of a partition. */
  long lagMs(long nowMs) {
    return positions.values().stream().mapToLong(each -> each.lagMs(nowMs)).max().orElse(0);
  }
}
