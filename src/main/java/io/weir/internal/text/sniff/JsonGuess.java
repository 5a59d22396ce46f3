package io.weir.internal.text.sniff;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.internal.text.Printable;
import io.weir.internal.text.mapping.JsonRepair;
import io.weir.internal.text.mapping.QualityMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks for the parts of a reading in JSON, by the names of members first. */
final class JsonGuess {
  static final List<String> TIME =
      words(
          "timestamp_ms timestamp time ts ts_ms t datetime date epoch zeit last_changed"
              + " last_updated created_at time_stamp");
  private static final List<String> SENSOR =
      words(
          "sensor_id sensor tag device device_id deviceid deviceeui id name topic model metric"
              + " measurement entity_id host node channel mac target");
  private static final List<String> VALUE = words("value v val wert reading measurement state");
  private static final List<String> QUALITY = words("quality q status ok");
  private static final int MAX_ELEMENTS = 200;
  private static final int MAX_LABELS = 3;
  private static final int MAX_LEFT = 5;
  private static final int TUPLE = 4;

  // Bounds of what one sender can make of a record: expressions are tried on paths and texts.
  private static final int MAX_PATHS = 500;
  private static final int MAX_PATH = 500;
  private static final int MAX_TEXT = 200;
  private static final int MAX_CHARACTERS = 4_000_000;
  private static final int OVERHEAD = 100;
  private static final int MAX_PAIRS = 20;
  static final String BROKEN = "some of it is no JSON";
  private static final String CUT = "some of its members were not looked at: too many, or too long";

  /** When Debezium read a change. */
  private static final String CHANGED = "$.ts_ms";

  private static final String TAKEN_OFF =
      "the envelope of Kafka Connect, which weir import takes off";

  /** What a reader takes without options. */
  private static final Map<String, String> PLAIN =
      Map.of(
          "json-timestamp", "$.timestamp_ms",
          "json-value", "$.value",
          "json-sensor-id", "$.sensor_id",
          "json-quality", "$.quality");

  private static final Set<String> ENVELOPE = Set.of("schema", "payload");

  private static final Pattern MEMBER = Pattern.compile("(\\.[^.\\[\\]]+|\\['[^\\[]*'\\])$");

  private static final JsonFactory JSON = new JsonFactory();

  private final Sniffed sniffed;

  /** Paths of leaves, elements of an array as one, with their texts. */
  private Map<String, List<String>> leaves = new LinkedHashMap<>();

  private int elements;

  private boolean change;

  /** Of all paths and texts. */
  private long characters;

  /** What was found out about paths, each once. */
  private final Map<String, Boolean> times = new HashMap<>();

  private final Map<String, Boolean> numbers = new HashMap<>();

  JsonGuess(Sniffed sniffed) {
    this.sniffed = sniffed;
  }

  private static List<String> words(String list) {
    return List.of(list.split(" +"));
  }

  /** Fills the options; false where it is no JSON, or has no time. */
  boolean guess(List<String> lines) {
    boolean array = lines.stream().anyMatch(line -> line.stripLeading().startsWith("["));
    boolean overLines =
        !array && lines.stream().filter(line -> !line.isBlank()).anyMatch(line -> !isWhole(line));
    boolean objects =
        lines.stream().filter(line -> line.stripLeading().startsWith("{\"")).count()
            >= lines.size() / 2.0;
    if (array || (overLines && !objects)) {
      gather(String.join("\n", lines), array);
    } else {
      lines.forEach(line -> gather(JsonRepair.repaired(line), false));
    }
    if (overLines && !objects) {
      sniffed.option("format", "json-array");
    }
    sniffed.say(array ? "a JSON array" : "JSON objects");
    joinMembers();
    Optional<Members> found = members(true);
    found.ifPresent(members -> members.describeSensor(sniffed));
    PLAIN.forEach((name, path) -> sniffed.options().remove(name, path));
    return found.isPresent();
  }

  /**
   * The members of readings in records.
   *
   * @param values the path of the value, or of several
   * @param sensor paths that name the sensor; empty where the JSON does not
   */
  record Members(String values, Optional<String> time, List<String> sensor) {
    /** Of the sensor's id, where there are several values. */
    String suffix() {
      return values.contains(".*") ? "/{column}" : "";
    }

    void describeSensor(Sniffed sniffed) {
      String prefix = sensor.stream().map(p -> "{path:" + p + "}").collect(Collectors.joining("/"));
      if (sensor.isEmpty()) {
        sniffed.option("sensor-id", suffix().isEmpty() ? "{file}" : "{column}");
      } else if (sensor.size() == 1 && suffix().isEmpty()) {
        sniffed.option("json-sensor-id", sensor.get(0));
      } else {
        sniffed.option("sensor-id", prefix + suffix());
      }
    }
  }

  /**
   * Fills the options of value, time and quality from records of JSON; empty where it has no value.
   */
  Optional<Members> ofRecords(List<String> records) {
    records.forEach(this::gatherRecord);
    return ofLeaves(leaves);
  }

  /** The same from paths with their texts. */
  Optional<Members> ofLeaves(Map<String, List<String>> found) {
    leaves = new LinkedHashMap<>(found);
    times.clear();
    numbers.clear();
    change = isChange();
    if (change) {
      leaves.keySet().removeIf(path -> !path.startsWith("$.after.") && !path.equals(CHANGED));
    }
    return members(false).map(m -> new Members(m.values(), m.time(), withName(m.sensor())));
  }

  /**
   * Fills the options but those of the sensor.
   *
   * @param timed whether there has to be a time
   */
  private Optional<Members> members(boolean timed) {
    String values =
        leaves.keySet().stream()
            .filter(path -> VALUE.contains(lastName(path)) && isNumeric(path))
            .limit(MAX_PAIRS)
            .min(Comparator.comparing(path -> time(path).isEmpty()))
            .or(this::valueOfPair)
            .or(() -> parentOfMembers().map(path -> path + ".*"))
            .or(() -> leaves.keySet().stream().filter(p -> isNumeric(p) && !isTime(p)).findFirst())
            .orElse("");
    Optional<String> time = time(values);
    if (timed && time.isEmpty()) {
      sniffed.leaveOpen(
          leaves.keySet().stream()
              .filter(path -> path.matches(".*\\w\\[\\*\\]") && leaves.get(path).size() > 1)
              .filter(path -> TimeGuess.of(TimeGuess.some(leaves.get(path)), '.').isPresent())
              .findFirst()
              .map(path -> "which times: " + path + " is a list beside others, which is not read")
              .orElse("which member is the time; say it: --json-timestamp $.NAME"));
      return Optional.empty();
    }
    if (values.isEmpty()) {
      sniffed.leaveOpen("which member is the value; say it: --json-value $.NAME");
      return Optional.empty();
    }
    time.ifPresent(path -> describeTime(path, values));
    sniffed.option("json-value", values);
    describeNumbers(values);
    List<String> sensor = sensor(values, time.orElse(""));
    Optional<String> quality = named(QUALITY).filter(path -> isBeside(path, values));
    quality.ifPresent(this::quality);
    sayLeft(values, time.orElse(""), sensor, quality);
    return Optional.of(new Members(values, time, sensor));
  }

  /** What the path has in the records. */
  List<String> texts(String path) {
    return leaves.getOrDefault(path, List.of());
  }

  /** A change of a row in a database, as Debezium writes it. */
  private boolean isChange() {
    boolean change =
        leaves.containsKey("$.op")
            && leaves.keySet().stream().anyMatch(p -> p.startsWith("$.after."));
    if (change) {
      sniffed.say("changes of rows as Debezium writes them: the row is in $.after");
    }
    return change;
  }

  private void describeTime(String path, String values) {
    List<String> texts = leaves.get(path);
    TimeGuess guess = TimeGuess.of(texts, '.').orElseThrow();
    sniffed.option("json-timestamp", path);
    if (!guess.format().equals("epoch-ms")) {
      sniffed.option("time-format", guess.format());
    }
    if (!guess.others().isEmpty()) {
      sniffed.leaveOpen(
          "the order of day, month and year: taken as %s, and %s fits as well"
              .formatted(guess.format(), String.join(", ", guess.others())));
    }
    if (!guess.hasHours(texts)) {
      sniffed.leaveOpen("the time of day: %s has only dates".formatted(path));
    }
    if (!guess.zoned()) {
      sniffed.leaveOpen("the time zone: the times have no zone; UTC is assumed");
    }
    if (change && path.equals(CHANGED)) {
      sniffed.leaveOpen(
          "the time: taken from $.ts_ms, when the change was read; $.source.ts_ms is when it was"
              + " committed");
    }
    leaves.keySet().stream()
        .filter(other -> !other.equals(path) && !other.equals(CHANGED) && isBeside(other, values))
        .filter(other -> shared(other, values) >= shared(path, values) && isTime(other))
        .filter(other -> !leaves.get(other).equals(texts) && mayBeMeant(other))
        .findFirst()
        .ifPresent(
            other ->
                sniffed.leaveOpen(
                    "the time: taken from %s, and %s fits as well: --json-timestamp %s"
                        .formatted(path, other, Printable.shellWord(other))));
  }

  /** By its name, or as it changes: the start of a device is not the time of its readings. */
  private boolean mayBeMeant(String time) {
    return TIME.contains(lastName(time)) || new HashSet<>(leaves.get(time)).size() > 1;
  }

  /** Texts with a comma, which a number of JSON never has. */
  private void describeNumbers(String values) {
    List<String> texts =
        leaves.entrySet().stream()
            .filter(leaf -> leaf.getKey().equals(values) || isChild(leaf.getKey(), parent(values)))
            .flatMap(leaf -> leaf.getValue().stream())
            .filter(text -> text.contains(",") && NumberGuess.isNumber(text))
            .toList();
    if (!texts.isEmpty()) {
      NumberGuess.of(texts, '\0').describe(sniffed);
    }
  }

  /** Labels do not have the name of what they label, such as Telegraf's measurement. */
  private List<String> withName(List<String> sensor) {
    if (sensor.isEmpty() || !sensor.get(0).matches(".*\\.(metric|labels|tags)\\.[^.]+")) {
      return sensor;
    }
    String parent = sensor.get(0).replaceFirst("\\.[^.]+\\.[^.]+$", "");
    Stream<String> names =
        Stream.of(parent + ".name", parent + ".measurement").filter(leaves::containsKey);
    return Stream.concat(names.limit(1), sensor.stream()).toList();
  }

  /** Numbers that the command does not read, and texts that may tell sensors apart. */
  private void sayLeft(String values, String time, List<String> sensor, Optional<String> quality) {
    String parent = parent(values);
    List<String> left =
        leaves.keySet().stream()
            .filter(path -> isNumeric(path) && !path.equals(values) && !path.equals(time))
            .filter(path -> !sensor.contains(path) && !quality.equals(Optional.of(path)))
            .filter(path -> !isChild(path, parent))
            .toList();
    List<String> objects =
        left.stream().filter(path -> TimeGuess.of(leaves.get(path), '.').isEmpty()).toList();
    if (!objects.isEmpty()) {
      sniffed.leaveOpen(
          "whether other numbers are readings, too; a run reads those of one --json-value, and not "
              + String.join(", ", objects.subList(0, Math.min(MAX_LEFT, objects.size()))));
    }
    leaves.keySet().stream()
        .filter(path -> isChild(path, parent) && !path.equals(time) && !sensor.contains(path))
        .filter(path -> isNumeric(path) && !quality.equals(Optional.of(path)))
        .filter(path -> new Column(1, path, leaves.get(path), true).mayBeId())
        .limit(MAX_LEFT)
        .forEach(path -> sniffed.leaveOpen("whether " + path + " is a value"));
    leaves.keySet().stream()
        .filter(path -> !path.equals(time) && !path.equals(values) && isBeside(path, values))
        .filter(path -> !sensor.contains(path) && !quality.equals(Optional.of(path)))
        .filter(path -> !isNumeric(path) && !isTime(path) && tellsApart(path, sensor))
        .limit(MAX_LEFT)
        .forEach(
            path ->
                sniffed.leaveOpen("whether " + path + " belongs to the sensor, too: --sensor-id"));
  }

  /** Whether the path has several texts, some of them again, where the sensor has one. */
  private boolean tellsApart(String path, List<String> sensor) {
    List<String> texts = leaves.get(path);
    Set<String> different = new HashSet<>(texts);
    List<List<String>> known =
        sensor.stream().map(leaves::get).filter(some -> some.size() == texts.size()).toList();
    Set<String> before = new HashSet<>();
    Set<String> after = new HashSet<>();
    for (int i = 0; i < texts.size(); i++) {
      int at = i;
      String id = known.stream().map(some -> some.get(at)).collect(Collectors.joining("\n"));
      before.add(id);
      after.add(id + "\n" + texts.get(at));
    }
    boolean again = different.size() < texts.size() || sensor.isEmpty();
    return different.size() > 1 && again && after.size() > before.size();
  }

  /** The object of members that are values, with a dot; empty where there is one value. */
  private static String parent(String values) {
    return values.endsWith(".*") ? values.substring(0, values.length() - 1) : "";
  }

  private static boolean isChild(String path, String parent) {
    return !parent.isEmpty() && (object(path) + ".").equals(parent);
  }

  private void quality(String path) {
    List<String> texts = leaves.get(path);
    boolean own = texts.stream().allMatch(t -> t.matches("GOOD|BAD|UNCERTAIN|[0-3]"));
    if (!own && texts.stream().noneMatch(QualityMap::isWord)) {
      if (lastName(path).startsWith("q")) {
        sniffed.leaveOpen("whether " + path + " is the quality: " + texts.get(0));
      }
      return;
    }
    sniffed.option("json-quality", path);
    if (!own) {
      sniffed.option("quality-map", "words,*=uncertain");
    }
  }

  /** Members of the whole that are alike inside are series by their names: {@code $.*[*].value}. */
  private void joinMembers() {
    Map<String, Set<String>> inside = new LinkedHashMap<>();
    for (String path : leaves.keySet()) {
      int end = path.indexOf("[*]");
      if (end > 1 && path.substring(2, end).matches("[^.\\[]+|\\['[^']*'\\]")) {
        inside
            .computeIfAbsent(path.substring(0, end), none -> new TreeSet<>())
            .add(path.substring(end));
      }
    }
    boolean alike = inside.size() > 1 && Set.copyOf(inside.values()).size() == 1;
    if (alike && inside.size() * inside.values().iterator().next().size() == leaves.size()) {
      Map<String, List<String>> joined = new LinkedHashMap<>();
      leaves.forEach(
          (path, texts) ->
              joined
                  .computeIfAbsent(
                      "$.*" + path.substring(path.indexOf("[*]")), none -> new ArrayList<>())
                  .addAll(texts));
      leaves = joined;
      times.clear();
      numbers.clear();
    }
  }

  /** The number beside a time in a pair of an array: {@code [1770076800.781, "1"]}. */
  private Optional<String> valueOfPair() {
    return leaves.keySet().stream()
        .filter(path -> isOfPair(path) && isNumeric(path) && !isTime(path))
        .limit(MAX_PAIRS)
        .filter(path -> time(path).filter(JsonGuess::isOfPair).isPresent())
        .findFirst();
  }

  private static boolean isOfPair(String path) {
    return path.endsWith("[*][0]") || path.endsWith("[*][1]");
  }

  /** The object with most numbers side by side, of which each is a sensor. */
  private Optional<String> parentOfMembers() {
    Map<String, Integer> parents = new LinkedHashMap<>();
    for (String path : leaves.keySet()) {
      if (isNumeric(path) && !object(path).equals(path) && !isTime(path)) {
        parents.merge(object(path), 1, Integer::sum);
      }
    }
    return parents.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
  }

  /** The time that is nearest to the value. */
  private Optional<String> time(String values) {
    return leaves.keySet().stream()
        .filter(path -> !path.equals(values) && isBeside(path, values))
        .filter(this::isTime)
        .max(
            Comparator.<String, Boolean>comparing(path -> TIME.contains(lastName(path)))
                .thenComparing(path -> shared(path, values)));
  }

  private boolean isTime(String path) {
    List<String> texts = leaves.get(path);
    return (TIME.contains(lastName(path))
            || isOfPair(path)
            || texts.stream().allMatch(t -> t.contains(":")))
        && times.computeIfAbsent(
            path, each -> TimeGuess.of(TimeGuess.some(texts), '.').isPresent());
  }

  private static int shared(String path, String other) {
    return (int) Stream.of(steps(path)).filter(List.of(steps(other))::contains).count();
  }

  private static String[] steps(String path) {
    return path.split("(?=\\[)|\\.");
  }

  /** Whether the path leads to one thing for each value: what holds it holds the value, too. */
  private static boolean isBeside(String path, String values) {
    int all = path.lastIndexOf("[*]");
    int member = path.lastIndexOf(".*");
    return values.startsWith(
        path.substring(0, Math.max(all < 0 ? 0 : all + 3, member < 0 ? 0 : member + 2)));
  }

  /** What names the sensor: members of objects that hold the value, or labels of it. */
  private List<String> sensor(String values, String time) {
    List<String> labels =
        leaves.keySet().stream()
            .filter(path -> path.matches(".*\\.(metric|labels|tags)\\.[^.]+"))
            .filter(path -> isBeside(path, values))
            .toList();
    if (!labels.isEmpty()) {
      return labels;
    }
    List<String> named =
        leaves.keySet().stream()
            .filter(path -> !path.equals(time) && !path.equals(values) && isBeside(path, values))
            .filter(path -> SENSOR.contains(lastName(path)))
            .filter(path -> path.contains("[*]") || leaves.get(path).size() >= elements)
            .sorted(Comparator.comparingInt(path -> SENSOR.indexOf(lastName(path))))
            .toList();
    Predicate<String> above = path -> values.startsWith(object(path));
    boolean some = named.stream().anyMatch(above);
    return named.stream()
        .filter(some ? above : path -> !hasOtherNumbers(path))
        .limit(MAX_LABELS)
        .toList();
  }

  /** What has the path's last member; the path itself where it ends in an element. */
  private static String object(String path) {
    return MEMBER.matcher(path).replaceFirst("");
  }

  /** Whether an id is that of numbers beside it, and not of the value. */
  private boolean hasOtherNumbers(String id) {
    return leaves.keySet().stream()
        .anyMatch(path -> !path.equals(id) && path.startsWith(object(id) + ".") && isNumeric(path));
  }

  static String lastName(String path) {
    String name = path.substring(object(path).length());
    return name.replaceAll("^(\\.|\\[')|'\\]$", "").toLowerCase(Locale.ROOT);
  }

  private Optional<String> named(List<String> names) {
    return leaves.keySet().stream().filter(path -> names.contains(lastName(path))).findFirst();
  }

  /** Numbers, or texts of numbers, in half of its places. */
  private boolean isNumeric(String path) {
    List<String> texts = leaves.get(path);
    return numbers.computeIfAbsent(
        path,
        each ->
            2 * texts.stream().filter(t -> NumberGuess.isNumber(t) && !t.matches("0\\d.*")).count()
                >= texts.size());
  }

  private void gather(String text, boolean array) {
    try (JsonParser parser = JSON.createParser(text)) {
      if (array) {
        parser.nextToken();
      }
      while (elements < MAX_ELEMENTS && parser.nextToken() != null) {
        if (parser.currentToken() != JsonToken.END_ARRAY) {
          walk(parser, "$");
          elements++;
        }
      }
    } catch (IOException cutOffOrBroken) {
      sniffed.say(BROKEN);
    }
  }

  /** Objects of exactly schema and payload stand for their payload. */
  private void gatherRecord(String text) {
    if (elements >= MAX_ELEMENTS) {
      return;
    }
    if (!names(text, false).equals(ENVELOPE)) {
      gather(text, text.stripLeading().startsWith("["));
      return;
    }
    if (!sniffed.says().contains(TAKEN_OFF)) {
      sniffed.say(TAKEN_OFF);
    }
    names(text, true);
    elements++;
  }

  /** The names of an object's members; its payload may be walked through. */
  private Set<String> names(String text, boolean walk) {
    Set<String> names = new TreeSet<>();
    try (JsonParser parser = JSON.createParser(text)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        names.add(parser.currentName());
        boolean payload = walk && parser.currentName().equals("payload");
        parser.nextToken();
        if (payload) {
          walk(parser, "$");
        } else {
          parser.skipChildren();
        }
      }
      return names;
    } catch (IOException broken) {
      return Set.of();
    }
  }

  private void walk(JsonParser parser, String path) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        if (mayWalk(parser, path, name)) {
          boolean simple = name.matches("[^.\\[\\]*'\"]+");
          walk(parser, path + (simple ? "." + name : "['" + name + "']"));
        }
      }
    } else if (token == JsonToken.START_ARRAY) {
      boolean inner = path.endsWith("[*]");
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        if (parser.currentToken() == null) {
          return;
        }
        if (mayWalk(parser, path, "")) {
          walk(parser, path + (inner && i < TUPLE ? "[" + i + "]" : "[*]"));
        }
      }
    } else if (token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
      boolean flag = token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE;
      String number = token == JsonToken.VALUE_TRUE ? "1" : "0";
      add(path, flag ? number : parser.getText());
    }
  }

  /** Whether there is room for what is below a path; if not, the parser skips it. */
  private boolean mayWalk(JsonParser parser, String path, String name) throws IOException {
    if (characters < MAX_CHARACTERS && path.length() + name.length() <= MAX_PATH) {
      return true;
    }
    parser.skipChildren();
    sayCut();
    return false;
  }

  private void add(String path, String text) {
    List<String> texts = leaves.get(path);
    if (texts == null && leaves.size() >= MAX_PATHS) {
      sayCut();
      return;
    }
    if (texts == null) {
      texts = new ArrayList<>();
      leaves.put(path, texts);
      characters += OVERHEAD + path.length();
    }
    String kept = text.substring(0, Math.min(text.length(), MAX_TEXT));
    texts.add(kept);
    characters += OVERHEAD + kept.length();
  }

  private void sayCut() {
    if (!sniffed.says().contains(CUT)) {
      sniffed.say(CUT);
    }
  }

  private static boolean isWhole(String line) {
    String text = JsonRepair.repaired(line).strip();
    return text.startsWith("{") && text.endsWith("}");
  }
}
