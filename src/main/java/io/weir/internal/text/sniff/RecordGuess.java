package io.weir.internal.text.sniff;

import io.weir.internal.text.FileSample;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the options of {@code weir import} for records of another program: the form of their
 * values, and where sensor and time are. Where two readings fit, it takes one and says so. One use,
 * one thread.
 */
public final class RecordGuess {
  private static final int FRAME = 5;
  private static final int MAX_IDS = 10;
  private static final int SOME = 5;

  // Bounds of what is looked at, whatever a sender has put into its records.
  private static final int MAX_LINES = 1_000;
  private static final int MAX_CHARACTERS = 1_000_000;
  private static final int MAX_HEADERS = 50;
  private static final int MAX_NAMES = 20;
  private static final int MAX_SHOWN = 100;
  private static final byte[] CONTAINER = {'O', 'b', 'j', 1};
  private static final Pattern OF_SENSOR =
      Pattern.compile("(?i).*(topic|sensor|device|machine|tag|source|asset).*");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern INSTANT =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)");
  private static final double LEAST = 1e-9;
  private static final double MOST = 1e12;
  private static final String FORMAT = "format";
  private static final String TIME = "time";
  private static final String SENSOR_ID = "sensor-id";

  private final Sniffed sniffed = new Sniffed();
  private final List<RecordSample> records;
  private final RecordSample.Schemas schemas;

  private RecordGuess(List<RecordSample> records, RecordSample.Schemas schemas) {
    this.records = records;
    this.schemas = schemas;
  }

  private enum Kind {
    JSON("JSON"),
    FRAMED("frames of a schema registry"),
    CONTAINER("Avro object container files"),
    NUMBER("plain numbers"),
    LINE("line protocol"),
    CSV("separated columns"),
    BINARY("binary values"),
    TEXT("other text");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /** The options, by the names that the command has. */
  public static Sniffed look(List<RecordSample> all, RecordSample.Schemas schemas) {
    List<RecordSample> valued =
        all.stream().filter(record -> record.value() != null && record.value().length > 0).toList();
    RecordGuess guess = new RecordGuess(valued, schemas);
    if (valued.size() < all.size()) {
      guess.sniffed.say(
          "records without a value, which are skipped: " + (all.size() - valued.size()));
    }
    if (valued.isEmpty()) {
      guess.sniffed.leaveOpen("what it is: no record has a value");
    } else {
      guess.guess();
    }
    return guess.sniffed;
  }

  private void guess() {
    Map<Kind, List<RecordSample>> kinds = new EnumMap<>(Kind.class);
    boolean narrow = isOfWidth(Double.BYTES) || isOfWidth(Float.BYTES);
    for (RecordSample record : records) {
      kinds.computeIfAbsent(kind(record, narrow), none -> new ArrayList<>()).add(record);
    }
    Kind kind =
        kinds.entrySet().stream()
            .max(Map.Entry.comparingByValue((a, b) -> Integer.compare(a.size(), b.size())))
            .orElseThrow()
            .getKey();
    List<RecordSample> chosen = kinds.get(kind);
    if (kinds.size() > 1) {
      sniffed.leaveOpen(
          "the format: records are of several kinds, and one command reads one of them: "
              + kinds.entrySet().stream()
                  .map(each -> each.getKey().words + " " + each.getValue().size())
                  .collect(Collectors.joining(", ")));
    }
    sniffed.say("values: " + kind.words);
    sayParts();
    switch (kind) {
      case JSON -> json(chosen);
      case FRAMED -> framed(chosen);
      case CONTAINER -> container(chosen);
      case NUMBER -> number();
      case LINE -> line(chosen);
      case CSV -> csv(chosen);
      case BINARY -> binary(chosen);
      default -> sniffed.leaveOpen("the format: values are no JSON, numbers, columns or lines");
    }
  }

  private boolean isOfWidth(int bytes) {
    return records.stream().allMatch(record -> record.value().length == bytes);
  }

  /**
   * @param narrow whether each value is as wide as one number in binary form
   */
  private static Kind kind(RecordSample record, boolean narrow) {
    byte[] value = record.value();
    boolean frame = value.length > FRAME && value[0] == 0;
    if (frame && jsonIn(value).isPresent()) {
      return Kind.JSON;
    }
    if (frame && !narrow) {
      return Kind.FRAMED;
    }
    if (value.length > CONTAINER.length
        && Arrays.equals(value, 0, CONTAINER.length, CONTAINER, 0, CONTAINER.length)) {
      return Kind.CONTAINER;
    }
    Optional<String> text = RecordSample.text(value, 0);
    return text.isEmpty() ? Kind.BINARY : kind(text.get().strip());
  }

  private static Kind kind(String text) {
    if (text.startsWith("{") || text.startsWith("[")) {
      return Kind.JSON;
    }
    if (isNumber(text)) {
      return Kind.NUMBER;
    }
    if (Sniffer.isLineProtocol(lines(text).toList())) {
      return Kind.LINE;
    }
    boolean columns = text.chars().anyMatch(c -> c == ',' || c == ';' || c == '\t' || c == '|');
    return columns ? Kind.CSV : Kind.TEXT;
  }

  private static boolean isNumber(String text) {
    return NumberGuess.NUMBER.matcher(text).matches()
        || text.equalsIgnoreCase("true")
        || text.equalsIgnoreCase("false");
  }

  /** The JSON behind a frame. */
  private static Optional<String> jsonIn(byte[] value) {
    return value[FRAME] == '{' || value[FRAME] == '['
        ? RecordSample.text(value, FRAME)
        : Optional.empty();
  }

  private void sayParts() {
    Set<String> names = new TreeSet<>();
    records.forEach(record -> names.addAll(record.headers().keySet()));
    Set<String> keys = keys();
    long without = records.stream().filter(record -> record.key() == null).count();
    if (without == records.size()) {
      sniffed.say("keys: none");
    } else if (keys.isEmpty()) {
      sniffed.say("keys: no text");
    } else {
      sniffed.say("keys: " + keys.size() + " different, such as " + shown(keys.iterator().next()));
    }
    if (!names.isEmpty()) {
      sniffed.say(
          names.stream()
              .limit(MAX_NAMES)
              .map(RecordGuess::shown)
              .collect(
                  Collectors.joining(
                      ", ", "headers: ", names.size() > MAX_NAMES ? ", and others" : "")));
    }
  }

  private static String shown(String text) {
    return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
  }

  private static Stream<String> lines(String text) {
    return text.lines().limit(MAX_LINES);
  }

  private void json(List<RecordSample> chosen) {
    List<String> texts = new ArrayList<>();
    for (RecordSample record : chosen) {
      boolean frame = record.value()[0] == 0;
      RecordSample.text(record.value(), frame ? FRAME : 0).ifPresent(texts::add);
    }
    sniffed.option(FORMAT, "json");
    if (chosen.stream().anyMatch(record -> record.value()[0] == 0)) {
      sniffed.say("a frame of a schema registry before the JSON, which weir import takes off");
    }
    JsonGuess guess = new JsonGuess(sniffed);
    guess.ofRecords(texts).ifPresent(members -> members(members, guess::texts));
  }

  private void members(JsonGuess.Members members, Function<String, List<String>> texts) {
    if (members.time().isEmpty()) {
      timeOfRecord();
    } else {
      headerOfTime().ifPresent(this::leaveTimeOpen);
    }
    if (members.sensor().isEmpty()) {
      sensorOfRecord(members.suffix());
    } else {
      members.describeSensor(sniffed);
      compareWithKeys(members.sensor(), texts);
    }
  }

  /** A key that says something else than the value names another sensor. */
  private void compareWithKeys(List<String> paths, Function<String, List<String>> texts) {
    Set<String> keys = keys();
    Set<String> named = new HashSet<>();
    paths.forEach(path -> named.addAll(texts.apply(path)));
    boolean same = !named.isEmpty() && named.containsAll(keys);
    if (namesSensors(keys) && !same) {
      sniffed.leaveOpen(
          "the sensor: taken from %s; the key, such as %s, fits as well: {key} in --sensor-id"
              .formatted(String.join(", ", paths), keys.iterator().next()));
    }
  }

  private void framed(List<RecordSample> chosen) {
    Map<Integer, Optional<RecordSample.Schema>> found = new TreeMap<>();
    for (RecordSample record : chosen) {
      int id = ByteBuffer.wrap(record.value(), 1, Integer.BYTES).getInt();
      if (found.size() < MAX_IDS) {
        found.computeIfAbsent(id, schemas::find);
      }
    }
    Set<String> types =
        found.values().stream()
            .flatMap(Optional::stream)
            .map(RecordSample.Schema::type)
            .collect(Collectors.toCollection(TreeSet::new));
    String ids = found.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "));
    sniffed.say("schema ids: " + ids + (types.isEmpty() ? "" : "; " + String.join(", ", types)));
    if (types.size() != 1) {
      sniffed.leaveOpen(
          types.isEmpty()
              ? "the format: no registry has named the schema; set --registry, or try"
                  + " --format avro or --format protobuf"
              : "the format: schemas are of several types; one command reads one of them");
    } else if (types.contains("AVRO")) {
      int last = ByteBuffer.wrap(chosen.get(chosen.size() - 1).value(), 1, Integer.BYTES).getInt();
      Optional<RecordSample.Schema> newest = found.getOrDefault(last, Optional.empty());
      avro(newest.or(() -> found.values().stream().flatMap(Optional::stream).findFirst()));
    } else {
      protobuf();
    }
  }

  private void avro(Optional<RecordSample.Schema> schema) {
    sniffed.option(FORMAT, "avro");
    Map<String, List<String>> leaves =
        new LinkedHashMap<>(schema.map(s -> AvroGuess.leaves(s.text())).orElse(Map.of()));
    sniffed.say(
        "fields: " + leaves.keySet().stream().limit(MAX_IDS).collect(Collectors.joining(", ")));
    AvroGuess.timeOfNoUnit(leaves, JsonGuess.TIME)
        .ifPresent(
            path ->
                sniffed.leaveOpen(
                    "the unit of "
                        + path
                        + ": the schema does not say it; --time-format epoch-s,"
                        + " epoch-ms, epoch-us, epoch-ns or iso"));
    new JsonGuess(sniffed)
        .ofLeaves(leaves)
        .ifPresent(members -> members(members, path -> List.of()));
    sniffed.options().remove("time-format", "iso"); // The type of the field says its unit.
  }

  private void protobuf() {
    sniffed.option(FORMAT, "protobuf");
    sniffed.leaveOpen(
        "the members: weir import needs --descriptor FILE of protoc --descriptor_set_out"
            + " --include_imports, and paths: --json-value, --json-timestamp, --sensor-id");
  }

  private void container(List<RecordSample> chosen) {
    byte[] value = chosen.get(chosen.size() - 1).value();
    String bytes = new String(value, StandardCharsets.ISO_8859_1);
    int at = bytes.indexOf("avro.schema");
    Optional<RecordSample.Schema> schema = Optional.empty();
    int from = bytes.indexOf('{', Math.max(at, 0));
    if (at >= 0 && from >= 0) {
      schema = Optional.of(new RecordSample.Schema("AVRO", firstObject(bytes.substring(from))));
    }
    avro(schema);
  }

  /** Up to the brace that closes the first. */
  private static String firstObject(String text) {
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
      if (depth == 0) {
        return text.substring(0, i + 1);
      }
    }
    return text;
  }

  private void number() {
    sniffed.option(FORMAT, "number");
    timeOfRecord();
    sensorOfRecord("");
  }

  private void line(List<RecordSample> chosen) {
    List<String> lines =
        chosen.stream()
            .flatMap(record -> RecordSample.text(record.value(), 0).stream())
            .flatMap(String::lines)
            .limit(MAX_LINES)
            .toList();
    sniffed.option(FORMAT, "line");
    if (Sniffer.isTimed(lines, sniffed)) {
      headerOfTime().ifPresent(this::leaveTimeOpen);
    } else {
      timeOfRecord();
    }
  }

  private void csv(List<RecordSample> chosen) {
    List<List<String>> tables = new ArrayList<>();
    int left = MAX_LINES;
    long characters = 0;
    for (RecordSample record : chosen) {
      List<String> table = lines(RecordSample.text(record.value(), 0).orElse("")).toList();
      characters += record.value().length;
      if (left > 0 && (tables.isEmpty() || characters <= MAX_CHARACTERS)) {
        tables.add(table);
      }
      left -= table.size();
    }
    sniffed.option(FORMAT, "csv");
    String first = tables.get(0).get(0);
    boolean header =
        tables.stream().allMatch(table -> table.size() > 1 && table.get(0).equals(first));
    List<String> lines = new ArrayList<>(header ? List.of(first) : List.of());
    tables.forEach(table -> lines.addAll(table.subList(header ? 1 : 0, table.size())));
    FileSample sample = new FileSample(StandardCharsets.UTF_8, lines, false);
    if (!new CsvGuess(sniffed, sample).guess()) {
      sniffed.leaveOpen(
          "the columns: say them, such as --no-header --columns value=1, and --time record");
    }
  }

  /** Numbers as Kafka's own serializers write them, or the bare form of a schema. */
  private void binary(List<RecordSample> chosen) {
    List<String> fitting = new ArrayList<>();
    if (isOfWidth(Double.BYTES)) {
      addFitting("double", value -> ByteBuffer.wrap(value).getDouble(), fitting);
      addFitting("long", value -> ByteBuffer.wrap(value).getLong(), fitting);
    } else if (isOfWidth(Float.BYTES)) {
      addFitting("float", value -> ByteBuffer.wrap(value).getFloat(), fitting);
      addFitting("int", value -> ByteBuffer.wrap(value).getInt(), fitting);
    }
    if (fitting.isEmpty()) {
      sniffed.leaveOpen(
          "the format: values are binary without a frame; Avro needs --format avro --schema"
              + " FILE.avsc, protobuf --format protobuf --descriptor FILE --message NAME");
      return;
    }
    sniffed.say("binary numbers of " + chosen.get(0).value().length + " bytes");
    sniffed.option(FORMAT, "number");
    sniffed.option("binary", fitting.get(0));
    if (fitting.size() > 1) {
      sniffed.leaveOpen(
          "the number: taken as %s; another type fits as well: --binary %s"
              .formatted(fitting.get(0), fitting.get(1)));
    }
    timeOfRecord();
    sensorOfRecord("");
  }

  /** A number of an ordinary size, or zero, in each record. */
  private void addFitting(String type, ToDoubleFunction<byte[]> read, List<String> fitting) {
    boolean fits =
        records.stream()
            .mapToDouble(record -> Math.abs(read.applyAsDouble(record.value())))
            .allMatch(number -> number == 0 || number > LEAST && number < MOST);
    if (fits) {
      fitting.add(type);
    }
  }

  private void timeOfRecord() {
    sniffed.option(TIME, "record");
    headerOfTime().ifPresent(this::leaveTimeOpen);
    if (records.stream().anyMatch(RecordSample::appended)) {
      sniffed.leaveOpen(
          "the time: taken from the records, whose times are those at which the broker appended"
              + " them; nothing else in them is a time");
    }
  }

  private void leaveTimeOpen(String header) {
    sniffed.leaveOpen(
        "the time: the header %s has one as well: --time header:%s".formatted(header, header));
  }

  /** A header with a time in each record. */
  private Optional<String> headerOfTime() {
    return headers().entrySet().stream()
        .filter(
            header ->
                header.getValue().stream()
                    .allMatch(
                        text ->
                            INSTANT.matcher(text).matches()
                                || text.matches("\\d{13}") && TimeGuess.maybe(text)))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Headers that each record has as text. */
  private Map<String, Set<String>> headers() {
    Map<String, Set<String>> found = new TreeMap<>();
    Set<String> names =
        records.get(0).headers().keySet().stream()
            .limit(MAX_HEADERS)
            .collect(Collectors.toCollection(TreeSet::new));
    for (String name : names) {
      List<Optional<String>> texts =
          records.stream().map(record -> RecordSample.text(record.headers().get(name), 0)).toList();
      if (texts.stream().allMatch(text -> text.filter(t -> !t.isBlank()).isPresent())) {
        found.put(name, texts.stream().flatMap(Optional::stream).collect(Collectors.toSet()));
      }
    }
    return found;
  }

  /**
   * The sensor's name from key, header or topic.
   *
   * @param suffix of the id, where a record has several values
   */
  private void sensorOfRecord(String suffix) {
    Set<String> keys = keys();
    List<String> headers =
        headers().entrySet().stream()
            .filter(header -> OF_SENSOR.matcher(header.getKey()).matches())
            .filter(header -> namesSensors(header.getValue()))
            .map(header -> "{header:" + header.getKey() + "}")
            .toList();
    boolean keyed = namesSensors(keys) && records.stream().allMatch(r -> r.key() != null);
    List<String> fitting = new ArrayList<>(keyed ? List.of("{key}") : List.of());
    fitting.addAll(headers);
    if (fitting.isEmpty()) {
      sniffed.option(SENSOR_ID, "{topic}" + suffix);
      sniffed.leaveOpen(
          "the sensor: neither key nor header names one; all records are taken for one sensor of"
              + " the topic's name: --sensor-id TEMPLATE");
      return;
    }
    sniffed.option(SENSOR_ID, fitting.get(0) + suffix);
    if (fitting.size() > 1) {
      sniffed.leaveOpen(
          "the sensor: taken from %s; %s fits as well in --sensor-id"
              .formatted(fitting.get(0), String.join(", ", fitting.subList(1, fitting.size()))));
    }
  }

  /** Texts of keys. */
  private Set<String> keys() {
    return records.stream()
        .map(record -> RecordSample.text(record.key(), 0).orElse(null))
        .filter(Objects::nonNull)
        .filter(text -> !text.isBlank())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whether they are names: no JSON, no id of its own in each record, no time. */
  private boolean namesSensors(Set<String> texts) {
    boolean each = records.size() > SOME && texts.size() == records.size();
    return !texts.isEmpty()
        && !each
        && texts.stream()
            .noneMatch(
                text ->
                    text.startsWith("{")
                        || UUID.matcher(text).matches()
                        || TimeGuess.maybe(text.toLowerCase(Locale.ROOT)));
  }
}
