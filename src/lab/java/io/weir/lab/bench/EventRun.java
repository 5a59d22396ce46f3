package io.weir.lab.bench;

import io.weir.edge.Compression;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * One run of events: the measured process has topics of its own. What is folded is there before it
 * starts. What comes due is scheduled when it is ready, waits, and is read by this process.
 */
final class EventRun {
  private static final byte[] KEY = LoadBatches.GATEWAY.getBytes(StandardCharsets.UTF_8);
  private static final long BACK_MS = Duration.ofHours(6).toMillis();

  /** A million timers and what serves them; the other runs have more than they need. */
  private static final String TIMERS_HEAP = "-Xmx1g";

  /**
   * The first timer comes due when all were taken, on a machine that takes so many a second; how
   * many waited at once is among the figures.
   */
  private static final long TAKEN_A_SECOND = 25_000;

  private static final long HEAD_START_MS = 5_000;

  private final Task task;
  private final Admin admin;
  private final List<String> flags;
  private final TopicNames names;
  private final Compression compression;

  EventRun(Task task, Admin admin, List<String> flags, Compression compression) {
    this.task = task;
    this.admin = admin;
    this.flags = flags;
    this.compression = compression;
    this.names = EventTopics.of(task.run());
  }

  /** The run's own topic that is read. */
  static String topicOf(String run, Subject subject) {
    return EventTopics.of(run).of(subject == Subject.TIMERS ? Topic.SCHEDULED : Topic.EVENTS);
  }

  Figures measure() {
    EventTopics.createFor(task.run(), admin);
    return task.subject() == Subject.TIMERS ? measureTimers() : measureFolds();
  }

  private Figures measureFolds() {
    long startMs = System.currentTimeMillis() - BACK_MS;
    EventBatches batches = new EventBatches();
    send(sink -> batches.writeFolding(task.readings(), startMs, sink));
    try (ChildJvm process = start(flags)) {
      return Figures.parse(process.line());
    }
  }

  private Figures measureTimers() {
    List<String> smaller = new ArrayList<>(flags);
    smaller.add(TIMERS_HEAP);
    try (ChildJvm process = start(smaller)) {
      FleetRun.ready(process);
      long firstDueMs =
          System.currentTimeMillis() + HEAD_START_MS + task.readings() * 1000 / TAKEN_A_SECOND;
      try (DueEvents due =
          new DueEvents(task.bootstrapServers(), names.of(Topic.EVENTS), task.readings())) {
        EventBatches batches = new EventBatches();
        send(sink -> batches.writeTimers(task.readings(), task.perSecond(), firstDueMs, sink));
        return Figures.parse(process.line()).with(due.end());
      }
    }
  }

  private ChildJvm start(List<String> with) {
    return ChildJvm.start(MeasuredProcess.class.getName(), with, "", task.toArguments());
  }

  private void send(Consumer<EventBatches.Sink> load) {
    AtomicReference<Exception> failure = new AtomicReference<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(LoadGenerator.settings(task.bootstrapServers(), compression))) {
      load.accept(
          (partition, batch) ->
              producer.send(
                  new ProducerRecord<>(task.topic(), partition, KEY, batch),
                  (metadata, e) -> failure.compareAndSet(null, e)));
    }
    if (failure.get() != null) {
      throw new KafkaException(failure.get());
    }
  }
}
