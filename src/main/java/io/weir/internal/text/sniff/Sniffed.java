package io.weir.internal.text.sniff;

import io.weir.internal.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a file was taken for. Filled by those who look, one thread.
 *
 * <p>{@link #options} holds what to type, by names without dashes; {@link #says} what was seen and
 * {@link #undecided} what the user has to decide, a line each.
 */
public final class Sniffed {
  private final Map<String, String> options = new LinkedHashMap<>();
  private final List<String> says = new ArrayList<>();
  private final List<String> undecided = new ArrayList<>();

  void option(String name, String value) {
    options.put(name, value);
  }

  void say(String line) {
    says.add(line);
  }

  /** Adds what the user has to decide. */
  public void leaveOpen(String line) {
    undecided.add(line);
  }

  /** Names and values; the value of a flag is {@code true}. */
  public Map<String, String> options() {
    return options;
  }

  public List<String> says() {
    return says;
  }

  public List<String> undecided() {
    return undecided;
  }

  /** The options as words of a command line. */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    options.forEach(
        (name, value) -> {
          if (value.equals("true")) {
            arguments.add("--" + name);
          } else if (value.startsWith("-")) {
            arguments.add("--" + name + "=" + value);
          } else {
            arguments.addAll(List.of("--" + name, value));
          }
        });
    return arguments;
  }

  /** The options as one types them in a shell. */
  public String typed() {
    return arguments().stream()
        .map(word -> " " + Printable.shellWord(word))
        .collect(Collectors.joining());
  }
}
