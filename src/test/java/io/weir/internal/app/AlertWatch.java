package io.weir.internal.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One alert of the chart's file, over what one process exports: a metric compared with a number for
 * some minutes. For one thread.
 */
final class AlertWatch {
  private static final Path RULES = Path.of("helm/weir/files/alerts.yaml");
  private static final Pattern METRIC = Pattern.compile("weir_\\w+");
  private static final Pattern BOUND = Pattern.compile("(>|<|==) (\\d+)$");

  private final String name;
  private final String metric;
  private final String relation;
  private final double bound;
  private final long forMs;
  private long sinceMs = -1;
  private long firedMs = -1;
  private long endedMs = -1;

  private AlertWatch(String name, String expression, int forMinutes) {
    Matcher found = METRIC.matcher(expression);
    Matcher held = BOUND.matcher(expression);
    if (!found.find() || !held.find()) {
      throw new AssertionError(name + " holds no metric against a number: " + expression);
    }
    this.name = name;
    this.metric = found.group();
    this.relation = held.group(1);
    this.bound = Double.parseDouble(held.group(2));
    this.forMs = forMinutes * 60_000L;
  }

  static AlertWatch of(String name) {
    Pattern rule = Pattern.compile("alert: " + name + "\\n +expr: ([^\\n]+)\\n +for: (\\d+)m\\n");
    try {
      Matcher found = rule.matcher(Files.readString(RULES));
      if (!found.find()) {
        throw new AssertionError("no alert of one line: " + name);
      }
      return new AlertWatch(name, found.group(1), Integer.parseInt(found.group(2)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String metric() {
    return metric;
  }

  /** Takes a value of its metric, at milliseconds that do not go back. */
  void see(double value, long atMs) {
    boolean holds =
        switch (relation) {
          case ">" -> value > bound;
          case "<" -> value < bound;
          default -> value == bound;
        };
    if (!holds) {
      endedMs = firedMs >= 0 && endedMs < 0 ? atMs : endedMs;
      sinceMs = -1;
      return;
    }
    sinceMs = sinceMs < 0 ? atMs : sinceMs;
    if (firedMs < 0 && atMs - sinceMs >= forMs) {
      firedMs = atMs;
    }
  }

  boolean hasFired() {
    return firedMs >= 0;
  }

  boolean hasEnded() {
    return endedMs >= 0;
  }

  /** What it did, for people. */
  @Override
  public String toString() {
    if (firedMs < 0) {
      return name + " did not fire";
    }
    String fired = "%s fired after %.0f s".formatted(name, firedMs / 1000.0);
    return endedMs < 0 ? fired : fired + " and ended after %.0f s".formatted(endedMs / 1000.0);
  }
}
