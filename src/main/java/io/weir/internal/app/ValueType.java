package io.weir.internal.app;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.registry.RegistrySettings;
import io.weir.internal.time.DurationText;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The type of a setting.
 *
 * @param label its name in help texts, such as DURATION
 * @param allowed the expected values, for messages
 * @param parser parses a text; throws IllegalArgumentException if it is invalid
 */
record ValueType<T>(String label, String allowed, Function<String, T> parser) {
  private static final Pattern HOST_PORTS =
      Pattern.compile("[^\\s:,/]+:\\d{1,5}(,[^\\s:,/]+:\\d{1,5})*");
  private static final Pattern JDBC_PASSWORD = Pattern.compile("(?i)password=|//[^/?]*@");

  /** Durations of {@code min} or more, up to a hundred years. */
  static ValueType<Duration> duration(String min) {
    return duration(min, "36500d");
  }

  static ValueType<Duration> duration(String min, String max) {
    Duration least = DurationText.parse(min);
    Duration most = DurationText.parse(max);
    return new ValueType<>(
        "DURATION",
        "a duration such as 500ms, 10s, 5m, 1h or 1d, from " + min + " to " + max,
        text -> {
          Duration value = DurationText.parse(text);
          require(value.compareTo(least) >= 0 && value.compareTo(most) <= 0);
          return value;
        });
  }

  /** A duration of {@code min} or more, or none, which is {@link Duration#ZERO}. */
  static ValueType<Duration> durationOrNone(String min) {
    ValueType<Duration> some = duration(min);
    return new ValueType<>(
        some.label(),
        "none, or " + some.allowed(),
        text -> text.equals("none") ? Duration.ZERO : some.parser().apply(text));
  }

  /** Several durations of 1 ms or more. */
  static ValueType<List<Duration>> durations() {
    return new ValueType<>(
        "DURATION,...",
        "none, or durations separated by commas, shortest first, such as 1m,1h,1d",
        text -> {
          if (text.equals("none")) {
            return List.of();
          }
          List<Duration> durations =
              Stream.of(text.split(",", -1)).map(DurationText::parse).toList();
          require(durations.stream().allMatch(each -> each.toMillis() > 0));
          return durations;
        });
  }

  static ValueType<Integer> integer(int min, int max) {
    return new ValueType<>(
        "NUMBER",
        "a whole number from " + min + " to " + max,
        text -> {
          int value = Integer.parseInt(text);
          require(value >= min && value <= max);
          return value;
        });
  }

  static ValueType<Long> wholeNumber(String label, long min, long max) {
    return new ValueType<>(
        label,
        "a whole number from " + min + " to " + max,
        text -> {
          long value = Long.parseLong(text);
          require(value >= min && value <= max);
          return value;
        });
  }

  /** Sizes of 1 or more, or -1 for no limit, as in Kafka. */
  static ValueType<Long> bytesOrUnlimited() {
    return new ValueType<>(
        "BYTES",
        "a whole number of bytes of 1 or more, or -1 for no limit",
        text -> {
          long value = Long.parseLong(text);
          require(value == -1 || value > 0);
          return value;
        });
  }

  /** Names that Kafka allows for topics. */
  static ValueType<String> topicName() {
    return checked("NAME", "1 to 249 of the characters a-z A-Z 0-9 . _ -", TopicNames::isLegal);
  }

  /** The name of one of several plants on a cluster: a prefix of names on Kafka. */
  static ValueType<String> plant() {
    return checked(
        "NAME",
        "1 to 60 of the characters a-z A-Z 0-9 -, but not weir",
        text -> text.matches("[a-zA-Z0-9-]{1,60}") && !text.equals("weir"));
  }

  /** A part of names on Kafka. */
  static ValueType<String> shortName() {
    return checked(
        "NAME",
        "1 to 100 of the characters a-z A-Z 0-9 - .",
        text -> text.matches("[a-zA-Z0-9.-]{1,100}"));
  }

  static ValueType<String> hostPorts() {
    return checked(
        "HOST:PORT,...",
        "host:port, several separated by commas",
        text -> HOST_PORTS.matcher(text).matches());
  }

  static ValueType<String> text(int maxBytes) {
    return checked(
        "TEXT",
        "a text of 1 to " + maxBytes + " bytes of UTF-8",
        text ->
            !text.isBlank()
                && StandardCharsets.UTF_8.newEncoder().canEncode(text)
                && text.getBytes(StandardCharsets.UTF_8).length <= maxBytes);
  }

  static ValueType<Path> directory() {
    return new ValueType<>(
        "DIR",
        "the path of a directory",
        text -> {
          require(!text.isBlank());
          return Path.of(text);
        });
  }

  static ValueType<Path> file() {
    return new ValueType<>(
        "FILE",
        "the path of a file",
        text -> {
          require(!text.isBlank());
          return Path.of(text);
        });
  }

  static ValueType<GroupTemplate> groupTemplate() {
    return new ValueType<>(
        "TEMPLATE", "text with {1}, {2} ... in it", text -> GroupTemplate.parse(text));
  }

  /** The values of an enum, in lower case and with hyphens. */
  static <E extends Enum<E>> ValueType<E> oneOf(Class<E> type) {
    Map<String, E> values =
        EnumSet.allOf(type).stream().collect(Collectors.toMap(ValueType::wordOf, value -> value));
    String allowed =
        EnumSet.allOf(type).stream().map(ValueType::wordOf).collect(Collectors.joining(" or "));
    return new ValueType<>(
        "WORD",
        allowed,
        text -> {
          require(values.containsKey(text));
          return values.get(text);
        });
  }

  /** The text of a value of {@link #oneOf}. */
  static String wordOf(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** One of a few words. */
  static ValueType<String> choice(String... words) {
    return checked("WORD", String.join(" or ", words), List.of(words)::contains);
  }

  /** Sets of statistics, none or several. */
  static ValueType<Set<StatisticSet>> statisticSets() {
    Map<String, StatisticSet> sets =
        EnumSet.allOf(StatisticSet.class).stream()
            .collect(Collectors.toMap(StatisticSet::text, set -> set));
    String words =
        EnumSet.allOf(StatisticSet.class).stream()
            .map(StatisticSet::text)
            .collect(Collectors.joining(", "));
    return new ValueType<>(
        "SET,...",
        "none, or one or more of " + words + ", separated by commas",
        text -> {
          Set<StatisticSet> chosen = EnumSet.noneOf(StatisticSet.class);
          if (!text.equals("none")) {
            for (String word : text.split(",", -1)) {
              require(sets.containsKey(word));
              chosen.add(sets.get(word));
            }
          }
          return chosen;
        });
  }

  /** Prefixes of sensor ids. */
  static ValueType<List<String>> prefixes() {
    return new ValueType<>(
        "PREFIX,...",
        "prefixes of sensor ids, separated by commas",
        text -> {
          List<String> prefixes = List.of(text.split(",", -1));
          require(prefixes.stream().noneMatch(String::isBlank));
          return prefixes;
        });
  }

  /** Levels of a log, in lower or upper case. */
  static ValueType<String> logLevel() {
    List<String> levels = List.of("off", "error", "warn", "info", "debug", "trace");
    return checked(
        "WORD",
        String.join(" or ", levels),
        text -> levels.contains(text.toLowerCase(Locale.ROOT)));
  }

  /** One of a few classes, with or without their package. */
  static ValueType<String> className(String... simpleNames) {
    return checked(
        "CLASS",
        String.join(" or ", simpleNames),
        text -> List.of(simpleNames).contains(text.substring(text.lastIndexOf('.') + 1)));
  }

  static ValueType<String> registryUrls() {
    return checked(
        "URL,...",
        "http://host:port, https://host:port or mock://scope, several separated by commas",
        RegistrySettings::areUrls);
  }

  /** URLs of a PostgreSQL database without a password, because they are shown. */
  static ValueType<String> jdbcUrl() {
    return checked(
        "URL",
        "jdbc:postgresql://host:port/database, without a password",
        text -> text.startsWith("jdbc:postgresql:") && !JDBC_PASSWORD.matcher(text).find());
  }

  static ValueType<Rate> rate() {
    return new ValueType<>(
        "RATE", "rows for a unit of time, such as 500/s, 23/m, 1000/h or 33333/d", Rate::parse);
  }

  /** Several of a few words. */
  static ValueType<List<String>> choices(String... words) {
    return new ValueType<>(
        "WORD,...",
        "one or more of " + String.join(", ", words) + ", separated by commas",
        text -> {
          List<String> chosen = List.of(text.split(",", -1));
          require(List.of(words).containsAll(chosen));
          require(chosen.stream().distinct().count() == chosen.size());
          return chosen;
        });
  }

  static ValueType<Boolean> flag() {
    return new ValueType<>(
        "BOOLEAN",
        "true or false",
        text -> {
          require(text.equals("true") || text.equals("false"));
          return text.equals("true");
        });
  }

  private static ValueType<String> checked(String label, String allowed, Predicate<String> test) {
    return new ValueType<>(
        label,
        allowed,
        text -> {
          require(test.test(text));
          return text;
        });
  }

  private static void require(boolean allowed) {
    if (!allowed) {
      throw new IllegalArgumentException();
    }
  }
}
