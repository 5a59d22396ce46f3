package io.weir.internal.text.mapping;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * A mapping in a YAML file: the options by their names without dashes. {@code columns}, {@code
 * quality-map} and {@code json} may be maps, {@code missing} a list.
 */
public final class MappingFile {
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_ALIASES = 10;

  private MappingFile() {}

  /**
   * The options in it, as one would type them; {@code format} may be among them.
   *
   * @throws IllegalArgumentException with one line that names the file and what is wrong
   */
  public static Map<String, String> read(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw wrong(file, "it is larger than 1 MiB");
      }
      return options(file, Files.readString(file));
    } catch (NoSuchFileException e) {
      throw wrong(file, "no such file");
    } catch (MalformedInputException e) {
      throw wrong(file, "it is not UTF-8");
    } catch (IOException e) {
      throw wrong(file, "it cannot be read: " + e.getMessage());
    }
  }

  private static IllegalArgumentException wrong(Path file, String why) {
    return new IllegalArgumentException("--mapping " + file + ": " + why);
  }

  private static Map<String, String> options(Path file, String yaml) {
    Object root;
    try {
      LoadSettings settings =
          LoadSettings.builder()
              .setAllowDuplicateKeys(false)
              .setMaxAliasesForCollections(MAX_ALIASES)
              .build();
      root = new Load(settings).loadFromString(yaml);
    } catch (YamlEngineException e) {
      throw wrong(file, "no YAML: " + e.getMessage().replaceAll("\\s+", " ").strip());
    }
    if (!(root instanceof Map<?, ?> entries)) {
      throw wrong(file, "expected: a YAML map of options, such as delimiter: ';'");
    }
    Map<String, String> options = new LinkedHashMap<>();
    entries.forEach((name, value) -> add(file, String.valueOf(name), value, options));
    return options;
  }

  private static void add(Path file, String name, Object value, Map<String, String> options) {
    if (name.equals("json") && value instanceof Map<?, ?> paths) {
      paths.forEach((part, path) -> add(file, "json-" + part, path, options));
      return;
    }
    if (!name.equals("format") && !MappingOptions.NAMES.contains(name)) {
      throw wrong(
          file,
          name
              + ": no such option; expected: format, json, "
              + String.join(", ", new TreeSet<>(MappingOptions.NAMES)));
    }
    options.put(name, text(file, name, value));
  }

  private static String text(Path file, String name, Object value) {
    if (value instanceof Map<?, ?> pairs) {
      return pairs.entrySet().stream()
          .map(
              pair ->
                  OptionList.quote(String.valueOf(pair.getKey()))
                      + "="
                      + right(name, pair.getValue()))
          .collect(Collectors.joining(","));
    }
    if (value instanceof Iterable<?> list) {
      return join(list, ",");
    }
    if (value == null) {
      throw wrong(file, name + ": has no value");
    }
    return String.valueOf(value);
  }

  /** The names of several columns may be a list. */
  private static String right(String name, Object value) {
    if (value instanceof Iterable<?> list) {
      return join(list, "+");
    }
    String text = String.valueOf(value);
    return name.equals("columns") && !text.contains("+") ? OptionList.quote(text) : text;
  }

  private static String join(Iterable<?> list, String separator) {
    StringBuilder joined = new StringBuilder();
    for (Object element : list) {
      joined.append(joined.isEmpty() ? "" : separator).append(OptionList.quote("" + element));
    }
    return joined.toString();
  }
}
