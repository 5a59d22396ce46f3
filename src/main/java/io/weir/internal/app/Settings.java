package io.weir.internal.app;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The layers of settings: properties file, then environment, then options; later ones win. */
final class Settings {
  private static final Map<String, Key<?>> BY_NAME =
      Keys.ALL.stream().collect(Collectors.toMap(Key::name, key -> key));

  /** A configured text and its source. */
  private record Given(String value, String source) {}

  private final Map<Key<?>, Given> given = new HashMap<>();

  private Settings() {}

  /**
   * @param file a properties file's content, keys with the prefix {@code weir.}
   * @param environment variables with the prefix WEIR_ are settings, others are ignored
   * @param options settings by their names without prefix
   * @param warnings receives warnings
   */
  static Settings layered(
      Properties file,
      Map<String, String> environment,
      Map<String, String> options,
      List<String> warnings) {
    Settings settings = new Settings();
    settings.addFile(file);
    settings.addEnvironment(new Environment("WEIR_", environment), warnings);
    warnings.addAll(ArgumentSecrets.ofOptions(settings.addOptions(options)));
    return settings;
  }

  /** A setting, or its default. Not for optional keys. */
  <T> T get(Key<T> key) {
    return find(key).orElseThrow();
  }

  /** A setting, or its default; empty if unset. */
  <T> Optional<T> find(Key<T> key) {
    Given text = given.get(key);
    if (text == null) {
      return byDefault(key);
    }
    try {
      return Optional.of(key.type().parser().apply(text.value()));
    } catch (IllegalArgumentException e) {
      throw refusal(key, "expected: " + key.type().allowed());
    }
  }

  private <T> Optional<T> byDefault(Key<T> key) {
    return isOfPlant(key)
        ? Optional.of(key.type().parser().apply(defaultText(key)))
        : key.defaultValue();
  }

  private String defaultText(Key<?> key) {
    return isOfPlant(key) ? get(Keys.PLANT) + "." + key.defaultText() : key.defaultText();
  }

  private boolean isOfPlant(Key<?> key) {
    return given.containsKey(Keys.PLANT) && Keys.isNamedByPlant(key);
  }

  private Given givenOrDefault(Key<?> key) {
    Given text = given.get(key);
    return text == null ? new Given(defaultText(key), "the default") : text;
  }

  /** Whether a setting differs from its default. */
  boolean isChanged(String name) {
    Key<?> key = BY_NAME.get(name);
    return !find(key).equals(byDefault(key));
  }

  /** An exception for a setting that conflicts with others. */
  ConfigException refusal(Key<?> key, String why) {
    Given text = givenOrDefault(key);
    return ConfigException.of(key.propertyName(), text.value(), text.source(), why);
  }

  /** All settings by their names in a properties file, secrets hidden; without those unset. */
  SortedMap<String, String> shown() {
    SortedMap<String, String> shown = new TreeMap<>();
    for (Key<?> key : Keys.ALL) {
      Given text = givenOrDefault(key);
      if (!text.value().isEmpty()) {
        shown.put(key.propertyName(), Secrets.shown(key.name(), text.value(), text.source()));
      }
    }
    return shown;
  }

  private void addFile(Properties file) {
    for (String property : file.stringPropertyNames()) {
      Key<?> key = property.startsWith("weir.") ? BY_NAME.get(property.substring(5)) : null;
      String value = file.getProperty(property).strip();
      if (key == null) {
        throw ConfigException.of(
            property,
            value,
            "the properties file",
            "no such key; the nearest is " + nearest(property).propertyName());
      }
      given.put(key, new Given(value, "the properties file"));
    }
  }

  private void addEnvironment(Environment environment, List<String> warnings) {
    for (Key<?> key : Keys.ALL) {
      environment
          .take(key.variableName())
          .ifPresent(found -> given.put(key, new Given(found.value(), found.source())));
    }
    for (String variable : environment.untaken()) {
      if (!LauncherVariables.NAMES.contains(variable)) {
        warnings.add("environment variable " + variable + " is not a setting of Weir: ignored");
      }
    }
  }

  private Map<Key<?>, String> addOptions(Map<String, String> options) {
    Map<Key<?>, String> added = new TreeMap<>(Comparator.comparing(Key::name));
    options.forEach(
        (name, value) -> {
          Key<?> key = BY_NAME.get(name);
          if (key == null) {
            throw ConfigException.of(
                name, value, "an option", "no such key; the nearest is " + nearest(name).name());
          }
          given.put(key, new Given(value, "option " + key.optionName()));
          added.put(key, value);
        });
    return added;
  }

  private static Key<?> nearest(String name) {
    String bare = name.startsWith("weir.") ? name.substring(5) : name;
    return Keys.ALL.stream()
        .min((a, b) -> Integer.compare(distance(bare, a.name()), distance(bare, b.name())))
        .orElseThrow();
  }

  /** Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }

  /** Variables that only the launcher reads. */
  static final class LauncherVariables {
    static final Set<String> NAMES = Set.of("WEIR_JAVA_OPTS");

    private LauncherVariables() {}
  }
}
