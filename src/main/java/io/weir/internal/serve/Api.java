package io.weir.internal.serve;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Message;
import io.weir.internal.app.BuildInfo;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.explain.Explanation;
import io.weir.internal.explain.ExplanationJson;
import io.weir.internal.explain.WatchedLog;
import io.weir.internal.json.MessageJson;
import io.weir.internal.serve.memory.GroupView;
import io.weir.internal.serve.memory.Memory;
import io.weir.internal.serve.memory.Memory.Alarmed;
import io.weir.internal.serve.memory.Memory.History;
import io.weir.internal.serve.memory.Memory.Page;
import io.weir.internal.serve.memory.Overview;
import io.weir.internal.serve.memory.RefusedRecord;
import io.weir.internal.serve.memory.RefusedRecords;
import io.weir.internal.serve.memory.SensorQuery;
import io.weir.internal.serve.memory.SensorView;
import io.weir.internal.serve.memory.Stored;
import io.weir.internal.wire.Protobuf;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.GroupSummary;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Answers the questions below {@code /api/v1}. Safe for many threads. */
final class Api {
  static final String PATH = "/api/v1/";

  private static final String VERSION = BuildInfo.load().version();
  private static final String STATE_PREFIX = "SENSOR_STATE_";
  private static final List<String> STATES =
      List.of("started", "silent", "resumed", "finished", "unspecified");
  private static final Set<String> OF_SENSORS =
      Set.of("prefix", "q", "state", "group", "alarm", "after", "limit");
  private static final Set<String> OF_ALARMS =
      Set.of("active", "priority", "rule", "prefix", "after", "limit");
  private static final Set<String> OF_REFUSED =
      Set.of("reason", "gateway", "sensor", "from", "after", "limit");

  /** Broker clocks may differ, and a window may begin before the first of its readings. */
  private static final long MARGIN_MS = 60_000;

  /** Of rows as they are stored: JSON is larger. */
  private static final int MAX_PAGE_BYTES = 4 << 20;

  private static final long DEFAULT_SPAN_MS = 3_600_000;

  private final Memory memory;
  private final Sources sources;
  private final TopicHistory history;
  private final Optional<TableHistory> tables;
  private final long skewMs;
  private final LongSupplier wallMs;
  private final Map<String, Function<String, byte[]>> paths =
      Map.ofEntries(
          Map.entry("overview", query -> overview(Parameters.of(query, Set.of()))),
          Map.entry("sensors", query -> sensors(Parameters.of(query, OF_SENSORS))),
          Map.entry("sensor", query -> sensor(Parameters.of(query, Set.of("id")))),
          Map.entry(
              "windows",
              query ->
                  windows(
                      Parameters.of(
                          query,
                          Set.of("id", "from", "to", "size", "points", "form", "after", "limit")))),
          Map.entry(
              "groups", query -> groups(Parameters.of(query, Set.of("prefix", "after", "limit")))),
          Map.entry("group", query -> group(Parameters.of(query, Set.of("id", "from", "to")))),
          Map.entry(
              "status",
              query -> status(Parameters.of(query, Set.of("state", "prefix", "after", "limit")))),
          Map.entry("alarms", query -> alarms(Parameters.of(query, OF_ALARMS))),
          Map.entry("late", query -> refused(Topic.LATE, Parameters.of(query, OF_REFUSED))),
          Map.entry(
              "dead-letters",
              query -> refused(Topic.DEAD_LETTERS, Parameters.of(query, OF_REFUSED))),
          Map.entry("explain", query -> json(asked(query).explain((topic, records, bytes) -> {}))),
          Map.entry("doctor", query -> doctor(Parameters.of(query, Set.of()))));

  /** What the answers need beside the memory. */
  interface Sources {
    /** How far the partitions of the windows were read. */
    Map<Integer, TopicReader.Position> positions();

    boolean isConnected();

    /** Wall-clock time at the last sign of the brokers. */
    long seenMs();

    /** Whether the topics were read to the ends that they had at the start. */
    boolean isLoaded();

    /** The findings of the doctor as JSON; empty while they are made. */
    Optional<String> doctor();

    /** The name of a topic on the cluster. */
    String nameOf(Topic topic);

    /**
     * Why a window is what it is.
     *
     * @throws Problem if others ask already, or Kafka does not answer
     */
    Explanation explain(
        String sensorId, long startMs, OptionalLong sizeMs, WatchedLog.Listener progress);
  }

  /**
   * @param tables of the sink
   * @param skewMs how far in the future a reading may lie
   * @param wallMs the wall clock
   */
  Api(
      Memory memory,
      Sources sources,
      TopicHistory history,
      Optional<TableHistory> tables,
      long skewMs,
      LongSupplier wallMs) {
    this.memory = memory;
    this.sources = sources;
    this.history = history;
    this.tables = tables;
    this.skewMs = skewMs;
    this.wallMs = wallMs;
  }

  /** Whether there is such a path, without the part before it. */
  boolean has(String path) {
    return paths.containsKey(path);
  }

  /**
   * The answer to a question.
   *
   * @param rawQuery may be null
   * @throws Problem if a parameter is wrong, or it is not there
   */
  byte[] answer(String path, String rawQuery) {
    return paths.get(path).apply(rawQuery);
  }

  private byte[] overview(Parameters none) {
    long nowMs = wallMs.getAsLong();
    Overview all = memory.overview(nowMs);
    return Json.object(
        json -> {
          json.writeNumberField("as_of_ms", sources.seenMs());
          json.writeBooleanField("connected", sources.isConnected());
          json.writeBooleanField("loaded", sources.isLoaded());
          json.writeObjectFieldStart("sensors");
          for (SensorState state : SensorState.values()) {
            if (state != SensorState.UNRECOGNIZED) {
              json.writeNumberField(wordOf(state), all.sensors().getOrDefault(state, 0));
            }
          }
          json.writeEndObject();
          json.writeNumberField("unlisted", all.unlisted());
          json.writeArrayFieldStart("readings_per_s");
          for (long count : all.readings()) {
            json.writeNumber(count);
          }
          json.writeEndArray();
          json.writeNumberField("windows_per_s", all.windows());
          json.writeNumberField("late_per_s", all.late());
          json.writeObjectFieldStart("dead_letters_per_s");
          for (Map.Entry<String, Double> reason : all.refused().entrySet()) {
            json.writeNumberField(reason.getKey(), reason.getValue());
          }
          json.writeEndObject();
          json.writeObjectFieldStart("alarms");
          for (Map.Entry<Integer, Integer> priority : all.alarms().entrySet()) {
            json.writeNumberField(priority.getKey().toString(), priority.getValue());
          }
          json.writeEndObject();
          Map<Integer, TopicReader.Position> positions = new TreeMap<>(sources.positions());
          json.writeNumberField(
              "lag_ms",
              positions.values().stream().mapToLong(each -> each.lagMs(nowMs)).max().orElse(0));
          json.writeNumberField("history_from_ms", all.historyFromMs());
          json.writeStringField("version", VERSION);
          json.writeArrayFieldStart("sizes_ms");
          for (long sizeMs : all.sizesMs()) {
            json.writeNumber(sizeMs);
          }
          json.writeEndArray();
          MessageJson.writeObjects("newest", all.newest(), this::write, json);
          MessageJson.writeObjects(
              "partitions",
              positions.entrySet(),
              (each, to) -> {
                to.writeNumberField("partition", each.getKey());
                to.writeNumberField("offset", each.getValue().offset());
                to.writeNumberField(
                    "readings_per_s", memory.readingsPerSecond(each.getKey(), nowMs));
                to.writeNumberField("lag_ms", each.getValue().lagMs(nowMs));
              },
              json);
        });
  }

  /** A state of a newer version, or a forged one, has no name with the prefix. */
  static String wordOf(SensorState state) {
    return state.name().replace(STATE_PREFIX, "").toLowerCase(Locale.ROOT);
  }

  private static Optional<SensorState> state(Parameters parameters) {
    return parameters
        .word("state", STATES)
        .map(word -> SensorState.valueOf(STATE_PREFIX + word.toUpperCase(Locale.ROOT)));
  }

  private byte[] sensors(Parameters parameters) {
    SensorQuery query =
        new SensorQuery(
            parameters.text("prefix"),
            parameters.text("q"),
            state(parameters),
            parameters.find("group"),
            parameters.word("alarm", List.of("active")).isPresent(),
            parameters.text("after"),
            parameters.limit());
    Page<SensorView> page = memory.sensors(query);
    return Json.object(
        json -> {
          MessageJson.writeObjects("sensors", page.rows(), this::write, json);
          String last = page.rows().isEmpty() ? "" : page.rows().get(page.rows().size() - 1).id();
          next("sensors", page.more(), last, parameters, json);
          json.writeNumberField("total", page.total());
        });
  }

  /** The path of the next page. */
  private static void next(
      String path, boolean more, String last, Parameters parameters, JsonGenerator json)
      throws IOException {
    if (!more) {
      json.writeNullField("next");
      return;
    }
    StringBuilder next =
        new StringBuilder(PATH).append(path).append("?after=").append(encoded(last));
    parameters
        .others("after")
        .forEach((name, value) -> next.append('&').append(name).append('=').append(encoded(value)));
    json.writeStringField("next", next.toString());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private void write(SensorView sensor, JsonGenerator json) throws IOException {
    SensorStatus status = sensor.status().orElse(SensorStatus.getDefaultInstance());
    json.writeStringField("sensor_id", sensor.id());
    json.writeStringField("group", sensor.group());
    json.writeStringField("state", wordOf(status.getState()));
    number("since_ms", status.getSinceMs(), json);
    number("last_timestamp_ms", status.getLastTimestampMs(), json);
    json.writeStringField("gateway_id", status.getGatewayId());
    json.writeFieldName("newest");
    if (sensor.newest().isPresent()) {
      json.writeStartObject();
      write(sensor.newest().get(), Topic.WINDOWS, sensor.partition(), sensor.newestOffset(), json);
      json.writeEndObject();
    } else {
      json.writeNull();
    }
    MessageJson.writeObjects("alarms", status.getAlarmsList(), MessageJson::writeFields, json);
  }

  private static void number(String name, long value, JsonGenerator json) throws IOException {
    if (value == 0) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, value);
    }
  }

  private void write(Message message, Topic topic, int partition, long offset, JsonGenerator json)
      throws IOException {
    MessageJson.writeFields(message, json);
    json.writeStringField("topic", sources.nameOf(topic));
    json.writeNumberField("partition", partition);
    json.writeNumberField("offset", offset);
  }

  /** A record as an object. */
  byte[] record(Stored record) {
    return Json.object(json -> write(record, json));
  }

  private void write(Stored record, JsonGenerator json) throws IOException {
    write(parsed(record), record.topic(), record.partition(), record.offset(), json);
  }

  private static Message parsed(Stored record) {
    return Protobuf.own(record.topic().message(), record.value());
  }

  private SensorView known(Parameters parameters) {
    String id = parameters.id();
    SensorView sensor = memory.sensor(id);
    if (sensor == null) {
      throw Problem.of(404, "no such sensor is known");
    }
    return sensor;
  }

  private byte[] sensor(Parameters parameters) {
    SensorView sensor = known(parameters);
    return Json.object(json -> write(sensor, json));
  }

  /**
   * Windows of a sensor.
   *
   * @param rows by time, of each window the valid summary
   */
  private record Windows(List<Stored> rows, String source, boolean complete) {}

  /** A window to explain. */
  @FunctionalInterface
  interface Asked {
    /**
     * @param progress is called in this thread with how far the topics were read
     * @throws Problem as {@link Sources#explain}
     */
    Explanation explain(WatchedLog.Listener progress);
  }

  /**
   * The question for an explanation.
   *
   * @throws Problem if a parameter is wrong
   */
  Asked asked(String rawQuery) {
    Parameters parameters = Parameters.of(rawQuery, Set.of("id", "start", "size"));
    String id = parameters.id();
    long startMs =
        parameters
            .moment("start", wallMs.getAsLong())
            .orElseThrow(() -> Problem.parameter("start", "it is missing"));
    OptionalLong sizeMs =
        parameters
            .duration("size")
            .map(size -> OptionalLong.of(size.toMillis()))
            .orElse(OptionalLong.empty());
    return progress -> sources.explain(id, startMs, sizeMs, progress);
  }

  static byte[] json(Explanation explanation) {
    return Json.object(json -> ExplanationJson.writeFields(explanation, json));
  }

  private byte[] windows(Parameters parameters) {
    long nowMs = wallMs.getAsLong();
    String id = parameters.id();
    long toMs = parameters.moment("to", nowMs).orElse(Long.MAX_VALUE);
    long fromMs = parameters.moment("from", nowMs).orElse(Math.min(toMs, nowMs) - DEFAULT_SPAN_MS);
    boolean columns =
        parameters.word("form", List.of("columns", "objects")).orElse("objects").equals("columns");
    Optional<Integer> points = parameters.integer("points", 1, 5_000);
    if (points.isPresent() && !columns) {
      throw Problem.parameter("points", "expected: with form=columns");
    }
    Optional<Long> sizeMs = parameters.duration("size").map(size -> size.toMillis());
    Optional<Long> after = parameters.number("after");
    int limit = parameters.limit();
    Windows found = find(id, sizeMs, fromMs, toMs);
    return Json.object(
        json -> {
          json.writeStringField("sensor_id", id);
          json.writeNumberField("size_ms", sizeMs.orElseGet(() -> sizeOf(found.rows())));
          json.writeStringField("source", found.source());
          json.writeBooleanField("complete", found.complete());
          json.writeNumberField("history_from_ms", memory.overview(nowMs).historyFromMs());
          if (columns) {
            List<WindowSummary> all =
                found.rows().stream().map(row -> (WindowSummary) parsed(row)).toList();
            json.writeObjectFieldStart("windows");
            Columns.of(all, points.orElse(5_000)).write(json);
            json.writeEndObject();
            return;
          }
          List<Stored> page = new ArrayList<>();
          boolean more = false;
          int bytes = 0;
          String last = "";
          for (Stored row : found.rows()) {
            long start = ((WindowSummary) parsed(row)).getWindowStartMs();
            if (after.isPresent() && start <= after.get()) {
              continue;
            }
            if (page.size() == limit || bytes >= MAX_PAGE_BYTES) {
              more = true;
              break;
            }
            page.add(row);
            bytes += row.value().length;
            last = Long.toString(start);
          }
          MessageJson.writeObjects("windows", page, this::write, json);
          next("windows", more, last, parameters, json);
        });
  }

  private static long sizeOf(List<Stored> rows) {
    if (rows.isEmpty()) {
      return 0;
    }
    WindowSummary newest = (WindowSummary) parsed(rows.get(rows.size() - 1));
    return newest.getWindowEndMs() - newest.getWindowStartMs();
  }

  /**
   * Of a size that base windows do not have, rollups, and where there are none, hopping windows.
   */
  private Windows find(String id, Optional<Long> sizeMs, long fromMs, long toMs) {
    SensorView sensor = memory.sensor(id);
    Optional<Long> baseMs =
        sensor == null
            ? Optional.empty()
            : sensor.newest().map(newest -> newest.getWindowEndMs() - newest.getWindowStartMs());
    Windows base = new Windows(List.of(), "memory", false);
    if (sizeMs.isEmpty() || baseMs.isEmpty() || sizeMs.equals(baseMs)) {
      base = find(Topic.WINDOWS, id, sizeMs, fromMs, toMs);
    }
    if (sizeMs.isEmpty() || !base.rows().isEmpty() || sizeMs.equals(baseMs)) {
      return base;
    }
    Windows rollups = find(Topic.ROLLUPS, id, sizeMs, fromMs, toMs);
    return rollups.rows().isEmpty() ? find(Topic.HOPPING, id, sizeMs, fromMs, toMs) : rollups;
  }

  private Windows find(Topic topic, String id, Optional<Long> sizeMs, long fromMs, long toMs) {
    int partition = SensorPartition.of(id);
    if (memory.lastOf(topic, partition).isEmpty()) {
      return new Windows(List.of(), "memory", true); // There is no such topic.
    }
    long sinceMs = fromMs - skewMs - MARGIN_MS;
    History<Stored> held = memory.ofSensor(id, topic, sinceMs);
    Windows inMemory =
        new Windows(valid(held.rows(), sizeMs, fromMs, toMs), "memory", held.complete());
    if (held.complete()) {
      return inMemory;
    }
    Optional<History<Stored>> stored =
        tables.flatMap(
            each -> each.find(topic, id, fromMs, toMs, memory.heldFrom(topic, partition)));
    if (stored.isEmpty() && !history.isOn()) {
      return inMemory;
    }
    String source = stored.isPresent() ? "tables" : "topic";
    History<Stored> older = stored.orElseGet(() -> history.scan(topic, partition, id, sinceMs));
    List<Stored> all = new ArrayList<>(held.rows());
    all.addAll(older.rows()); // What memory has is newer.
    return new Windows(valid(all, sizeMs, fromMs, toMs), source, older.complete());
  }

  private static List<Stored> valid(
      List<Stored> newestFirst, Optional<Long> sizeMs, long fromMs, long toMs) {
    record Key(long start, long end) {}
    record Row(long start, Stored record) {}
    Set<Key> seen = new HashSet<>();
    List<Row> valid = new ArrayList<>();
    for (Stored record : newestFirst) {
      WindowSummary window = (WindowSummary) parsed(record);
      long start = window.getWindowStartMs();
      long end = window.getWindowEndMs();
      if (start >= fromMs
          && start < toMs
          && (sizeMs.isEmpty() || sizeMs.get() == end - start)
          && seen.add(new Key(start, end))) {
        valid.add(new Row(start, record));
      }
    }
    valid.sort(Comparator.comparingLong(Row::start));
    return valid.stream().map(Row::record).toList();
  }

  private byte[] groups(Parameters parameters) {
    Page<GroupView> page =
        memory.groups(parameters.text("prefix"), parameters.text("after"), parameters.limit());
    return Json.object(
        json -> {
          MessageJson.writeObjects("groups", page.rows(), Api::write, json);
          String last = page.rows().isEmpty() ? "" : page.rows().get(page.rows().size() - 1).name();
          next("groups", page.more(), last, parameters, json);
        });
  }

  private static void write(GroupView group, JsonGenerator json) throws IOException {
    json.writeStringField("group", group.name());
    json.writeNumberField("sensors", group.sensors());
    json.writeNumberField("silent", group.silent());
    json.writeNumberField("alarms", group.alarms());
    json.writeFieldName("newest");
    if (group.newest().isPresent()) {
      json.writeStartObject();
      MessageJson.writeFields(group.newest().get(), json);
      json.writeEndObject();
    } else {
      json.writeNull();
    }
  }

  private byte[] group(Parameters parameters) {
    long nowMs = wallMs.getAsLong();
    String id = parameters.id();
    long fromMs = parameters.moment("from", nowMs).orElse(nowMs - DEFAULT_SPAN_MS);
    long toMs = parameters.moment("to", nowMs).orElse(Long.MAX_VALUE);
    GroupView group = memory.group(id);
    if (group == null) {
      throw Problem.of(404, "no such group is known");
    }
    Map<Long, Stored> windows = new TreeMap<>();
    for (Stored record : memory.ofGroup(id, fromMs - skewMs - MARGIN_MS).rows()) {
      long start = ((GroupSummary) parsed(record)).getWindowStartMs();
      if (start >= fromMs && start < toMs) {
        windows.putIfAbsent(start, record);
      }
    }
    return Json.object(
        json -> {
          write(group, json);
          MessageJson.writeObjects("windows", windows.values(), this::write, json);
        });
  }

  private byte[] status(Parameters parameters) {
    Page<SensorView> page =
        memory.sensors(
            new SensorQuery(
                parameters.text("prefix"),
                "",
                state(parameters),
                Optional.empty(),
                false,
                parameters.text("after"),
                parameters.limit()));
    return Json.object(
        json -> {
          List<SensorStatus> known =
              page.rows().stream().flatMap(sensor -> sensor.status().stream()).toList();
          MessageJson.writeObjects("status", known, MessageJson::writeFields, json);
          String last = page.rows().isEmpty() ? "" : page.rows().get(page.rows().size() - 1).id();
          next("status", page.more(), last, parameters, json);
        });
  }

  private byte[] alarms(Parameters parameters) {
    Optional<Boolean> active =
        parameters.word("active", List.of("true", "false")).map(Boolean::valueOf);
    Optional<Integer> priority = parameters.integer("priority", 0, 999_999_999);
    Optional<String> rule = parameters.find("rule");
    String prefix = parameters.text("prefix");
    int skip = parameters.integer("after", 0, 999_999_999).orElse(0);
    Predicate<Alarmed> wanted =
        one ->
            one.sensorId().startsWith(prefix)
                && (active.isEmpty() || active.get() == one.alarm().getActive())
                && (priority.isEmpty() || priority.get() == one.alarm().getPriority())
                && (rule.isEmpty() || rule.get().equals(one.alarm().getRule()));
    List<Alarmed> found = memory.alarms(wanted);
    found.sort(
        Comparator.comparing((Alarmed one) -> !one.alarm().getActive())
            .thenComparingInt(one -> one.alarm().getPriority())
            .thenComparing(one -> -one.alarm().getSinceMs())
            .thenComparing(Alarmed::sensorId)
            .thenComparing(one -> one.alarm().getRule()));
    int end = (int) Math.min(found.size(), (long) skip + parameters.limit());
    return Json.object(
        json -> {
          MessageJson.writeObjects(
              "alarms",
              found.subList(Math.min(skip, end), end),
              (one, to) -> {
                to.writeStringField("sensor_id", one.sensorId());
                MessageJson.writeFields(one.alarm(), to);
              },
              json);
          next("alarms", end < found.size(), Integer.toString(end), parameters, json);
          json.writeNumberField("total", found.size());
        });
  }

  private byte[] refused(Topic topic, Parameters parameters) {
    long fromMs = parameters.moment("from", wallMs.getAsLong()).orElse(0L);
    Optional<String> reason = parameters.find("reason");
    Optional<String> gateway = parameters.find("gateway");
    Optional<String> sensor = parameters.find("sensor");
    long before = parameters.number("after").orElse(Long.MAX_VALUE);
    int limit = parameters.limit();
    Predicate<RefusedRecord> wanted =
        letter ->
            letter.appendMs() >= fromMs
                && is(letter, DeadLetterHeaders.REASON, reason)
                && is(letter, DeadLetterHeaders.GATEWAY, gateway)
                && sensor.map(letter.sensors()::contains).orElse(true);
    List<RefusedRecords.Numbered> found = memory.refused(topic).newest(before, wanted, limit + 1);
    List<RefusedRecords.Numbered> page = found.subList(0, Math.min(limit, found.size()));
    return Json.object(
        json -> {
          MessageJson.writeObjects(
              "records",
              page,
              (each, to) -> {
                to.writeNumberField("append_ms", each.letter().appendMs());
                to.writeFieldName("record");
                to.writeRawValue(each.letter().json());
              },
              json);
          String last = page.isEmpty() ? "" : Long.toString(page.get(page.size() - 1).number());
          next(topic.text(), found.size() > limit, last, parameters, json);
        });
  }

  private static boolean is(RefusedRecord letter, String header, Optional<String> wanted) {
    return wanted.isEmpty() || wanted.get().equals(letter.headers().get(header));
  }

  private byte[] doctor(Parameters none) {
    return sources
        .doctor()
        .orElseThrow(() -> Problem.later(3, "the cluster is examined; ask again"))
        .getBytes(StandardCharsets.UTF_8);
  }
}
