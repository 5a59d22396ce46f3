package io.weir.cli;

import io.weir.internal.app.ArgumentSecrets;
import io.weir.internal.app.ConfigException;
import io.weir.internal.app.Key;
import io.weir.internal.app.Logs;
import io.weir.internal.app.WeirConfig;
import java.io.IOException;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The settings that are options of a command, and {@code --config} for a file of settings. A
 * command with such options is {@link Configured}.
 */
public final class ConfigOptions {

  private final List<Key<?>> keys;
  private final Map<Key<?>, String> defaults = new HashMap<>();
  private final Map<Key<?>, String> names = new HashMap<>();
  private final Map<String, String> given = new HashMap<>();
  private Path file;
  private String servers = "";

  /** A command with settings as options. */
  public interface Configured {
    ConfigOptions configOptions();
  }

  /**
   * @param keys the settings that are options of this command
   */
  public ConfigOptions(Key<?>... keys) {
    this.keys = List.of(keys);
  }

  /** Sets the default of a key for this command. */
  public ConfigOptions withDefault(Key<?> key, String text) {
    defaults.put(key, text);
    return this;
  }

  /** Sets the name of a key's option in this command. */
  ConfigOptions withName(Key<?> key, String option) {
    names.put(key, option);
    return this;
  }

  /** The value of a key's option; empty if it was not given. */
  Optional<String> given(Key<?> key) {
    return Optional.ofNullable(given.get(key.name()));
  }

  /**
   * The settings of file, environment and options together; warnings go to the log.
   *
   * @throws ConfigException if a setting is invalid
   */
  public WeirConfig load() {
    return load(Map.of());
  }

  /** Same as {@link #load()}, with settings of the command itself, which override all others. */
  public WeirConfig load(Map<String, String> made) {
    return load(made, Map.of());
  }

  /**
   * The same, with variables of the environment by default.
   *
   * @param kafka such as KAFKA_REQUEST_TIMEOUT_MS
   */
  public WeirConfig load(Map<String, String> made, Map<String, String> kafka) {
    Map<String, String> options = new HashMap<>(given);
    options.putAll(made);
    Map<String, String> environment = new HashMap<>(kafka);
    environment.putAll(System.getenv());
    WeirConfig config = WeirConfig.of(properties(), environment, options);
    Logs.use(config.log());
    servers = String.valueOf(config.kafka().forAdmin().get("bootstrap.servers"));
    config.warnings().forEach(line -> log().warn(line));
    ArgumentSecrets.warnings(ManagementFactory.getRuntimeMXBean().getInputArguments())
        .forEach(line -> log().warn(line));
    return config;
  }

  /** The bootstrap servers of the last loaded settings; empty before the first load. */
  String servers() {
    return servers;
  }

  /** The option of a key as words of a command line; none if it was not given. */
  List<String> words(Key<?> key) {
    String text = given.get(key.name());
    return text == null ? List.of() : List.of(key.optionName(), text);
  }

  /** Adds the options to a command that is {@link Configured}. */
  static void addTo(CommandLine command) {
    if (command.getCommand() instanceof Configured configured) {
      configured.configOptions().addOptions(command.getCommandSpec());
    }
  }

  private void addOptions(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder("--config")
            .type(Path.class)
            .paramLabel("FILE")
            .description("Properties file with settings, weir.<key> = value.")
            .setter(setter(value -> file = (Path) value))
            .build());
    for (Key<?> key : keys) {
      spec.addOption(
          OptionSpec.builder(names.getOrDefault(key, key.optionName()))
              .type(String.class)
              .paramLabel(key.valueLabel())
              .description(description(key))
              .setter(setter(value -> given.put(key.name(), (String) value)))
              .build());
    }
  }

  private String description(Key<?> key) {
    String meaning = key.meaning().replace("%", "%%");
    String defaultText = defaults.getOrDefault(key, key.defaultText());
    return defaultText.isEmpty() ? meaning : meaning + " (" + defaultText + ")";
  }

  private static ISetter setter(Consumer<Object> consumer) {
    return new ISetter() {
      @Override
      public <T> T set(T value) {
        if (value != null) {
          consumer.accept(value);
        }
        return value;
      }
    };
  }

  private Properties properties() {
    Properties properties = new Properties();
    defaults.forEach((key, text) -> properties.setProperty(key.propertyName(), text));
    if (file != null) {
      try (Reader reader = Files.newBufferedReader(file)) {
        properties.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        throw new ConfigException(
            "--config = " + file + ": expected: a readable properties file in UTF-8");
      }
    }
    return properties;
  }

  /** Not a constant: reading the log's configuration takes longer than a short command. */
  private static Logger log() {
    return LoggerFactory.getLogger(ConfigOptions.class);
  }
}
