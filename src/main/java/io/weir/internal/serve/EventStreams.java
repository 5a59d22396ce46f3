package io.weir.internal.serve;

import io.weir.internal.explain.Explanation;
import io.weir.internal.explain.ExplanationJson;
import io.weir.internal.ops.Reply;
import io.weir.internal.serve.memory.Memory;
import io.weir.internal.serve.memory.Memory.Place;
import io.weir.internal.serve.memory.Stored;
import io.weir.internal.time.MonotonicClock;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Server-sent events: the records of a sensor, which resume exactly, and views, which are sent
 * whole at first and then again when they have changed. Each stream has a thread of its own, and a
 * bounded memory. Safe for many threads.
 */
final class EventStreams {
  static final int A_CLIENT = 8;

  private static final int MAX_BEHIND_BYTES = 1 << 20;
  private static final int EXPLANATION_BYTES = 1 << 18;
  private static final long VIEW_EVERY_MS = 1_000;
  private static final int MAX_SHARED_BYTES = 16 << 20;

  /** A server finds out that a reader has gone by writing to it. */
  private static final long COMMENT_EVERY_MS = 1_000;

  private static final byte[] COMMENT = ": \n\n".getBytes(StandardCharsets.UTF_8);
  private static final String RETRY = "retry: 2000\n\n";
  private static final Map<String, String> HEADERS = Map.of("X-Accel-Buffering", "no");
  private static final Map<Topic, Character> TOPIC_MARKS =
      new EnumMap<>(
          Map.of(Topic.WINDOWS, 'w', Topic.ROLLUPS, 'r', Topic.HOPPING, 'h', Topic.STATUS, 's'));
  private static final Pattern PLACE = Pattern.compile("([wrhs])(\\d{1,5}):(-1|\\d{1,18})");

  private final Memory memory;
  private final Api api;
  private final int most;
  private final SharedAnswers answers =
      new SharedAnswers(VIEW_EVERY_MS / 2, MAX_SHARED_BYTES, MonotonicClock::millis);
  private final AtomicInteger open = new AtomicInteger();
  private final Map<String, Integer> byClient = new ConcurrentHashMap<>();

  /**
   * @param most streams at one time
   */
  EventStreams(Memory memory, Api api, int most) {
    this.memory = memory;
    this.api = api;
    this.most = most;
  }

  int open() {
    return open.get();
  }

  /**
   * The records of a sensor.
   *
   * @param lastEventId where the client was; empty for one that is new
   */
  Reply ofSensor(String client, String id, String lastEventId) {
    int partition = SensorPartition.of(id);
    List<Place> places = places(lastEventId, partition);
    return stream(client, out -> new SensorStream(id, partition, places).write(out));
  }

  /** Places of an id that we have given. */
  private static List<Place> places(String lastEventId, int partition) {
    List<Place> places = new ArrayList<>();
    if (lastEventId.isEmpty()) {
      return places;
    }
    for (String text : lastEventId.split(",", -1)) {
      Matcher place = PLACE.matcher(text);
      if (!place.matches() || Integer.parseInt(place.group(2)) != partition) {
        throw Problem.parameter("Last-Event-ID", "it is not of this stream");
      }
      Topic topic =
          TOPIC_MARKS.entrySet().stream()
              .filter(each -> each.getValue() == place.group(1).charAt(0))
              .findFirst()
              .orElseThrow()
              .getKey();
      places.add(new Place(topic, partition, Long.parseLong(place.group(3))));
    }
    return places;
  }

  /**
   * A view.
   *
   * @param path of the API whose answer it is
   * @param rawQuery its parameters; may be null
   */
  Reply ofView(String client, String path, String rawQuery) {
    api.answer(path, rawQuery); // Wrong parameters are an answer, not an event.
    return stream(client, out -> writeView(path, rawQuery, out));
  }

  /** An explanation: how far it has read, then each batch with its verdict, and all together. */
  Reply ofExplanation(String client, String rawQuery) {
    Api.Asked asked = api.asked(rawQuery);
    return stream(client, out -> writeExplanation(asked, out));
  }

  private static void writeExplanation(Api.Asked asked, OutputStream out) throws IOException {
    // Each write has a time limit: small ones would let a slow reader keep an explanation for long.
    OutputStream rows = new BufferedOutputStream(out, EXPLANATION_BYTES);
    try {
      Explanation explanation =
          asked.explain(
              (topic, records, bytes) -> {
                try {
                  out.write(event("progress", "", progress(topic, records, bytes)));
                  out.flush();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      for (Explanation.Row row : explanation.rows()) {
        rows.write(event("row", "", Json.object(json -> ExplanationJson.writeFields(row, json))));
      }
      rows.write(event("result", "", Api.json(explanation)));
      rows.flush();
    } catch (Problem e) {
      out.write(event("problem", "", e.reply().body()));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static byte[] progress(Topic topic, long records, long bytes) {
    return Json.object(
        json -> {
          json.writeStringField("topic", topic.text());
          json.writeNumberField("records", records);
          json.writeNumberField("bytes", bytes);
        });
  }

  private Reply stream(String client, Reply.Writer writer) {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      throw Problem.later(10, "there are " + most + " streams already");
    }
    if (byClient.merge(client, 1, Integer::sum) > A_CLIENT) {
      closed(client);
      throw Problem.later(10, "this client has " + A_CLIENT + " streams already");
    }
    return new Reply.Stream(
        "text/event-stream; charset=utf-8", HEADERS, new Counted(client, writer));
  }

  private void closed(String client) {
    open.decrementAndGet();
    byClient.computeIfPresent(client, (name, count) -> count == 1 ? null : count - 1);
  }

  /** Counts itself as closed at its end. */
  private final class Counted implements Reply.Writer {
    private final String client;
    private final Reply.Writer writer;

    Counted(String client, Reply.Writer writer) {
      this.client = client;
      this.writer = writer;
    }

    @Override
    public void write(OutputStream out) throws IOException, InterruptedException {
      out.write(RETRY.getBytes(StandardCharsets.UTF_8));
      out.flush();
      writer.write(out);
    }

    @Override
    public void ended() {
      closed(client);
    }
  }

  private void writeView(String path, String rawQuery, OutputStream out)
      throws IOException, InterruptedException {
    byte[] last = {};
    long written = MonotonicClock.millis();
    String event = "snapshot";
    while (true) {
      byte[] view = shared(path, rawQuery);
      byte[] now = digest(view);
      if (!Arrays.equals(now, last)) {
        out.write(event(event, "", view));
        out.flush();
        last = now;
        event = "delta";
        written = MonotonicClock.millis();
      } else if (MonotonicClock.millis() - written >= COMMENT_EVERY_MS) {
        out.write(COMMENT);
        out.flush();
        written = MonotonicClock.millis();
      }
      Thread.sleep(VIEW_EVERY_MS);
    }
  }

  /** The same answer for all streams of a moment: a search takes a while. */
  private byte[] shared(String path, String rawQuery) {
    return answers.get(path + "?" + rawQuery, () -> api.answer(path, rawQuery));
  }

  /** A stream remembers this of what it wrote last, as a view may be large. */
  private static byte[] digest(byte[] view) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(view);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] event(String name, String id, byte[] data) {
    ByteArrayOutputStream event = new ByteArrayOutputStream(data.length + 64);
    String head = "event: " + name + "\n" + (id.isEmpty() ? "" : "id: " + id + "\n") + "data: ";
    event.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    event.writeBytes(data); // JSON has no line feeds.
    event.writeBytes(new byte[] {'\n', '\n'});
    return event.toByteArray();
  }

  /** The stream of a sensor. */
  private final class SensorStream {
    private final String id;
    private final int partition;
    private final List<Place> resumeAt;
    private final Deque<Stored> waiting = new ArrayDeque<>();
    private final Map<Topic, Long> next = new EnumMap<>(Topic.class);
    private int waitingBytes;
    private boolean lags;

    SensorStream(String id, int partition, List<Place> resumeAt) {
      this.id = id;
      this.partition = partition;
      this.resumeAt = resumeAt;
    }

    void write(OutputStream out) throws IOException, InterruptedException {
      Memory.Listener listener = this::offer;
      for (Topic topic : TOPIC_MARKS.keySet()) {
        memory.lastOf(topic, partition).ifPresent(place -> next.put(topic, place.offset() + 1));
      }
      List<Place> known = new ArrayList<>();
      next.forEach((topic, offset) -> known.add(new Place(topic, partition, offset - 1)));
      for (Place place : resumeAt) {
        known.removeIf(other -> other.topic() == place.topic());
        known.add(place);
        next.put(place.topic(), place.offset() + 1);
      }
      List<Stored> missed = memory.subscribe(id, known, listener);
      try {
        for (Place place : resumeAt) {
          gap(place, out);
        }
        out.write(("id: " + id(Topic.WINDOWS) + "\n\n").getBytes(StandardCharsets.UTF_8));
        for (Stored record : missed) {
          write(record, out);
        }
        out.flush();
        while (writeNext(out)) {
          out.flush();
        }
      } finally {
        memory.unsubscribe(id, listener);
      }
    }

    private void gap(Place place, OutputStream out) throws IOException {
      long from = place.offset() + 1;
      long first = memory.heldFrom(place.topic(), partition);
      if (from < first) {
        byte[] data =
            Json.object(
                json -> {
                  json.writeStringField("topic", place.topic().text());
                  json.writeNumberField("from", from);
                  json.writeNumberField("next", first);
                });
        out.write(event("gap", "", data));
      }
    }

    private synchronized void offer(Stored record) {
      waitingBytes += record.value().length + 64;
      if (waitingBytes > MAX_BEHIND_BYTES) {
        lags = true;
        waiting.clear();
      }
      if (!lags) {
        waiting.add(record);
      }
      notifyAll();
    }

    /** Writes the next record, or a comment; returns false at the end. */
    private boolean writeNext(OutputStream out) throws IOException, InterruptedException {
      Stored record;
      boolean isBehind;
      synchronized (this) { // No write here: the reader of all topics takes this lock too.
        if (waiting.isEmpty() && !lags) {
          wait(COMMENT_EVERY_MS);
        }
        isBehind = lags;
        record = waiting.poll();
        waitingBytes -= record == null ? 0 : record.value().length + 64;
      }
      if (isBehind) {
        out.write(event("lag", "", Json.object(json -> {})));
        out.flush();
        return false;
      }
      if (record == null) {
        out.write(COMMENT);
      } else {
        write(record, out);
      }
      return true;
    }

    /** Writes a record that was not written yet. */
    private void write(Stored record, OutputStream out) throws IOException {
      if (!TOPIC_MARKS.containsKey(record.topic())
          || record.offset() < next.getOrDefault(record.topic(), 0L)) {
        return;
      }
      next.put(record.topic(), record.offset() + 1);
      String name = record.topic() == Topic.STATUS ? "status" : "window";
      out.write(event(name, id(record.topic()), api.record(record)));
    }

    /** The last offset of each topic that the reader knows, that of one topic first. */
    private String id(Topic first) {
      return next.entrySet().stream()
          .sorted(Comparator.comparing((Map.Entry<Topic, Long> each) -> each.getKey() != first))
          .map(
              each ->
                  "%c%d:%d"
                      .formatted(TOPIC_MARKS.get(each.getKey()), partition, each.getValue() - 1))
          .collect(Collectors.joining(","));
    }
  }

  /**
   * Answers that several streams want at about the same time, each made once. It keeps them for a
   * moment, and only so many bytes. Safe for many threads.
   */
  static final class SharedAnswers {
    private final long freshMs;
    private final long maxBytes;
    private final LongSupplier elapsedMs;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** An answer, and when it was made. */
    private record Answer(long at, CompletableFuture<byte[]> body) {
      int bytes() {
        return body.isDone() && !body.isCompletedExceptionally() ? body.join().length : 0;
      }
    }

    /**
     * @param freshMs so long an answer serves others
     * @param maxBytes of all answers and their questions
     * @param elapsedMs a monotonic clock
     */
    SharedAnswers(long freshMs, long maxBytes, LongSupplier elapsedMs) {
      this.freshMs = freshMs;
      this.maxBytes = maxBytes;
      this.elapsedMs = elapsedMs;
    }

    /** The answer to a question. */
    byte[] get(String question, Supplier<byte[]> maker) {
      long now = elapsedMs.getAsLong();
      answers.values().removeIf(answer -> now - answer.at() >= freshMs);
      // Made outside of the table, which would lock other questions too.
      Answer mine = new Answer(now, new CompletableFuture<>());
      Answer known = answers.putIfAbsent(question, mine);
      if (known != null) {
        return known.body().join();
      }
      try {
        mine.body().complete(maker.get());
      } catch (RuntimeException | Error e) {
        answers.remove(question, mine);
        mine.body().completeExceptionally(e);
        throw e;
      }
      if (bytes() > maxBytes) {
        answers.clear();
      }
      return mine.body().join();
    }

    long bytes() {
      return answers.entrySet().stream()
          .mapToLong(each -> 2L * each.getKey().length() + each.getValue().bytes())
          .sum();
    }
  }
}
