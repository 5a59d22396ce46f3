package io.weir.internal.serve;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.explain.Explanation;
import io.weir.internal.explain.PartitionLog;
import io.weir.internal.explain.WatchedLog;
import io.weir.internal.input.Clients;
import io.weir.internal.ops.HttpEndpoint;
import io.weir.internal.serve.memory.Memory;
import io.weir.internal.serve.memory.RefusedRecord;
import io.weir.internal.serve.memory.Stored;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.AlarmState;
import io.weir.v1.GroupSummary;
import io.weir.v1.Reading;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The site over a memory that a test fills, without Kafka. */
final class ServeFixture implements AutoCloseable, Api.Sources {
  static final long NOW_MS = 1_800_000_000_000L;
  static final long SIZE_MS = 10_000;

  final Memory memory = new Memory(64 << 20, GroupTemplate.DEFAULT, 60_000);
  final AtomicLong nowMs = new AtomicLong(NOW_MS);
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final EventStreams streams;
  private final Map<Topic, Map<Integer, Long>> next = new EnumMap<>(Topic.class);
  private final HttpEndpoint endpoint;
  private final HttpClient client = HttpClient.newHttpClient();
  final Map<Integer, TopicReader.Position> positions = new ConcurrentHashMap<>();
  volatile boolean connected = true;
  volatile String findings = "{\"findings\":[],\"not_looked\":[]}";

  ServeFixture(Optional<Path> clients, int maxStreams) throws IOException {
    this(clients, maxStreams, Optional.empty());
  }

  ServeFixture(Optional<Path> clients, int maxStreams, Optional<TableHistory> tables)
      throws IOException {
    for (Topic topic : new Topic[] {Topic.WINDOWS, Topic.STATUS}) {
      for (int partition = 0; partition < topic.partitions(); partition++) {
        memory.begin(topic, partition, 0, false);
      }
    }
    TopicHistory none = new TopicHistory(() -> null, Topic::defaultName, 0);
    Api api = new Api(memory, this, none, tables, 0, nowMs::get);
    streams = new EventStreams(memory, api, maxStreams);
    Access access =
        new Access(
            clients.map(file -> Clients.open(Optional.of(file), Set.of(), Set.of())), nowMs::get);
    endpoint =
        HttpEndpoint.start(
            "127.0.0.1", 0, new ServeSite(api, streams, access, registry), maxStreams);
  }

  long window(String id, long startMs, double... values) {
    double sum = 0;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    WindowSummary summary =
        WindowSummary.newBuilder()
            .setSensorId(id)
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + SIZE_MS)
            .setCount(values.length)
            .setSum(sum)
            .setMin(values.length == 0 ? 0 : min)
            .setMax(values.length == 0 ? 0 : max)
            .build();
    Stored record = stored(Topic.WINDOWS, id, startMs + SIZE_MS + 500, summary.toByteArray());
    memory.window(record, summary);
    return record.offset();
  }

  /** A rollup; their topic is there from the first one on. */
  void rollup(String id, long startMs, long sizeMs, double value) {
    if (memory.lastOf(Topic.ROLLUPS, SensorPartition.of(id)).isEmpty()) {
      memory.begin(Topic.ROLLUPS, SensorPartition.of(id), 0, false);
    }
    WindowSummary summary =
        WindowSummary.newBuilder()
            .setSensorId(id)
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + sizeMs)
            .setCount(1)
            .setSum(value)
            .setMin(value)
            .setMax(value)
            .build();
    memory.window(stored(Topic.ROLLUPS, id, startMs + sizeMs, summary.toByteArray()), summary);
  }

  void status(String id, SensorState state, AlarmState... alarms) {
    SensorStatus status =
        SensorStatus.newBuilder()
            .setSensorId(id)
            .setState(state)
            .setSinceMs(nowMs.get() - 60_000)
            .setLastTimestampMs(nowMs.get() - 30_000)
            .setGatewayId("line-7")
            .addAllAlarms(List.of(alarms))
            .build();
    memory.status(stored(Topic.STATUS, id, nowMs.get(), status.toByteArray()), status);
  }

  static AlarmState alarm(String rule, boolean active, int priority) {
    return AlarmState.newBuilder()
        .setRule(rule)
        .setActive(active)
        .setPriority(priority)
        .setLevel("high")
        .setValue(71.5)
        .setSinceMs(NOW_MS - 5_000)
        .build();
  }

  void group(String name, long startMs) {
    GroupSummary summary =
        GroupSummary.newBuilder().setGroup(name).setWindowStartMs(startMs).setCount(4).build();
    memory.group(new Stored(Topic.GROUPS, 1, 0, startMs, summary.toByteArray()), summary);
  }

  void letter(Topic topic, String reason, String sensor, String json) {
    memory.refuse(
        new RefusedRecord(
            topic,
            3,
            17,
            nowMs.get() - 1_000,
            Map.of("weir.reason", reason, "weir.gateway", "line-7"),
            Set.of(sensor),
            json),
        reason,
        5);
  }

  private Stored stored(Topic topic, String id, long appendMs, byte[] value) {
    int partition = SensorPartition.of(id);
    long offset =
        next.computeIfAbsent(topic, any -> new HashMap<>()).merge(partition, 1L, Long::sum) - 1;
    return new Stored(topic, partition, offset, appendMs, value);
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + endpoint.port() + path);
  }

  int port() {
    return endpoint.port();
  }

  HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public Map<Integer, TopicReader.Position> positions() {
    return positions.isEmpty()
        ? Map.of(7, new TopicReader.Position(12, nowMs.get() - 400, 1))
        : positions;
  }

  @Override
  public boolean isConnected() {
    return connected;
  }

  @Override
  public long seenMs() {
    return nowMs.get();
  }

  @Override
  public boolean isLoaded() {
    return true;
  }

  @Override
  public Optional<String> doctor() {
    return connected ? Optional.of(findings) : Optional.empty();
  }

  @Override
  public String nameOf(Topic topic) {
    return topic.defaultName();
  }

  @Override
  public Explanation explain(
      String sensorId, long startMs, OptionalLong sizeMs, WatchedLog.Listener progress) {
    progress.read(Topic.WINDOWS, 0, 0);
    progress.read(Topic.READINGS, 70_000, 4 << 20);
    if (sensorId.equals("busy")) {
      throw Problem.later(2, "others ask for explanations now");
    }
    long endMs = startMs + sizeMs.orElse(SIZE_MS);
    Reading reading =
        Reading.newBuilder()
            .setSensorId(sensorId)
            .setTimestampMs(startMs + 1)
            .setValue(70.5)
            .build();
    WindowSummary summary =
        WindowSummary.newBuilder()
            .setSensorId(sensorId)
            .setWindowStartMs(startMs)
            .setWindowEndMs(endMs)
            .setCount(1)
            .setSum(70.5)
            .setMin(70.5)
            .setMax(70.5)
            .build();
    return new Explanation(
        sensorId,
        startMs,
        endMs,
        "weir.windows",
        33,
        List.of(
            row(812, reading, Explanation.Fate.COUNTED, Optional.empty()),
            row(
                814,
                reading,
                Explanation.Fate.DUPLICATE,
                Optional.of(new Origin("weir.readings", 33, 812)))),
        List.of(new Explanation.Emission(1017, endMs + 5_000, summary)),
        summary,
        Explanation.Verdict.MATCHES,
        "",
        List.of("the window can still be amended (weir.allowed.lateness)"),
        PartitionLog.Scan.NOTHING);
  }

  private static Explanation.Row row(
      long offset, Reading reading, Explanation.Fate fate, Optional<Origin> at) {
    return new Explanation.Row(
        offset,
        reading.getTimestampMs() + 40,
        "line-7",
        7,
        41,
        Optional.empty(),
        "",
        1,
        List.of(reading),
        fate,
        "",
        at,
        0);
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
