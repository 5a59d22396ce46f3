package io.weir.chart;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What processes export, in Prometheus's text format: the samples by metric. */
record Exposition(Map<String, List<Sample>> samplesByMetric) {
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)\\})? (\\S+)(?: \\d+)?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\",?");

  /** One line. */
  record Sample(Map<String, String> labels, double value) {}

  /** Of several processes together. */
  static Exposition of(String... texts) {
    Map<String, List<Sample>> found = new HashMap<>();
    for (String line : String.join("\n", texts).lines().toList()) {
      if (!line.startsWith("#") && !line.isBlank()) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
          throw new AssertionError("no sample: " + line);
        }
        found
            .computeIfAbsent(sample.group(1), name -> new ArrayList<>())
            .add(new Sample(parse(sample.group(2)), Double.parseDouble(sample.group(3))));
      }
    }
    return new Exposition(found);
  }

  private static Map<String, String> parse(String text) {
    Map<String, String> labels = new HashMap<>();
    if (text != null) {
      Matcher label = LABEL.matcher(text);
      while (label.find()) {
        labels.put(label.group(1), label.group(2));
      }
    }
    return labels;
  }

  /** The label sets of a metric, none where there is no such metric. */
  List<Map<String, String>> samples(String metric) {
    return samplesByMetric.getOrDefault(metric, List.of()).stream().map(Sample::labels).toList();
  }

  /** The names of all labels of a metric. */
  Set<String> labels(String metric) {
    return samples(metric).stream()
        .flatMap(labels -> labels.keySet().stream())
        .collect(Collectors.toSet());
  }

  /** The sum over the samples of a metric that have a label with that value. */
  double sum(String metric, String label, String value) {
    return samplesByMetric.getOrDefault(metric, List.of()).stream()
        .filter(sample -> value.equals(sample.labels().get(label)))
        .mapToDouble(Sample::value)
        .sum();
  }
}
