package io.weir.internal.text;

import io.weir.internal.text.mapping.ColumnRef;
import io.weir.internal.text.mapping.Columns;
import io.weir.internal.text.mapping.IdTemplate;
import io.weir.internal.text.mapping.Mapping;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which column of a file is what, once its header is known. Columns count from 0.
 *
 * @param names of all columns, empty where one has none
 * @param sensors what the column is called as a sensor
 * @param timestamp whose texts, joined by a blank, are the time; {@link #NAME_OF_VALUE} among them
 * @param values the columns that hold a value each
 * @param ofTemplate those that name the sensor together, by what the template calls them
 * @param sensorId the column that names the sensor, or {@link ColumnRef#NONE}
 * @param quality or {@link ColumnRef#NONE}
 * @param last the last of all these columns
 */
record MappedColumns(
    List<String> names,
    List<String> sensors,
    List<Integer> timestamp,
    List<Integer> values,
    Map<String, Integer> ofTemplate,
    int sensorId,
    int quality,
    int last) {
  /** In the place of a time's column: the name of the value's column. */
  static final int NAME_OF_VALUE = -2;

  /** Most columns; a worksheet has at most 16,384. */
  static final int MAX_COLUMNS = 20_000;

  private static final int MAX_SHOWN = 300;
  private static final List<String> TIMES = List.of("timestamp_ms", "timestamp", "time");

  /**
   * Finds the columns.
   *
   * @param timeElsewhere whether the time need not be in a column
   * @throws IllegalArgumentException where one is not there; the message names those that are; or
   *     there are too many
   */
  static MappedColumns find(Mapping mapping, List<String> names, boolean timeElsewhere) {
    if (names.size() > MAX_COLUMNS) {
      throw new IllegalArgumentException(
          names.size() + " columns; expected: at most " + MAX_COLUMNS);
    }
    Finder finder = new Finder(mapping, names, timeElsewhere);
    List<Integer> timestamp = finder.timestamp();
    int sensorId = finder.sensorId();
    boolean named = mapping.sensorId().isPresent() || sensorId != ColumnRef.NONE;
    if (timestamp.contains(NAME_OF_VALUE)
        && (timestamp.get(0) == NAME_OF_VALUE || !mapping.wide() || !named)) {
      throw new IllegalArgumentException(
          "timestamp={column} stands behind another column and needs --wide and --sensor-id, such"
              + " as --columns timestamp=Date+{column} --sensor-id {file}");
    }
    int quality = finder.quality();
    List<Integer> values = finder.values(timestamp, quality, sensorId);
    Map<String, Integer> ofTemplate = finder.templateColumns();
    int last =
        Stream.of(timestamp, values, ofTemplate.values(), List.of(sensorId, quality))
            .flatMap(Collection::stream)
            .max(Integer::compare)
            .orElse(0);
    return new MappedColumns(
        names, distinct(names, values), timestamp, values, ofTemplate, sensorId, quality, last);
  }

  /**
   * The names of sensors, cut to what is too long for any id: that of a column whose name others
   * have too has its number.
   */
  private static List<String> distinct(List<String> names, List<Integer> values) {
    Map<String, Integer> counts = new HashMap<>();
    values.forEach(value -> counts.merge(names.get(value), 1, Integer::sum));
    List<String> distinct = new ArrayList<>(names);
    for (int value : values) {
      String name = names.get(value);
      boolean only = counts.get(name) == 1;
      distinct.set(value, SensorIds.cut(only && !name.isEmpty() ? name : name + "#" + (value + 1)));
    }
    return distinct;
  }

  private record Finder(Mapping mapping, List<String> names, boolean timeElsewhere) {
    List<Integer> timestamp() {
      List<ColumnRef> refs = mapping.columns().timestamp();
      if (!refs.isEmpty()) {
        return refs.stream()
            .map(ref -> ref.text().equals("{column}") ? NAME_OF_VALUE : place(ref, "timestamp"))
            .toList();
      }
      if (mapping.wide()) {
        return timeElsewhere ? List.of() : List.of(0);
      }
      if (!mapping.header() && timeElsewhere) {
        return List.of();
      }
      if (!mapping.header()) {
        return List.of(place(new ColumnRef("2"), "timestamp"));
      }
      for (String name : TIMES) {
        if (new ColumnRef(name).in(names) != ColumnRef.NONE) {
          return List.of(new ColumnRef(name).in(names));
        }
      }
      if (timeElsewhere) {
        return List.of();
      }
      throw missing("timestamp", "timestamp_ms");
    }

    /** Need not be there; without a header the fourth column, unless columns were named. */
    int quality() {
      List<ColumnRef> refs = mapping.columns().quality();
      if (!refs.isEmpty()) {
        return place(refs.get(0), "quality");
      }
      boolean named = !mapping.columns().equals(Columns.DEFAULT);
      boolean none = mapping.wide() || (!mapping.header() && named);
      return none ? ColumnRef.NONE : new ColumnRef(mapping.header() ? "quality" : "4").in(names);
    }

    int sensorId() {
      List<ColumnRef> refs = mapping.columns().sensorId();
      boolean otherwise = mapping.wide() || mapping.sensorId().isPresent();
      if (refs.isEmpty() && otherwise) {
        return ColumnRef.NONE;
      }
      String text = mapping.header() ? "sensor_id" : "1";
      return place(refs.isEmpty() ? new ColumnRef(text) : refs.get(0), "sensor_id");
    }

    List<Integer> values(List<Integer> timestamp, int quality, int sensorId) {
      List<ColumnRef> refs = mapping.columns().value();
      if (!refs.isEmpty()) {
        List<Integer> places = refs.stream().map(ref -> place(ref, "value")).toList();
        if (Set.copyOf(places).size() < places.size()) {
          throw new IllegalArgumentException("a column is named twice as a value; " + are());
        }
        return places;
      }
      if (!mapping.wide()) {
        return List.of(place(new ColumnRef(mapping.header() ? "value" : "3"), "value"));
      }
      Set<Integer> taken = new HashSet<>(timestamp);
      taken.add(quality);
      taken.add(sensorId);
      taken.addAll(templateColumns().values());
      List<Integer> values = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        if (!taken.contains(i) && !names.get(i).isEmpty()) {
          values.add(i);
        }
      }
      requireDistinct(values);
      return values;
    }

    private void requireDistinct(List<Integer> values) {
      Set<String> seen = new HashSet<>();
      for (int value : values) {
        if (!seen.add(names.get(value))) {
          throw new IllegalArgumentException(
              "two columns are named "
                  + names.get(value)
                  + " and would be one sensor; take those that are meant by number, such as"
                  + " --columns value=2+3, or give them names");
        }
      }
      if (values.isEmpty()) {
        throw new IllegalArgumentException(
            "no column is left for a value; " + are() + "; is the --delimiter right?");
      }
    }

    Map<String, Integer> templateColumns() {
      Map<String, Integer> places = new LinkedHashMap<>();
      mapping
          .sensorId()
          .ifPresent(
              template ->
                  template.parts().stream()
                      .filter(part -> part.kind() == IdTemplate.Kind.COLUMN)
                      .map(IdTemplate.Part::argument)
                      .forEach(name -> places.put(name, place(new ColumnRef(name), "x"))));
      return places;
    }

    private int place(ColumnRef ref, String name) {
      int place = ref.in(names);
      if (place == ColumnRef.NONE) {
        throw missing(name, ref.text());
      }
      return place;
    }

    private IllegalArgumentException missing(String name, String wanted) {
      String remedy =
          name.equals("x")
              ? ""
              : "; say which one is the %s: --columns %s=NAME".formatted(name, name);
      return new IllegalArgumentException("no column " + wanted + remedy + "; " + are());
    }

    private String are() {
      String all = String.join(", ", names);
      return "the columns are: "
          + (all.length() > MAX_SHOWN ? all.substring(0, MAX_SHOWN) + " ..." : all);
    }
  }
}
