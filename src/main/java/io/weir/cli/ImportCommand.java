package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.ImportKeys;
import io.weir.internal.app.ImportOptions;
import io.weir.internal.app.Key;
import io.weir.internal.app.Keys;
import io.weir.internal.app.SigningKeys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.imports.AvroRecords;
import io.weir.internal.imports.ImportAgain;
import io.weir.internal.imports.ImportCluster;
import io.weir.internal.imports.ImportJob;
import io.weir.internal.imports.ImportSettings;
import io.weir.internal.imports.ImportStatus;
import io.weir.internal.imports.NumberRecords;
import io.weir.internal.imports.ProtobufRecords;
import io.weir.internal.imports.RecordDecoder;
import io.weir.internal.imports.RecordReader;
import io.weir.internal.imports.RecordReader.Way;
import io.weir.internal.ops.ImportMeters;
import io.weir.internal.ops.ServiceProcess;
import io.weir.internal.registry.Registries;
import io.weir.internal.registry.RegistrySettings;
import io.weir.internal.registry.SchemaRegistry;
import io.weir.internal.text.RecordText;
import io.weir.internal.text.SensorIdTemplate;
import io.weir.internal.text.TextForm;
import io.weir.internal.text.TextFormat;
import io.weir.internal.text.ValueForm;
import io.weir.internal.text.mapping.JsonPath;
import io.weir.internal.text.mapping.Mapping;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.reading.Limits;
import io.weir.topic.Topic.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

  private static final String JSON = "json";
  private static final List<Key<?>> SHORT =
      List.of(
          ImportKeys.NAME,
          ImportKeys.INSTANCE,
          ImportKeys.FROM,
          ImportKeys.FORMAT,
          ImportKeys.COMMIT_INTERVAL,
          ImportKeys.MAX_IDLE,
          ImportKeys.MAX_READINGS);
  private static final String AVRO = "avro";
  private static final String AUTO = "auto";
  private static final String HEADER = "header:";
  private static final String CSV = "csv";
  private static final String LINE = "line";
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
          "Import this import's dead letters again, after you corrected the mapping, and exit.")
  private boolean again;

  @Option(
      names = "--ordered",
      description =
          "Each sensor is in one partition of the topics and in the order of time, and nobody else"
              + " publishes it: windows are final without the grace period.")
  private boolean ordered;

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

  private String format;
  private Map<String, String> options;
  private int maxReadings;

  private static List<Key<?>> with(Key<?>... more) {
    return Stream.concat(SHORT.stream(), Stream.of(more)).toList();
  }

  ImportCommand() {
    super(
        TopicKeys.with(
            with(
                Keys.BOOTSTRAP_SERVERS,
                Keys.MAX_RECORD_BYTES,
                SigningKeys.KEY_FILE,
                Keys.HTTP_PORT,
                Keys.HTTP_HOST,
                Keys.LOG_FORMAT,
                Keys.LOG_LEVEL),
            User.IMPORT));
    for (Key<?> key : SHORT) {
      configOptions().withName(key, key.optionName().replace("--import", "-"));
    }
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
    command.check(config.imports());
    return command.reader(config);
  }

  @Override
  void checkUsage() {
    if (time != null && !time.equals("record") && !time.matches("header:.+")) {
      throw wrongUsage("--time " + time + ": expected: record or header:NAME");
    }
    if ((topics == null) == (topicsRegex == null)) {
      throw wrongUsage("expected: names of topics, or --topics-regex");
    }
  }

  private void check(ImportOptions settings) {
    maxReadings = settings.maxReadings();
    try {
      options = mapping.options();
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
    Optional<String> inFile = Optional.ofNullable(options.remove("format"));
    format =
        configOptions().given(ImportKeys.FORMAT).or(settings::format).or(() -> inFile).orElse(JSON);
    if (inFile.isPresent() && !ImportKeys.FORMATS.contains(format)) {
      throw wrongUsage(
          "format: " + format + ": expected: " + String.join(", ", ImportKeys.FORMATS));
    }
    boolean protobuf = format.equals("protobuf");
    if (protobuf != (descriptor != null) || protobuf != (message != null)) {
      throw wrongUsage("--format protobuf needs --descriptor and --message, other formats neither");
    }
    if (!format.equals(AVRO) && (schema != null || registry != null)) {
      throw wrongUsage("--schema and --registry are for --format avro");
    }
    if (binary != null
        && !(format.equals(NUMBER) && Set.of("double", "float", "long", "int").contains(binary))) {
      throw wrongUsage("--binary: expected: double, float, long or int, with --format number");
    }
    if (rawJson && !format.equals(JSON)) {
      throw wrongUsage("--raw-json is for --format json");
    }
    for (String option : options.keySet()) {
      if (!format.equals(AUTO) && !isFor(format, option)) {
        throw wrongUsage("--" + option + " is not for records of " + format);
      }
    }
    if (sensorId != null) {
      options.put(SENSOR_ID, sensorId);
    }
    try {
      ways(Limits.DEFAULT, Optional.empty());
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
  }

  private static boolean isFor(String format, String option) {
    return switch (format) {
      case LINE -> option.equals(SENSOR_ID);
      case CSV -> !option.startsWith("json-") && !option.equals("encoding");
      case NUMBER -> !OF_CSV.contains(option) && !option.startsWith("json-");
      default -> !OF_CSV.contains(option);
    };
  }

  /** How records of the format are read; with {@code auto}, each by its own. */
  private Function<byte[], Way> ways(Limits limits, Optional<SchemaRegistry> schemas) {
    if (!format.equals(AUTO)) {
      Way only = new Way(text(format, limits), decoder(format, schemas));
      return value -> only;
    }
    Map<ValueForm, Way> byForm = new EnumMap<>(ValueForm.class);
    for (ValueForm each : ValueForm.values()) {
      String name = each.name().toLowerCase(Locale.ROOT);
      byForm.put(each, new Way(text(name, limits), decoder(name, schemas)));
    }
    return value -> byForm.get(ValueForm.of(value));
  }

  /** The decoder of records that are no text. */
  private Optional<RecordDecoder> decoder(String ofFormat, Optional<SchemaRegistry> schemas) {
    return switch (ofFormat) {
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

  private RecordText text(String ofFormat, Limits limits) {
    Map<String, String> all = new HashMap<>(options);
    all.keySet().removeIf(option -> !isFor(ofFormat, option));
    RecordText.Time times = timeOf(all);
    if (ofFormat.equals(LINE)) {
      SensorIdTemplate ids =
          all.containsKey(SENSOR_ID) && !format.equals(AUTO)
              ? SensorIdTemplate.parse(options.get(SENSOR_ID))
              : SensorIdTemplate.DEFAULT;
      TextForm form = new TextForm(TextFormat.LINE_PROTOCOL, TextForm.lines(precision).unit(), ids);
      return RecordText.lines(form, limits, times, maxReadings);
    }
    if (ofFormat.equals(NUMBER)) {
      all.put("json-value", "$");
    }
    String columns = all.getOrDefault("columns", "");
    if (!all.containsKey("json-sensor-id") && !columns.contains("sensor_id=")) {
      String value = all.getOrDefault("json-value", "$.value");
      boolean several = JsonPath.parse(value).hasAll() || "true".equals(all.get("wide"));
      all.putIfAbsent(SENSOR_ID, several ? "{key}/{column}" : "{key}");
    }
    Mapping mapped = MappingOptions.ofRecords(all);
    if (ofFormat.equals(CSV)) {
      return RecordText.csv(mapped, limits, times, maxReadings);
    }
    return rawJson
        ? RecordText.rawJson(mapped, limits, times, maxReadings)
        : RecordText.json(mapped, limits, times, maxReadings);
  }

  private RecordText.Time timeOf(Map<String, String> all) {
    if (time != null) {
      return RecordText.Time.RECORD;
    }
    return all.containsKey("json-timestamp")
            || all.getOrDefault("columns", "").contains("timestamp=")
        ? RecordText.Time.TEXT
        : RecordText.Time.TEXT_OR_RECORD;
  }

  @Override
  int run(WeirConfig config) {
    check(config.imports());
    RecordReader reader = reader(config);
    ImportSettings settings =
        ImportSettings.of(
            config, topics == null ? List.of() : topics, Optional.ofNullable(topicsRegex));
    Results out = Results.standard();
    if (again) {
      ImportSettings own = settings.again();
      try (ImportCluster cluster = ImportCluster.open(config, own)) {
        ImportAgain run = new ImportAgain(own, cluster.clients(), cluster.form(reader, false));
        out.line("again: " + run.run());
      }
    } else {
      ImportStatus[] status = {ImportStatus.of(settings.sources())};
      try (ServiceProcess process = ServiceProcess.open(config)) {
        StopSignal.install(process::stop);
        process.run(
            () -> ImportJob.start(config, settings, reader, ordered),
            job -> {
              status[0] = job.status();
              return new ImportMeters(job.status(), process.registry());
            });
      }
      out.line("import: " + status[0].total());
    }
    out.flush();
    return 0;
  }

  private RecordReader reader(WeirConfig config) {
    return new RecordReader(
        ways(config.limits(), schemas(config)),
        Optional.ofNullable(time)
            .filter(each -> each.startsWith(HEADER))
            .map(each -> each.substring(HEADER.length())),
        time != null);
  }
}
