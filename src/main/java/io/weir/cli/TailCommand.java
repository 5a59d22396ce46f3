package io.weir.cli;

import com.google.protobuf.Message;
import io.weir.cli.TailReader.Start;
import io.weir.cli.output.Results;
import io.weir.internal.app.Keys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.json.ReadableTimes;
import io.weir.internal.json.TopicMessages;
import io.weir.internal.wire.Tick;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code weir tail}: prints a topic as JSON lines. */
@Command(
    name = "tail",
    description = "Print the records of a topic as JSON lines.",
    footer = {
      "",
      "Fields are those of the proto files, with topic, partition and offset, and with the",
      "headers for late and dead-letters. A value that cannot be decoded is in value_base64.",
      "Shows only committed records. The last summary of a window is the valid one; --latest",
      "shows only that one. --sensor reads only the sensor's partition (of dead-letters, all).",
      "",
      "Without -n, --since and --from-beginning it prints the records that come from now on.",
      "",
      "Examples:",
      "  weir tail windows",
      "  weir tail dead-letters -n 20",
      "  weir tail late --since 1h --no-follow",
      "  weir tail dead-letters --from-beginning --no-follow",
      "  weir tail windows --from-beginning -n 100 | jq .count",
      "  weir tail windows --sensor boiler-3/temperature --latest --csv > windows.csv",
      "  weir tail readings --sensor boiler-3/temperature --time-zone Europe/Berlin",
      "  weir tail folded --from-beginning"
    })
final class TailCommand extends ClusterCommand {
  private static final int SHARE_OF_THE_HEAP = 4;

  @Parameters(
      paramLabel = "KIND",
      description = "${COMPLETION-CANDIDATES}.",
      completionCandidates = TopicArgument.Candidates.class,
      converter = TopicArgument.class)
  private Topic topic;

  @Option(names = "--from-beginning", description = "Start with the oldest record.")
  private boolean fromBeginning;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Start with the first record since then: 1h, or 2026-11-21T12:00:00Z.")
  private Instant since;

  @Option(
      names = "-n",
      paramLabel = "N",
      description = "Only the newest N records; with --from-beginning the oldest N.")
  private int most;

  @Option(names = "--no-follow", description = "End at the current end of the topic.")
  private boolean noFollow;

  @Option(names = "--ticks", description = "With readings: show ticks too.")
  private boolean ticks;

  @Option(
      names = "--sensor",
      paramLabel = "ID",
      description = "Only records of this sensor; reads only its partition.")
  private String sensor;

  @Option(
      names = "--latest",
      description = "With windows: only the latest summary of each window, by sensor and time.")
  private boolean latest;

  @Option(
      names = "--csv",
      description = "With windows: CSV with the columns of weir replay, and bad_count.")
  private boolean csv;

  @Option(
      names = "--derived",
      description = "With windows: add spread, and with the set histogram quantiles.")
  private boolean derived;

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description = "Also show times as text in this zone, UTC or Europe/Berlin.")
  private ZoneId zone;

  private Set<String> eventTopics = Set.of();

  TailCommand() {
    super(TopicKeys.with(List.of(Keys.BOOTSTRAP_SERVERS), Topic.values()));
  }

  @Override
  int run(WeirConfig config) {
    Results out = Results.standard();
    eventTopics = Set.of(config.nameOf(Topic.EVENTS), config.nameOf(Topic.SCHEDULED));
    TailForm form =
        csv
            ? new TailForm.Csv(times(), out)
            : new TailForm.Json(topic, eventTopics, times(), derived, out);
    try (KafkaConsumer<byte[], byte[]> consumer = Connections.reader(config)) {
      StopSignal.install(consumer::wakeup);
      TailReader reader = new TailReader(consumer, partitions(consumer, config.nameOf(topic)));
      if (latest) {
        reader.seek(start(new Start.Beginning()), true);
        printLatest(reader, form, out);
      } else if (most > 0 && !fromBeginning) {
        printNewest(reader, form, out);
      } else {
        reader.seek(start(new Start.End()), noFollow);
        print(reader, form, out);
      }
    } catch (WakeupException e) {
      return 0; // Stopped by a signal.
    }
    form.undecoded().ifPresent(line -> printError(line));
    return 0;
  }

  @Override
  void checkUsage() {
    if (most < 1 && spec().commandLine().getParseResult().hasMatchedOption("-n")) {
      throw wrongUsage("-n " + most + ": expected: 1 or more");
    }
    if (fromBeginning && since != null) {
      throw wrongUsage("--from-beginning and --since: expected: one of them");
    }
    if (sensor != null && !topic.isOfSensors()) {
      throw wrongUsage("--sensor: no sensor ids are on " + topic.text());
    }
    if (!TopicMessages.areSummaries(topic) && (latest || csv || derived)) {
      String option = latest ? "--latest" : csv ? "--csv" : "--derived";
      throw wrongUsage(option + ": expected: with windows, rollups or hopping");
    }
    if (csv && derived) {
      throw wrongUsage("--derived and --csv: expected: one of them");
    }
  }

  private Start start(Start unlessGiven) {
    if (since != null) {
      return new Start.Since(since);
    }
    return fromBeginning ? new Start.Beginning() : unlessGiven;
  }

  private Optional<ReadableTimes> times() {
    return Optional.ofNullable(zone).map(ReadableTimes::new);
  }

  private List<TopicPartition> partitions(KafkaConsumer<?, ?> consumer, String name) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(name).stream()
            .map(partition -> new TopicPartition(name, partition.partition()))
            .toList();
    if (partitions.isEmpty()) {
      throw new KafkaException("no topic " + name + " on the cluster; create it with: weir topics");
    }
    if (sensor == null || topic == Topic.DEAD_LETTERS) {
      return partitions; // Misrouted readings are in other partitions.
    }
    TopicPartition ofSensor = new TopicPartition(name, SensorPartition.of(sensor));
    if (!partitions.contains(ofSensor)) {
      throw new KafkaException(
          name + " has no partition " + ofSensor.partition() + "; see weir topics");
    }
    return List.of(ofSensor);
  }

  private void print(TailReader reader, TailForm form, Results out) {
    long limit = most > 0 ? most : Long.MAX_VALUE;
    long printed = 0;
    form.begin();
    out.flush();
    while (printed < limit && !reader.isAtEnd()) {
      for (ConsumerRecord<byte[], byte[]> record : reader.poll()) {
        if (printed < limit && isWanted(record)) {
          form.print(record);
          printed++;
        }
      }
      out.flush();
    }
  }

  private void printNewest(TailReader reader, TailForm form, Results out) {
    long mostBytes = Runtime.getRuntime().maxMemory() / SHARE_OF_THE_HEAP;
    List<ConsumerRecord<byte[], byte[]>> newest =
        reader.newest(start(new Start.Beginning()), most, mostBytes, this::isWanted);
    form.begin();
    newest.forEach(form::print);
    out.flush();
    if (reader.hasLeftOut()) {
      printError(
          "only the newest %,d of %,d records: more than %,d MiB do not fit into memory; for older"
                  .formatted(newest.size(), most, mostBytes >> 20)
              + " ones: --since TIME --no-follow");
    }
  }

  private void printLatest(TailReader reader, TailForm form, Results out) {
    LatestWindows windows = new LatestWindows();
    while (!reader.isAtEnd()) {
      for (ConsumerRecord<byte[], byte[]> record : reader.poll()) {
        if (isWanted(record)) {
          TopicMessages.read(topic, record.value())
              .ifPresent(message -> windows.add((WindowSummary) message, record));
        }
      }
    }
    form.begin();
    List<ConsumerRecord<byte[], byte[]>> rows = windows.stream().toList();
    int from = most > 0 && !fromBeginning ? Math.max(0, rows.size() - most) : 0;
    rows.stream().skip(from).limit(most > 0 ? most : rows.size()).forEach(form::print);
    out.flush();
  }

  private boolean isWanted(ConsumerRecord<byte[], byte[]> record) {
    if (!ticks && topic == Topic.READINGS && Tick.is(record.value(), record.headers())) {
      return false;
    }
    return sensor == null
        || TopicMessages.read(TopicMessages.content(topic, record, eventTopics), record.value())
            .filter(new SensorFilter(sensor)::accepts)
            .isPresent();
  }

  /**
   * The last record of each window, by sensor and time. All records of a window are in one
   * partition, so the last one added is its latest summary. One thread; keeps the records of all
   * windows in memory.
   */
  static final class LatestWindows {
    private final TreeMap<Window, ConsumerRecord<byte[], byte[]>> records =
        new TreeMap<>(
            Comparator.comparing(Window::sensorId)
                .thenComparingLong(Window::startMs)
                .thenComparingLong(Window::endMs));

    private record Window(String sensorId, long startMs, long endMs) {}

    void add(WindowSummary summary, ConsumerRecord<byte[], byte[]> record) {
      records.put(
          new Window(summary.getSensorId(), summary.getWindowStartMs(), summary.getWindowEndMs()),
          record);
    }

    Stream<ConsumerRecord<byte[], byte[]>> stream() {
      return records.values().stream();
    }
  }

  /** Selects records of a sensor. */
  record SensorFilter(String sensorId) {
    /** Whether a message contains the sensor. */
    boolean accepts(Message message) {
      if (message instanceof WindowSummary window) {
        return window.getSensorId().equals(sensorId);
      }
      return message instanceof ReadingBatch batch
          && (batch.getReadingsList().stream().anyMatch(r -> r.getSensorId().equals(sensorId))
              || batch.getSeriesList().stream().anyMatch(s -> s.getSensorId().equals(sensorId)));
    }
  }

  /** Converts the name of a topic, such as dead-letters. */
  static final class TopicArgument implements ITypeConverter<Topic> {
    /** All names, for a command's help. */
    static final class Candidates extends ArrayList<String> {
      private static final long serialVersionUID = 1L;

      Candidates() {
        super(texts());
      }
    }

    @Override
    public Topic convert(String text) {
      return Stream.of(Topic.values())
          .filter(topic -> topic.text().equals(text))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException(text + ": expected: " + allowed()));
    }

    private static String allowed() {
      List<String> texts = texts();
      int last = texts.size() - 1;
      return String.join(", ", texts.subList(0, last)) + " or " + texts.get(last);
    }

    private static List<String> texts() {
      return Stream.of(Topic.values()).map(Topic::text).toList();
    }
  }
}
