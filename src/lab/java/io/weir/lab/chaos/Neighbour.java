package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.FoldedEvent;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * An honest gateway with a sensor in each of some partitions, and the watch over the windows and
 * folds of honest senders. In two threads of its own until it is closed.
 */
final class Neighbour implements AutoCloseable {
  /** So many partitions are attacked. */
  static final int PARTITIONS = 4;

  private static final String PREFIX = "neighbour/";
  private static final Duration STEP = Duration.ofMillis(100);

  /** The sensors of other honest senders. */
  private static final Set<String> OTHERS =
      Set.of(HostileOutbox.NEIGHBOUR, HostileHttp.NEIGHBOUR, HostileMqtt.NEIGHBOUR);

  private final Consumer<String> edge;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<String> sensors = new ArrayList<>();
  private final AtomicBoolean silent = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread writer = new Thread(this::write, "neighbour");
  private final Thread reader = new Thread(this::read, "neighbour's windows");
  private final Map<String, Long> latestEndMs = new ConcurrentHashMap<>();
  private final Map<String, Long> latestFoldMs = new ConcurrentHashMap<>();
  private final Map<String, Map<Long, Long>> counts = new HashMap<>();
  private volatile long longestWaitMs;
  private volatile long written;

  /**
   * @param edge takes lines for {@code weir edge --format json}
   */
  Neighbour(String bootstrapServers, Consumer<String> edge) {
    this.edge = edge;
    for (int number = 0; sensors.size() < PARTITIONS; number++) {
      String sensor = PREFIX + number;
      if (sensors.stream().noneMatch(is -> SensorPartition.of(is) == SensorPartition.of(sensor))) {
        sensors.add(sensor);
      }
    }
    consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                // Hostile records are there too: a broker hands over one of any size.
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                4 << 20),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        Stream.of(Topic.WINDOWS, Topic.FOLDED)
            .flatMap(
                topic ->
                    IntStream.range(0, SensorPartition.COUNT)
                        .mapToObj(n -> new TopicPartition(TopicNames.ALL.of(topic), n)))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    writer.setDaemon(true);
    reader.setDaemon(true);
  }

  void start() {
    writer.start();
    reader.start();
  }

  private void write() {
    while (!Waiting.until(STEP, () -> silent.get() || closed.get())) {
      long nowMs = System.currentTimeMillis();
      for (String sensor : sensors) {
        edge.accept(
            "{\"sensor_id\": \"%s\", \"timestamp_ms\": %d, \"value\": 1.5}"
                .formatted(sensor, nowMs));
        written++;
      }
    }
  }

  private void read() {
    try (consumer) {
      while (!closed.get()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(STEP)) {
          if (isHonest(record)) {
            take(record);
          }
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("Weir wrote what is no message: " + e.getMessage(), e);
    }
  }

  /** Others may be forged, and no messages. */
  private static boolean isHonest(ConsumerRecord<byte[], byte[]> record) {
    String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    return key.startsWith("neighbour") || OTHERS.contains(key);
  }

  private void take(ConsumerRecord<byte[], byte[]> record) throws InvalidProtocolBufferException {
    if (record.topic().equals(TopicNames.ALL.of(Topic.FOLDED))) {
      FoldedEvent fold = FoldedEvent.parseFrom(record.value());
      latestFoldMs.merge(fold.getKey(), fold.getLastTimestampMs(), Math::max);
      return;
    }
    WindowSummary window = WindowSummary.parseFrom(record.value());
    String sensor = window.getSensorId();
    if (sensor.startsWith(PREFIX) || OTHERS.contains(sensor)) {
      long endMs = window.getWindowEndMs();
      Map<Long, Long> ofSensor;
      synchronized (counts) {
        ofSensor = counts.computeIfAbsent(sensor, any -> new HashMap<>());
        if (ofSensor.put(endMs, window.getCount()) == null && !silent.get()) {
          longestWaitMs = Math.max(longestWaitMs, System.currentTimeMillis() - endMs);
        }
      }
      latestEndMs.merge(sensor, endMs, Math::max);
    }
  }

  /** The partition of its sensor of that number. */
  int partition(int number) {
    return SensorPartition.of(sensors.get(number % PARTITIONS));
  }

  String sensor(int number) {
    return sensors.get(number % PARTITIONS);
  }

  /** Whether each of its sensors has a window that ended after a time. */
  boolean hasWindowsAfter(long timeMs) {
    return sensors.stream().allMatch(sensor -> hasWindowAfter(sensor, timeMs));
  }

  boolean hasWindowAfter(String sensor, long timeMs) {
    return latestEndMs.getOrDefault(sensor, 0L) > timeMs;
  }

  /** Whether there is a fold of a key with an event of that time or later. */
  boolean hasFold(String key, long timeMs) {
    return latestFoldMs.getOrDefault(key, 0L) >= timeMs;
  }

  /** How long after its end a window came since the last call, at the most. */
  long drainLongestWaitMs() {
    long longest = longestWaitMs;
    longestWaitMs = 0;
    return longest;
  }

  /** Writes nothing more. */
  void fallSilent() {
    silent.set(true);
    join(writer);
  }

  /** Readings that it wrote. */
  long written() {
    return written;
  }

  /** Readings in its windows. */
  long counted() {
    synchronized (counts) {
      return counts.entrySet().stream()
          .filter(sensor -> sensor.getKey().startsWith(PREFIX))
          .flatMap(sensor -> sensor.getValue().values().stream())
          .mapToLong(Long::longValue)
          .sum();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.set(true);
    join(writer);
    join(reader);
  }
}
