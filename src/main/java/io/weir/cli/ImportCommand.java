package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.Keys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.deadletter.SizeGuard;
import io.weir.internal.fetch.BoundedConsumer;
import io.weir.internal.imports.AvroRecords;
import io.weir.internal.imports.Import;
import io.weir.internal.imports.ImportAgain;
import io.weir.internal.imports.ImportSettings;
import io.weir.internal.imports.ImportStart;
import io.weir.internal.imports.NumberRecords;
import io.weir.internal.imports.ProtobufRecords;
import io.weir.internal.imports.RecordDecoder;
import io.weir.internal.imports.RecordReader;
import io.weir.internal.registry.Registries;
import io.weir.internal.registry.RegistrySettings;
import io.weir.internal.registry.SchemaRegistry;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.text.RecordText;
import io.weir.internal.text.SensorIdTemplate;
import io.weir.internal.text.TextForm;
import io.weir.internal.text.TextFormat;
import io.weir.internal.text.mapping.JsonPath;
import io.weir.internal.text.mapping.Mapping;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.reading.Limits;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir import}: maps topics that others write into the readings. */
@Command(
    name = "import",
    description = "Aggregate readings of topics that other programs write, each exactly once.",
    footer = {
      "",
      "Maps records of JSON, line protocol, Avro or protobuf into the readings topic until it is",
      "stopped. The paths of JSON are those of Avro and protobuf too.",
      "Offsets, readings and dead letters are one transaction. Several processes of one name",
      "share the partitions; each needs its own --instance. A record that cannot be read, or",
      "with a reading that is refused, becomes a dead letter with its origin; its other readings",
      "count. Records without any value, such as tombstones, are skipped.",
      "--again takes its dead letters once more, only the readings that were refused, and ends.",
      "On --http-port: /livez, /readyz, /metrics, /info.",
      "Exit status: 0 stopped by a signal or --again ended, 1 failed, 2 wrong usage.",
      "",
      "Examples:",
      "  weir import plant.raw --name plant --json-timestamp '$.ts' --json-value '$.values.*'",
      "  weir import mqtt --name mqtt --sensor-id '{key}/{column}' --json-value '$.*' --time"
          + " record",
      "  weir import telegraf --name telegraf --format line --from latest",
      "  weir import erp --name erp --format avro --registry http://registry:8081 --json-value"
          + " '$.v'"
    })
final class ImportCommand extends ClusterCommand {
  /** The others of the mapping are for CSV. */
  private static final Set<String> OF_CSV =
      Set.of("encoding", "skip-lines", "delimiter", "no-header", "columns", "wide");

  private static final int MAX_READINGS = 100_000;
  private static final Set<String> FORMATS =
      Set.of("json", "line", "csv", "number", "avro", "protobuf");
  private static final String AVRO = "avro";
  private static final String HEADER = "header:";
  private static final String CSV = "csv";
  private static final String NUMBER = "number";
  private static final String SENSOR_ID = "sensor-id";

  @Parameters(paramLabel = "TOPIC", arity = "0..*", description = "Topics of other programs.")
  private List<String> topics;

  @Option(
      names = "--topics-regex",
      paramLabel = "REGEX",
      description = "Topics whose whole name matches; new ones too, from their beginning.")
  private Pattern topicsRegex;

  @Option(
      names = "--again",
      description =
          "Read the dead letters of this import once more, after the mapping was mended, and end.")
  private boolean again;

  @Option(
      names = "--raw-json",
      description = "Keep frames and the envelope of Kafka Connect around JSON.")
  private boolean rawJson;

  @Option(
      names = "--binary",
      paramLabel = "TYPE",
      description =
          "With --format number: double, float, long or int, as Kafka writes them (text).")
  private String binary;

  @Option(
      names = "--name",
      required = true,
      paramLabel = "NAME",
      description = "Name of this import: letters, digits, - and .; its progress is kept by it.")
  private String name;

  @Option(
      names = "--instance",
      paramLabel = "ID",
      description = "Name of this process, if several share the partitions (0).")
  private String instance = "0";

  @Option(
      names = "--from",
      paramLabel = "START",
      description =
          "Start of partitions that this import never had: earliest, latest or a time (earliest).")
  private String from = "earliest";

  @Option(
      names = "--commit-interval",
      paramLabel = "SPAN",
      description = "Time between transactions, 10ms to 10s (100ms).")
  private Duration commitInterval = Duration.ofMillis(100);

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "json, line, csv, number, avro or protobuf (json).")
  private String format;

  @Option(
      names = "--registry",
      paramLabel = "URL",
      description = "Schema registry of Avro frames (weir.schema.registry.url).")
  private String registry;

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "Schema of bare Avro values (.avsc), without a registry.")
  private Path schema;

  @Option(
      names = "--descriptor",
      paramLabel = "FILE",
      description =
          "Descriptors of protobuf, of protoc --include_imports --descriptor_set_out FILE.")
  private Path descriptor;

  @Option(names = "--message", paramLabel = "NAME", description = "Full name of a message in it.")
  private String message;

  @Option(
      names = "--precision",
      paramLabel = "UNIT",
      description = "Unit of the timestamps in line protocol: ns, us, ms or s (ns).")
  private String precision = "ns";

  @Option(
      names = "--time",
      paramLabel = "WHERE",
      description =
          "record: readings have the timestamp of their record; header:NAME: that in a header, in"
              + " milliseconds or as 2026-11-21T12:00:00Z (default: that of --json-timestamp, the"
              + " column or the line and, where none is mapped, the one that the producer gave"
              + " the record).")
  private String time;

  @Option(
      names = "--sensor-id",
      paramLabel = "TEMPLATE",
      description =
          "Sensor id from {key}, {topic}, {topic:N}, {partition}, {header:NAME}, {column} and"
              + " {path:$.a} ({key}, or {key}/{column} for several values); in line protocol as for"
              + " files.")
  private String sensorId;

  @Mixin private MappingMixin mapping;

  private ImportStart start;
  private Map<String, String> options;

  ImportCommand() {
    super(
        TopicKeys.with(
            List.of(
                Keys.BOOTSTRAP_SERVERS,
                Keys.MAX_RECORD_BYTES,
                Keys.HTTP_PORT,
                Keys.HTTP_HOST,
                Keys.LOG_FORMAT,
                Keys.LOG_LEVEL),
            User.REDRIVE));
  }

  /**
   * How records are read by the words of a command line.
   *
   * @throws picocli.CommandLine.ParameterException in one line where the command refuses them
   */
  static RecordReader reader(List<String> words, WeirConfig config) {
    ImportCommand command = new ImportCommand();
    CommandLine line = new CommandLine(command);
    ConfigOptions.addTo(line);
    Converters.register(line);
    line.setExpandAtFiles(false).parseArgs(words.toArray(String[]::new));
    command.checkUsage();
    return command.reader(config, command.decoder(command.schemas(config)));
  }

  @Override
  void checkUsage() {
    if (!name.matches("[A-Za-z0-9.-]{1,100}") || !instance.matches("[A-Za-z0-9._-]{1,100}")) {
      throw wrongUsage("--name and --instance: expected: letters, digits, - and .");
    }
    if (commitInterval.toMillis() < 10 || commitInterval.toMillis() > 10_000) {
      throw wrongUsage("--commit-interval: expected: 10ms to 10s");
    }
    if (time != null && !time.equals("record") && !time.matches("header:.+")) {
      throw wrongUsage("--time " + time + ": expected: record or header:NAME");
    }
    if ((topics == null) == (topicsRegex == null)) {
      throw wrongUsage("expected: names of topics, or --topics-regex");
    }
    try {
      start = ImportStart.parse(from);
      options = mapping.options();
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
    String inFile = options.remove("format");
    format = format != null ? format : inFile != null ? inFile : "json";
    if (!FORMATS.contains(format)) {
      throw wrongUsage(
          "--format " + format + ": expected: json, line, csv, number, avro or protobuf");
    }
    if (format.equals("protobuf") != (descriptor != null)
        || format.equals("protobuf") != (message != null)) {
      throw wrongUsage("--format protobuf needs --descriptor and --message, other formats neither");
    }
    if (!format.equals(AVRO) && (schema != null || registry != null)) {
      throw wrongUsage("--schema and --registry are for --format avro");
    }
    if (binary != null
        && !(format.equals(NUMBER) && Set.of("double", "float", "long", "int").contains(binary))) {
      throw wrongUsage("--binary: expected: double, float, long or int, with --format number");
    }
    if (rawJson && !format.equals("json")) {
      throw wrongUsage("--raw-json is for --format json");
    }
    for (String option : options.keySet()) {
      boolean otherFormat =
          format.equals(CSV)
              ? option.startsWith("json-") || option.equals("encoding")
              : OF_CSV.contains(option) || format.equals(NUMBER) && option.startsWith("json-");
      if (otherFormat || (isLine() && !option.equals(SENSOR_ID))) {
        throw wrongUsage("--" + option + " is not for records of " + format);
      }
    }
    if (sensorId != null) {
      options.put(SENSOR_ID, sensorId);
    }
    try {
      text(Limits.DEFAULT);
      decoder(Optional.empty());
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
  }

  /** The decoder of records that are no text. */
  private Optional<RecordDecoder> decoder(Optional<SchemaRegistry> schemas) {
    return switch (format) {
      case AVRO -> {
        Optional<String> bare =
            Optional.ofNullable(schema)
                .map(file -> new String(bytes(file), StandardCharsets.UTF_8));
        yield Optional.of(new AvroRecords(bare, schemas));
      }
      case NUMBER ->
          Optional.of(
              new NumberRecords(
                  binary == null
                      ? NumberRecords.Form.TEXT
                      : NumberRecords.Form.valueOf(binary.toUpperCase(Locale.ROOT))));
      case "protobuf" -> Optional.of(new ProtobufRecords(bytes(descriptor), message));
      default -> Optional.empty();
    };
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": cannot be read: " + e, e);
    }
  }

  /** The registry of the sources; that of Weir's own topics unless another is named. */
  private Optional<SchemaRegistry> schemas(WeirConfig config) {
    Map<String, Object> values = new HashMap<>(config.values());
    if (registry != null) {
      values.put(RegistrySettings.URL, registry);
    }
    RegistrySettings settings = RegistrySettings.of(values);
    if (format.equals(AVRO) && schema == null && !settings.isSet()) {
      throw wrongUsage("--format avro: expected: --registry URL or --schema FILE");
    }
    return settings.isSet() && format.equals(AVRO)
        ? Optional.of(Registries.open(settings))
        : Optional.empty();
  }

  private boolean isLine() {
    return format.equals("line");
  }

  private RecordText text(Limits limits) {
    if (isLine()) {
      SensorIdTemplate ids =
          options.containsKey(SENSOR_ID)
              ? SensorIdTemplate.parse(options.get(SENSOR_ID))
              : SensorIdTemplate.DEFAULT;
      TextForm form = new TextForm(TextFormat.LINE_PROTOCOL, TextForm.lines(precision).unit(), ids);
      return RecordText.lines(form, limits, timeOf(), MAX_READINGS);
    }
    Map<String, String> all = new HashMap<>(options);
    if (format.equals(NUMBER)) {
      all.put("json-value", "$");
    }
    String columns = all.getOrDefault("columns", "");
    if (!all.containsKey("json-sensor-id") && !columns.contains("sensor_id=")) {
      String value = all.getOrDefault("json-value", "$.value");
      boolean several = JsonPath.parse(value).hasAll() || "true".equals(all.get("wide"));
      all.putIfAbsent(SENSOR_ID, several ? "{key}/{column}" : "{key}");
    }
    Mapping mapped = MappingOptions.ofRecords(all);
    if (format.equals(CSV)) {
      return RecordText.csv(mapped, limits, timeOf(), MAX_READINGS);
    }
    return rawJson
        ? RecordText.rawJson(mapped, limits, timeOf(), MAX_READINGS)
        : RecordText.json(mapped, limits, timeOf(), MAX_READINGS);
  }

  private RecordText.Time timeOf() {
    if (time != null) {
      return RecordText.Time.RECORD;
    }
    return options.containsKey("json-timestamp")
            || options.getOrDefault("columns", "").contains("timestamp=")
        ? RecordText.Time.TEXT
        : RecordText.Time.TEXT_OR_RECORD;
  }

  @Override
  int run(WeirConfig config) {
    Optional<RecordDecoder> decoder = decoder(schemas(config));
    StopSignal stop = StopSignal.install(() -> {});
    String progress = config.plant().map(plant -> plant + ".").orElse("") + "weir.import.progress";
    ImportSettings settings =
        new ImportSettings(
            name,
            again ? "again" : instance,
            topics == null ? Set.of() : new LinkedHashSet<>(topics),
            topicsRegex == null ? Optional.empty() : Optional.of(others(config, progress)),
            start,
            commitInterval,
            config.topics().readings(),
            config.nameOf(Topic.DEAD_LETTERS),
            progress);
    try (Admin admin = Connections.admin(config.kafka())) {
      TopicAdmin onCluster = new TopicAdmin(admin, config.topics(), config.topicOptions());
      for (String own : List.of(settings.readings(), settings.deadLetters())) {
        if (onCluster.id(own).isEmpty()) {
          throw new KafkaException("no topic " + own + " on the cluster; weir topics makes it");
        }
        if (settings.sources().contains(own)) {
          throw wrongUsage(own + " is a topic of Weir: expected: topics of other programs");
        }
      }
      for (String source : settings.sources()) {
        if (onCluster.id(source).isEmpty()) {
          printError("no topic " + source + " on the cluster yet; waiting for it");
        }
      }
      onCluster.createProgress(progress);
      int maxBatch = onCluster.maxMessageBytes(settings.readings());
      int maxDeadLetter = onCluster.maxMessageBytes(settings.deadLetters());
      Import.Clients clients =
          clients(config, settings, onCluster, Math.max(maxBatch, maxDeadLetter));
      Import.Form form = form(config, settings, decoder, maxBatch, maxDeadLetter);
      Results out = Results.standard();
      if (again) {
        out.line("again: " + new ImportAgain(settings, clients, form).run());
      } else {
        Import importing = new Import(settings, clients, form);
        ImportWatch watch = new ImportWatch(config, importing);
        try {
          out.line("import: " + importing.run(stop::await));
        } finally {
          watch.close();
        }
      }
      out.flush();
      return 0;
    }
  }

  /** The pattern, but for Weir's own topics. */
  private Pattern others(WeirConfig config, String progress) {
    Set<String> own = new LinkedHashSet<>(Set.of(progress));
    for (Topic topic : Topic.values()) {
      own.add(config.nameOf(topic));
    }
    String names = own.stream().map(Pattern::quote).collect(Collectors.joining("|"));
    return Pattern.compile("(?!(?:" + names + ")$)(?:" + topicsRegex.pattern() + ")");
  }

  private RecordReader reader(WeirConfig config, Optional<RecordDecoder> decoder) {
    return new RecordReader(
        text(config.limits()),
        decoder,
        Optional.ofNullable(time)
            .filter(each -> each.startsWith(HEADER))
            .map(each -> each.substring(HEADER.length())),
        time != null);
  }

  private Import.Form form(
      WeirConfig config,
      ImportSettings settings,
      Optional<RecordDecoder> decoder,
      int maxBatchBytes,
      int maxDeadLetterBytes) {
    ValueFormat.Writer writer =
        ValueFormat.of(config.values())
            .writer(settings.readings(), ReadingBatch.getDefaultInstance());
    byte[] key = ("import/" + name).getBytes(StandardCharsets.UTF_8);
    int onTopic = new SizeGuard(maxBatchBytes).roomForValue(key, new RecordHeaders());
    return new Import.Form(
        reader(config, decoder),
        writer,
        config.limits().maxBatchReadings(),
        Math.min(onTopic, config.limits().maxRecordBytes()) - writer.mostAddedBytes(),
        maxDeadLetterBytes);
  }

  private static Import.Clients clients(
      WeirConfig config, ImportSettings settings, TopicAdmin topics, int maxRequestBytes) {
    return new Import.Clients(
        () -> consumer(config, settings),
        () -> producer(config, settings, maxRequestBytes),
        () -> Connections.reader(config),
        topics::id);
  }

  private static Consumer<byte[], byte[]> consumer(WeirConfig config, ImportSettings own) {
    Map<String, Object> settings = config.kafka().forConsumer();
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, ImportSettings.group(own.name()));
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Import.FULL_POLL);
    settings.putIfAbsent(ConsumerConfig.METADATA_MAX_AGE_CONFIG, "30000");
    return BoundedConsumer.open(settings, config.maxDecompressedRecordBytes());
  }

  private static Producer<byte[], byte[]> producer(
      WeirConfig config, ImportSettings own, int maxRequestBytes) {
    Map<String, Object> settings = config.kafka().forProducer();
    settings.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(
        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) Import.TRANSACTION_TIMEOUT.toMillis());
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, own.transactionalId());
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxRequestBytes);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
