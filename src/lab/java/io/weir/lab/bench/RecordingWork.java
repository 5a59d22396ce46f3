package io.weir.lab.bench;

import io.weir.edge.Offer;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextForm;
import io.weir.internal.text.TextFormat;
import io.weir.internal.text.TextInputException;
import io.weir.internal.text.TextLine;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * Weir's publisher with a recording, again and again, in full batches: what a reading takes on the
 * topic, and what the compression costs. The readings are in memory before anything is measured.
 */
final class RecordingWork implements Work {
  private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(5);
  private static final long FULL_PAUSE_NANOS = 200_000;

  private final Task task;
  private final List<Reading> readings;
  private final String topic;
  private final ReadingPublisher publisher;
  private volatile long accepted;
  private volatile boolean closed;

  RecordingWork(Task task) {
    this.task = task;
    Recording recording = task.recording().orElseThrow();
    this.readings = read(recording);
    this.topic = RunTopics.createFor(task);
    this.publisher =
        ReadingPublisher.start(
            RunTopics.gateway(task, topic)
                .flushInterval(FLUSH_INTERVAL)
                .compression(recording.codec())
                .kafka(recording.level())
                .build());
  }

  private static List<Reading> read(Recording recording) {
    List<Reading> readings = new ArrayList<>();
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of(recording.file().toString()),
            Pipes.of(InputStream.nullInputStream()),
            TextForm.of(TextFormat.DETECT),
            Limits.DEFAULT)) {
      for (TextLine line = reader.next(); line != null; line = reader.next()) {
        if (line instanceof TextLine.Good good) {
          readings.add(good.reading());
        }
      }
    } catch (TextInputException e) {
      throw new UncheckedIOException(e);
    }
    if (readings.isEmpty()) {
      throw new IllegalStateException(recording.file() + " has no readings");
    }
    return readings;
  }

  @Override
  public void start() {
    Thread offering = new Thread(this::offerAll, "offering");
    offering.setDaemon(true);
    offering.start();
  }

  private void offerAll() {
    for (long i = 0; i < task.readings() && !closed; i++) {
      Reading reading = readings.get((int) (i % readings.size()));
      while (publisher.offer(reading) != Offer.ACCEPTED && !closed) {
        LockSupport.parkNanos(FULL_PAUSE_NANOS);
      }
      accepted = i + 1;
    }
    publisher.flushAsync();
  }

  @Override
  public long processed() {
    long offered = accepted;
    return Math.max(0, offered - publisher.queuedReadings());
  }

  @Override
  public boolean settled() {
    return publisher.queuedReadings() == 0;
  }

  @Override
  public Figures extras() {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, task.bootstrapServers()))) {
      double bytes = Cluster.bytesOf(admin, topic);
      return Figures.of(
          Map.of(
              Figure.TOPIC_BYTES_PER_READING,
              bytes / task.readings(),
              Figure.RECORDED_READINGS,
              (double) readings.size()));
    }
  }

  @Override
  public void close() {
    closed = true;
    publisher.close();
  }
}
