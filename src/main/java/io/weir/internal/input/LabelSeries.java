package io.weir.internal.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A series with labels.
 *
 * @param text of name and labels: {@code name{a="x",b="y"}}, sorted by the bytes of the labels'
 *     names
 */
public record LabelSeries(String name, SortedMap<String, String> labels, String text) {
  private static final int HASH_DIGITS = 16;

  /** A series; a label with an empty value is none. */
  public static LabelSeries of(String name, Map<String, String> labels) {
    SortedMap<String, String> sorted =
        new TreeMap<>((a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)));
    labels.forEach(
        (label, value) -> {
          if (!value.isEmpty()) {
            sorted.put(label, value);
          }
        });
    return new LabelSeries(name, sorted, text(name, sorted));
  }

  /**
   * Its sensor by a template, or by the client's in its place; {@link Sensor#FOREIGN} if the client
   * may not write it.
   *
   * @param parts beside client, hash, series and name
   */
  public Sensor sensor(SensorTemplate template, Client client, SensorTemplate.Parts parts) {
    String id =
        client
            .template()
            .orElse(template)
            .id(
                (part, argument) ->
                    switch (part) {
                      case "client" -> client.name();
                      case "hash" -> Clients.hash(text).substring(0, HASH_DIGITS);
                      case "series" -> text;
                      case "name" -> name;
                      default -> parts.value(part, argument);
                    });
    if (!id.isEmpty() && !client.mayWrite(id)) {
      return Sensor.FOREIGN;
    }
    return Sensor.of(id, id.getBytes(UTF_8), text);
  }

  private static String text(String name, Map<String, String> labels) {
    if (labels.isEmpty()) {
      return escaped(name);
    }
    return escaped(name)
        + "{"
        + labels.entrySet().stream()
            .map(label -> escaped(label.getKey()) + "=\"" + escaped(label.getValue()) + "\"")
            .collect(Collectors.joining(","))
        + "}";
  }

  /** In names too, so that no other series has the text. */
  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
