package io.weir.internal.app;

import java.util.ArrayList;
import java.util.List;
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

  /** The settings of a class, in the order of their declaration. Used by one thread. */
  static final class Group {
    private final List<Key<?>> keys = new ArrayList<>();

    /** Adds a key with a default. */
    <T> Key<T> of(String name, ValueType<T> type, String defaultText, String meaning) {
      return ofMachine(name, type, type.parser().apply(defaultText), defaultText, meaning);
    }

    /** Adds a key whose default depends on the machine. */
    <T> Key<T> ofMachine(
        String name, ValueType<T> type, T defaultValue, String defaultText, String meaning) {
      return add(new Key<>(name, type, Optional.of(defaultValue), defaultText, meaning));
    }

    /** Adds an optional key without a default. */
    <T> Key<T> unset(String name, ValueType<T> type, String meaning) {
      return add(new Key<>(name, type, Optional.empty(), "", meaning));
    }

    private <T> Key<T> add(Key<T> key) {
      keys.add(key);
      return key;
    }

    /** The keys that were added so far. */
    List<Key<?>> all() {
      return List.copyOf(keys);
    }
  }
}
