package io.weir.chart;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in a query of Prometheus's: its selectors, and the labels that it groups by. Takes
 * apart what the alerts and the dashboard use of the language, and no more.
 *
 * @param selectors each metric with its matchers
 * @param grouping labels in by, without, on, ignoring and group_left
 */
record PromQl(List<Selector> selectors, Set<String> grouping) {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"(?:[^\"\\\\]|\\\\.)*\"|\\[[^\\]]*\\]|[0-9.]+[a-z]*|[a-zA-Z_:][a-zA-Z0-9_:]*|[=!]~|!=|[<>=]=?|\\S");
  private static final Set<String> GROUPING =
      Set.of("by", "without", "on", "ignoring", "group_left");
  private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");

  /**
   * A metric as it is selected.
   *
   * @param equal the labels that must be equal to a text
   * @param labels all labels that are matched
   */
  record Selector(String metric, Map<String, String> equal, Set<String> labels) {}

  static PromQl of(String query) {
    List<String> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(query);
    while (matcher.find()) {
      tokens.add(matcher.group());
    }
    return new Reader(tokens).read();
  }

  /** Goes over the words once. */
  private static final class Reader {
    private final List<String> tokens;
    private final List<Selector> selectors = new ArrayList<>();
    private final Set<String> grouping = new TreeSet<>();
    private int at;

    Reader(List<String> tokens) {
      this.tokens = tokens;
    }

    PromQl read() {
      while (at < tokens.size()) {
        String token = tokens.get(at++);
        if (GROUPING.contains(token)) {
          readGrouping();
        } else if (isName(token) && !OPERATORS.contains(token) && !next().equals("(")) {
          if (!isFollowedByAggregation()) {
            selectors.add(readSelector(token));
          }
        }
      }
      return new PromQl(selectors, grouping);
    }

    /** As in sum by (pod) (...): the name before by is a function. */
    private boolean isFollowedByAggregation() {
      return next().equals("by") || next().equals("without");
    }

    private void readGrouping() {
      expect("(");
      while (!next().equals(")")) {
        String label = tokens.get(at++);
        if (!label.equals(",")) {
          grouping.add(label);
        }
      }
    }

    private Selector readSelector(String metric) {
      Map<String, String> equal = new HashMap<>();
      Map<String, String> operators = new LinkedHashMap<>();
      if (next().equals("{")) {
        at++;
        while (!next().equals("}")) {
          String label = tokens.get(at++);
          String operator = tokens.get(at++);
          String quoted = tokens.get(at++);
          operators.put(label, operator);
          if (operator.equals("=")) {
            equal.put(label, quoted.substring(1, quoted.length() - 1));
          }
          if (next().equals(",")) {
            at++;
          }
        }
      }
      return new Selector(metric, equal, operators.keySet());
    }

    private void expect(String token) {
      if (!next().equals(token)) {
        throw new AssertionError("not " + token + ": " + tokens.subList(at, tokens.size()));
      }
      at++;
    }

    private String next() {
      return at < tokens.size() ? tokens.get(at) : "";
    }

    private static boolean isName(String token) {
      return Character.isLetter(token.charAt(0)) || token.charAt(0) == '_';
    }
  }
}
