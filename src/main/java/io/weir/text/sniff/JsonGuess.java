package io.weir.text.sniff;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Takes the sample for JSON: which path leads to what, by the members' names and values. */
final class JsonGuess {
  private static final Set<String> SENSOR =
      Set.of(
          "sensor_id",
          "sensorid",
          "sensor",
          "device",
          "deviceid",
          "device_id",
          "tag",
          "id",
          "name",
          "n",
          "point");
  private static final Set<String> TIME =
      Set.of("timestamp_ms", "timestamp", "time", "ts", "t", "date", "datetime", "zeit");
  private static final Set<String> VALUE =
      Set.of("value", "v", "val", "wert", "reading", "measurement");
  private static final Set<String> QUALITY = Set.of("quality", "q", "status", "state", "ok");
  private static final int MAX_ELEMENTS = 50;

  private final Sniffed sniffed;

  /** Paths of leaves, elements of an array as one, with their texts. */
  private final Map<String, List<String>> leaves = new LinkedHashMap<>();

  private final Map<String, Boolean> numeric = new LinkedHashMap<>();

  JsonGuess(Sniffed sniffed) {
    this.sniffed = sniffed;
  }

  /** Fills the options; false where it is no JSON, or has no time. */
  boolean guess(List<String> lines) {
    String text = String.join("\n", lines);
    boolean array = text.stripLeading().startsWith("[");
    gather(text, array);
    boolean overLines =
        !array && lines.stream().filter(line -> !line.isBlank()).anyMatch(line -> !isWhole(line));
    if (overLines
        && lines.stream().filter(line -> line.stripLeading().startsWith("{\"")).count()
            < lines.size() / 2.0) {
      sniffed.option("format", "json-array");
    }
    sniffed.say(array ? "a JSON array" : "JSON objects");
    Optional<String> time =
        named(TIME).filter(path -> TimeGuess.of(leaves.get(path), '.').isPresent());
    if (time.isEmpty()) {
      sniffed.leaveOpen("which member is the time; say it: --json-timestamp $.NAME");
      return false;
    }
    TimeGuess guess = TimeGuess.of(leaves.get(time.get()), '.').orElseThrow();
    option("json-timestamp", time.get(), "$.timestamp_ms");
    if (!guess.format().equals("epoch-ms")) {
      sniffed.option("time-format", guess.format());
    }
    if (!guess.zoned()) {
      sniffed.leaveOpen("the time zone: the times name none and are taken as UTC");
    }
    Optional<String> sensor = named(SENSOR).filter(path -> !path.equals(time.get()));
    Optional<String> value = named(VALUE);
    if (value.isPresent()) {
      if (leaves.get(value.get()).stream().anyMatch(each -> each.matches("-?\\d+,\\d+"))) {
        sniffed.option("decimal-comma", "true");
      }
      option("json-value", value.get(), "$.value");
      sensor.ifPresentOrElse(
          path -> option("json-sensor-id", path, "$.sensor_id"),
          () -> sniffed.option("sensor-id", "{file}"));
    } else {
      members(time.get(), sensor);
    }
    named(QUALITY).ifPresent(path -> quality(path));
    return true;
  }

  private void quality(String path) {
    option("json-quality", path, "$.quality");
    boolean own = leaves.get(path).stream().allMatch(t -> t.matches("GOOD|BAD|UNCERTAIN|[0-3]"));
    if (!own) {
      sniffed.option("quality-map", "words,*=uncertain");
    }
  }

  /** Numbers side by side: each member of their object is a sensor. */
  private void members(String time, Optional<String> sensor) {
    Map<String, Integer> parents = new LinkedHashMap<>();
    for (String path : leaves.keySet()) {
      if (numeric.get(path) && !path.equals(time) && path.lastIndexOf('.') > 0) {
        parents.merge(path.substring(0, path.lastIndexOf('.')), 1, Integer::sum);
      }
    }
    Optional<String> parent =
        parents.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    if (parent.isEmpty() || parent.get().contains("[*]")) {
      sniffed.leaveOpen("which member is the value; say it: --json-value $.NAME");
      return;
    }
    sniffed.option("json-value", parent.get() + ".*");
    sniffed.option(
        "sensor-id", sensor.map(path -> "{path:" + path + "}/{column}").orElse("{column}"));
  }

  private void option(String name, String path, String plain) {
    if (!path.equals(plain)) {
      sniffed.option(name, path);
    }
  }

  private Optional<String> named(Set<String> names) {
    return leaves.keySet().stream()
        .filter(
            path ->
                names.contains(path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  private void gather(String text, boolean array) {
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      int elements = 0;
      if (array) {
        parser.nextToken();
      }
      while (elements++ < MAX_ELEMENTS && parser.nextToken() != null) {
        walk(parser, "$");
      }
    } catch (IOException cutOffOrBroken) {
      sniffed.say("some of it is no JSON");
    }
  }

  private void walk(JsonParser parser, String path) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        boolean simple = name.matches("[^.\\[\\]*'\"]+");
        parser.nextToken();
        walk(parser, path + (simple ? "." + name : "['" + name + "']"));
      }
    } else if (token == JsonToken.START_ARRAY) {
      while (parser.nextToken() != JsonToken.END_ARRAY && parser.currentToken() != null) {
        walk(parser, path + "[*]");
      }
    } else if (token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
      leaves.computeIfAbsent(path, none -> new ArrayList<>()).add(parser.getText());
      numeric.merge(path, token.isNumeric(), Boolean::logicalAnd);
    }
  }

  private static boolean isWhole(String line) {
    return line.strip().startsWith("{") && line.strip().endsWith("}");
  }
}
