package io.weir.internal.app;

import java.util.Locale;
import java.util.Optional;

/**
 * One setting.
 *
 * @param name as in {@code weir.<name>}, such as {@code window.size}
 * @param type its type
 * @param defaultValue its default; empty for an optional setting
 * @param defaultText the default as text, empty if there is none
 * @param meaning one line for a person
 */
public record Key<T>(
    String name, ValueType<T> type, Optional<T> defaultValue, String defaultText, String meaning) {

  /** A key with a default. */
  static <T> Key<T> of(String name, ValueType<T> type, String defaultText, String meaning) {
    T value = type.parser().apply(defaultText);
    return new Key<>(name, type, Optional.of(value), defaultText, meaning);
  }

  /** A key whose default depends on the machine. */
  static <T> Key<T> ofMachine(
      String name, ValueType<T> type, T defaultValue, String defaultText, String meaning) {
    return new Key<>(name, type, Optional.of(defaultValue), defaultText, meaning);
  }

  /** An optional key without a default. */
  static <T> Key<T> unset(String name, ValueType<T> type, String meaning) {
    return new Key<>(name, type, Optional.empty(), "", meaning);
  }

  /** Its name in a properties file. */
  public String propertyName() {
    return "weir." + name;
  }

  /** Its name in the environment. */
  public String variableName() {
    return "WEIR_" + variablePart(name);
  }

  /** Its name on a command line. */
  public String optionName() {
    return "--" + name.replace('.', '-');
  }

  /** The label of the value after {@link #optionName()}. */
  public String valueLabel() {
    return type.label();
  }

  /** A key's name in the environment, without the prefix. */
  static String variablePart(String keyName) {
    return keyName.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }
}
