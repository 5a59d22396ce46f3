package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.lab.oracle.Findings;
import io.weir.lab.oracle.NaiveRecord;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Runs of {@code weir send events}, each in a process of its own: one that goes on for long, with
 * lines on its standard input, and short ones beside it. Each line of a run that ended well must be
 * there once, and no run may be refused because of another. One thread at a time.
 */
final class EventSenders implements AutoCloseable {
  private static final String GATEWAY = "weir-send";
  private static final String HEAP = "96m";
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final int LINES = 4;

  /** Few, so that every run writes to the partitions of every other. */
  private static final int KEYS = 3;

  /** Brokers' clocks may be wrong, and gateways are not older than that. */
  private static final long AGE_MS = 3 * 86_400_000L;

  private final String bootstrapServers;
  private final PlantedBug bug;
  private final ChaosKeys keys;
  private final Path dir;
  private final Set<String> due = new HashSet<>();
  private final Findings findings = new Findings();
  private Run longOne;
  private long runs;
  private long failed;
  private long number;

  private static final class Run {
    final List<String> subjects = new ArrayList<>();
    final int badLines;
    ChildProcess process;
    volatile String last = "";

    Run(int badLines) {
      this.badLines = badLines;
    }

    void hear(String line) {
      if (line.startsWith("sent ")) {
        last = line;
      }
    }
  }

  EventSenders(String bootstrapServers, PlantedBug bug, ChaosKeys keys, Path dir) {
    this.keys = keys;
    this.bootstrapServers = bootstrapServers;
    this.bug = bug;
    this.dir = dir;
  }

  /** Lines for the long run, which is begun where there is none, and a short run. */
  synchronized void round() {
    if (longOne == null) {
      longOne = start(new Run(0), "-");
    }
    lines(longOne).forEach(longOne.process::say);
    Run run = new Run(1);
    List<String> lines = new ArrayList<>(lines(run));
    lines.add("{\"key\":\"no event\"");
    Path file = dir.resolve("events.jsonl");
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(run, file.toString());
    Waiting.until(TIMEOUT, () -> !run.process.isAlive());
    end(run);
    if (!longOne.process.isAlive()) {
      end(longOne);
      longOne = null;
    }
  }

  private List<String> lines(Run run) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      String subject = "line-" + number++;
      run.subjects.add(subject);
      long atMs = System.currentTimeMillis() - AGE_MS;
      String when = i == 0 ? ",\"id\":\"%s\",\"due_ms\":%d".formatted(subject, atMs) : "";
      lines.add(
          "{\"key\":\"sent-%d\",\"subject\":\"%s\",\"timestamp_ms\":%d%s,\"fields\":{\"n\":%d}}"
              .formatted(number % KEYS, subject, atMs, when, number));
    }
    return lines;
  }

  private Run start(Run run, String file) {
    runs++;
    List<String> arguments =
        new ArrayList<>(List.of("send", "events", "--bootstrap-servers=" + bootstrapServers));
    String id = bug == PlantedBug.SENDERS_SHARE_AN_ID ? GATEWAY : GATEWAY + "-" + runs;
    Map<String, String> key = keys.gateway(id);
    if (bug == PlantedBug.SENDERS_SHARE_AN_ID || !key.isEmpty()) {
      arguments.add("--gateway-id=" + id);
    }
    arguments.add(file);
    Path log = dir.resolve(run.badLines == 0 ? "sender-long.log" : "sender-short.log");
    run.process = ChildProcess.start(Application.WEIR, HEAP, arguments, key, log, run::hear);
    return run;
  }

  private void end(Run run) {
    run.process.close();
    if (run.process.exitValue() != 0) {
      // As where brokers were away: each line may be there or not.
      failed++;
      return;
    }
    due.addAll(run.subjects);
    long scheduled = run.subjects.size() / LINES;
    String says =
        "sent %d, scheduled %d, rejected %d"
            .formatted(run.subjects.size() - scheduled, scheduled, run.badLines);
    if (!run.last.equals(says)) {
      findings.wrongRecord("weir send events says " + run.last + ", must be " + says);
    }
  }

  /** Ends the input of the long run, and waits for its end. */
  synchronized void finish() {
    if (longOne != null) {
      longOne.process.endInput();
      longOne.process.await();
      end(longOne);
      longOne = null;
    }
  }

  /** Adds what it finds on the topics; to be called once, after the end. */
  synchronized void judge(String direct, EventVerdict.Builder verdict) {
    Map<String, Integer> found = new HashMap<>();
    try (CommittedTopic reader = new CommittedTopic(direct)) {
      Set<String> batches = new HashSet<>();
      for (Topic topic : List.of(Topic.EVENTS, Topic.SCHEDULED)) {
        reader.read(TopicNames.ALL.of(topic), record -> take(record, batches, found));
      }
      reader.read(TopicNames.ALL.deadLetters(), this::deadLetter);
    }
    for (String subject : due) {
      if (!found.containsKey(subject)) {
        findings.lost(1, subject + " of a run of weir send events that ended well");
      }
    }
    found.forEach(
        (subject, times) -> {
          if (times > 1) {
            findings.doubled(times - 1, subject + " of weir send events");
          }
        });
    verdict.add(
        findings,
        String.format(
            Locale.ROOT,
            "weir send events: %,d runs, %,d of them failed; %,d lines of the others",
            runs,
            failed,
            due.size()));
  }

  private static void take(
      ConsumerRecord<byte[], byte[]> record, Set<String> batches, Map<String, Integer> found) {
    EventBatch batch = batch(record);
    if (batch == null
        || !batches.add(
            "%s %d %s %d %d"
                .formatted(
                    record.topic(),
                    record.partition(),
                    batch.getGatewayId(),
                    batch.getBootId(),
                    batch.getSequence()))) {
      return;
    }
    for (Event event : batch.getEventsList()) {
      found.merge(event.getSubject(), 1, Integer::sum);
    }
  }

  /** Of a run; null where it is not. */
  private static EventBatch batch(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record.value() == null || NaiveRecord.isTick(record)) {
        return null;
      }
      EventBatch batch = EventBatch.parseFrom(record.value());
      return batch.getGatewayId().startsWith(GATEWAY) ? batch : null;
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }

  private void deadLetter(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader(DeadLetterHeaders.REASON);
    String reason = header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    EventBatch batch = batch(record);
    if (batch != null && (reason.equals("FENCED") || reason.equals("STALE_SEQUENCE"))) {
      findings.lost(
          batch.getEventsCount(),
          "events of " + batch.getGatewayId() + " are dead letters: " + reason);
    }
  }

  @Override
  public synchronized void close() {
    if (longOne != null) {
      longOne.process.close();
    }
  }
}
