package io.weir.lab.cli.demo;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.app.EventApplication;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.EventMeters;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.UndecodableException;
import io.weir.topic.Topic;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import io.weir.v1.SensorStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code weir events} beside the demo, and a reader of what it and the alarms write. */
final class DemoEvents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DemoEvents.class);
  private static final Duration POLL = Duration.ofMillis(200);

  private final LiveEvents live = new LiveEvents();
  private final WeirConfig config;
  private final StreamsApplication application;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread reader = new Thread(this::read, "demo-events");

  private DemoEvents(WeirConfig config) {
    this.config = config;
    this.application = EventApplication.start(config, new EventMeters(new SimpleMeterRegistry()));
    this.consumer = consumer(config);
  }

  /** The settings that switch on status, alarms and folds. */
  static Map<String, String> settings(Path directory, long nowMs) {
    return Map.of(
        EventKeys.STATUS.name(), "true",
        EventKeys.SILENT_AFTER.name(), "3s",
        EventKeys.RULES_FILE.name(), DemoRules.write(directory, nowMs).toString(),
        EventKeys.GROUP.name(), "plant",
        EventKeys.EVENTS.name(), "true",
        EventKeys.EVENTS_APPLICATION_ID.name(), "weir-demo-events",
        EventKeys.FOLD.name(), "true",
        EventKeys.FOLD_QUIET.name(), "2s",
        EventKeys.FOLD_MAX_HOLD.name(), "10s");
  }

  /** Starts both; the topics are there. */
  static DemoEvents start(WeirConfig config) {
    DemoEvents events = new DemoEvents(config);
    events.reader.setDaemon(true);
    events.reader.start();
    return events;
  }

  LiveEvents.View view() {
    return live.view();
  }

  private static KafkaConsumer<byte[], byte[]> consumer(WeirConfig config) {
    Map<String, Object> settings = new HashMap<>(config.kafka().forConsumer());
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        Stream.of(Topic.STATUS, Topic.EVENTS, Topic.FOLDED)
            .flatMap(topic -> consumer.partitionsFor(config.topics().of(topic)).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  private void read() {
    try (consumer) {
      while (true) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          add(record);
        }
      }
    } catch (WakeupException e) {
      // Asked to end.
    } catch (InvalidProtocolBufferException | UndecodableException | RuntimeException e) {
      LOG.warn("status, alarms and folds are not shown any more", e);
    }
  }

  private void add(ConsumerRecord<byte[], byte[]> record)
      throws InvalidProtocolBufferException, UndecodableException {
    byte[] value = record.value();
    if (value == null) {
      return;
    }
    if (record.topic().equals(config.topics().of(Topic.STATUS))) {
      live.add(parsed(SensorStatus.parser(), value));
    } else if (record.topic().equals(config.topics().of(Topic.EVENTS))) {
      live.add(parsed(EventBatch.parser(), value));
    } else {
      live.add(parsed(FoldedEvent.parser(), value));
    }
  }

  private static <M> M parsed(Parser<M> parser, byte[] value)
      throws InvalidProtocolBufferException, UndecodableException {
    int payload = Frame.payloadOffset(value);
    return parser.parseFrom(value, payload, value.length - payload);
  }

  /** Ends both. */
  @Override
  public void close() {
    application.close();
    consumer.wakeup();
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
