package io.weir.internal.text.mapping;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A mapping from options as one types them, by their names without dashes. What is not there has
 * its default; a flag is {@code true} or {@code false}.
 */
public final class MappingOptions {
  /** All that there are. */
  public static final Set<String> NAMES =
      Set.of(
          ("encoding skip-lines delimiter no-header columns wide sensor-id decimal-comma"
                  + " group-separator time-format time-zone time-locale ambiguous quality-map missing"
                  + " value-map units time-shift json-sensor-id json-timestamp json-value json-quality")
              .split(" "));

  private static final Pattern SHIFT = Pattern.compile("([+-]?[0-9]{1,9})(ms|s|m|h)");
  private static final int MAX_SKIPPED = 1_000_000;

  private final Map<String, String> given;

  /** Whether sensors may be named by parts of records in Kafka. */
  private final boolean ofRecords;

  private MappingOptions(Map<String, String> given, boolean ofRecords) {
    this.given = given;
    this.ofRecords = ofRecords;
  }

  /**
   * The mapping.
   *
   * @throws IllegalArgumentException with one line that names option, value and what is allowed
   */
  public static Mapping parse(Map<String, String> given) {
    return parse(given, false);
  }

  /** The same for records in Kafka, whose template may have {@code {key}} and the like. */
  public static Mapping ofRecords(Map<String, String> given) {
    return parse(given, true);
  }

  private static Mapping parse(Map<String, String> given, boolean ofRecords) {
    for (String name : given.keySet()) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException("no such option: " + name);
      }
    }
    return new MappingOptions(given, ofRecords).mapping();
  }

  private Mapping mapping() {
    boolean wide = flag("wide");
    Columns columns = read("columns", Columns.DEFAULT, Columns::parse);
    if (!wide && columns.value().size() > 1) {
      throw bad("columns", "several value columns are for --wide");
    }
    return new Mapping(
        read("encoding", StandardCharsets.UTF_8, MappingOptions::charset),
        read("skip-lines", 0, MappingOptions::skipLines),
        read("delimiter", ',', MappingOptions::delimiter),
        !flag("no-header"),
        columns,
        wide,
        read("sensor-id", Optional.empty(), text -> Optional.of(template(text))),
        numbers(),
        time(),
        read("quality-map", Optional.empty(), text -> Optional.of(QualityMap.parse(text))),
        read("missing", Set.of(), text -> new HashSet<>(OptionList.split(text, ','))),
        read("value-map", Map.of(), CellTexts::values),
        read("units", Map.of(), CellTexts::units),
        read("time-shift", 0L, MappingOptions::shift),
        json());
  }

  private IdTemplate template(String text) {
    IdTemplate template = IdTemplate.parse(text);
    boolean fits =
        ofRecords
            || template.parts().stream().noneMatch(part -> part.kind() == IdTemplate.Kind.RECORD);
    if (!fits) {
      throw new IllegalArgumentException("{key}, {topic} and the like are for weir import");
    }
    return template;
  }

  private NumberStyle numbers() {
    char decimal = flag("decimal-comma") ? ',' : '.';
    char group = read("group-separator", '\0', MappingOptions::group);
    return new NumberStyle(decimal, group);
  }

  private TimeFormat time() {
    Optional<TimeFormat.Choice> ambiguous =
        read("ambiguous", Optional.empty(), MappingOptions::choice);
    Locale locale = read("time-locale", Locale.ENGLISH, MappingOptions::locale);
    TimeFormat base = TimeFormat.EPOCH_MS;
    var zone = read("time-zone", base.zone(), TimeFormat::zone);
    return read(
        "time-format",
        new TimeFormat(base.text(), zone, ambiguous, locale),
        text -> new TimeFormat(text, zone, ambiguous, locale));
  }

  private JsonPaths json() {
    JsonPaths plain = JsonPaths.DEFAULT;
    return new JsonPaths(
        read("json-sensor-id", plain.sensorId(), JsonPath::parse),
        read("json-timestamp", plain.timestamp(), JsonPath::parse),
        read("json-value", plain.value(), JsonPath::parse),
        read("json-quality", plain.quality(), text -> Optional.of(JsonPath.parse(text))));
  }

  private <T> T read(String name, T otherwise, Function<String, T> parse) {
    String text = given.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      throw bad(name, e.getMessage());
    }
  }

  private IllegalArgumentException bad(String name, String why) {
    return new IllegalArgumentException("--" + name + " " + given.get(name) + ": " + why);
  }

  private boolean flag(String name) {
    return read(
        name,
        false,
        text -> {
          if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("expected: true or false");
          }
          return text.equals("true");
        });
  }

  private static Charset charset(String text) {
    try {
      return Charset.forName(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "no such encoding; expected: UTF-8, windows-1252, UTF-16 and what else Java knows");
    }
  }

  private static int skipLines(String text) {
    if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) > MAX_SKIPPED) {
      throw new IllegalArgumentException("expected: a number from 0 to " + MAX_SKIPPED);
    }
    return Integer.parseInt(text);
  }

  private static char delimiter(String text) {
    return switch (text) {
      case "tab", "\\t" -> '\t';
      case "comma" -> ',';
      case "semicolon" -> ';';
      case "pipe" -> '|';
      case "space", "whitespace" -> Mapping.WHITESPACE;
      default -> oneOf(text);
    };
  }

  private static char oneOf(String text) {
    boolean fits =
        text.length() == 1 && text.charAt(0) < 0x80 && !text.matches("[A-Za-z0-9\"\r\n]");
    if (!fits) {
      throw new IllegalArgumentException(
          "expected: one character, or tab, comma, semicolon, pipe, whitespace");
    }
    return text.charAt(0);
  }

  private static char group(String text) {
    if (text.equals("space")) {
      return ' ';
    }
    if (text.length() != 1 || ".,' _".indexOf(text.charAt(0)) < 0) {
      throw new IllegalArgumentException("expected: one of . , ' _ or space");
    }
    return text.charAt(0);
  }

  private static Optional<TimeFormat.Choice> choice(String text) {
    if (!text.matches("earlier|later|order")) {
      throw new IllegalArgumentException("expected: earlier, later or order");
    }
    return Optional.of(TimeFormat.Choice.valueOf(text.toUpperCase(Locale.ROOT)));
  }

  private static long shift(String text) {
    Matcher matched = SHIFT.matcher(text);
    if (!matched.matches()) {
      throw new IllegalArgumentException("expected: a span such as -15m, -1h or 30s");
    }
    long unit = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L).get(matched.group(2));
    return Long.parseLong(matched.group(1)) * unit;
  }

  private static Locale locale(String text) {
    Locale locale = Locale.forLanguageTag(text);
    if (locale.getLanguage().isEmpty()) {
      throw new IllegalArgumentException("expected: a language such as de, fr or en-US");
    }
    return locale;
  }
}
