package io.weir.internal.text.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where something is in a JSON value: {@code $.data.v}, {@code $['a b'][0]}, and with {@code [*]}
 * or {@code .*} every element of an array or every member of an object.
 */
public final class JsonPath {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.(?<name>[^.\\[\\]*'\"]+)|\\[(?<index>[0-9]{1,9})\\]"
              + "|\\[['\"](?<quoted>[^'\"]+)['\"]\\]|(?<all>\\[\\*\\]|\\.\\*)");

  /**
   * One step down.
   *
   * @param name of a member, or null
   * @param index of an element, where there is no name; -1 for all
   */
  public record Step(String name, int index) {
    static final Step ALL = new Step(null, -1);

    public boolean isAll() {
      return name == null && index < 0;
    }
  }

  private final String text;
  private final List<Step> steps;

  private JsonPath(String text, List<Step> steps) {
    this.text = text;
    this.steps = List.copyOf(steps);
  }

  /**
   * The path that a text spells.
   *
   * @throws IllegalArgumentException where it is none
   */
  public static JsonPath parse(String text) {
    List<Step> steps = new ArrayList<>();
    boolean rooted = text.startsWith("$");
    Matcher matcher = STEP.matcher(text);
    int at = 1;
    matcher.region(Math.min(1, text.length()), text.length());
    while (rooted && matcher.lookingAt()) {
      steps.add(step(matcher));
      at = matcher.end();
      matcher.region(at, text.length());
    }
    if (!rooted || at < text.length()) {
      throw new IllegalArgumentException(
          text + ": expected: a path such as $.data.v, $['a b'][0] or $.list[*].v");
    }
    return new JsonPath(text, steps);
  }

  private static Step step(Matcher matched) {
    if (matched.group("all") != null) {
      return Step.ALL;
    }
    if (matched.group("index") != null) {
      return new Step(null, Integer.parseInt(matched.group("index")));
    }
    String quoted = matched.group("quoted");
    return new Step(quoted != null ? quoted : matched.group("name"), 0);
  }

  public List<Step> steps() {
    return steps;
  }

  /** Whether some step of it means all. */
  public boolean hasAll() {
    return steps.stream().anyMatch(Step::isAll);
  }

  @Override
  public String toString() {
    return text;
  }
}
