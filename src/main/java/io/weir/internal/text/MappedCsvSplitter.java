package io.weir.internal.text;

import io.weir.internal.text.mapping.ColumnRef;
import io.weir.internal.text.mapping.IdTemplate;
import io.weir.internal.text.mapping.Mapping;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A line of a mapped CSV file: a reading for each column that holds a value. Empty cells are
 * skipped and counted in a wide file, and in any file whose mapping names a text for a missing
 * value. A line counts as a whole or not at all. One thread.
 */
final class MappedCsvSplitter implements LineSplitter {
  /** A placeholder for the name of the value's column; no file can contain it. */
  private static final String NAME_OF_VALUE = "\ud800";

  private static final Set<String> ANNOTATIONS = Set.of("#group", "#datatype", "#default");

  private final Mapping mapping;
  private MappedColumns columns;
  private final String file;
  private final UnaryOperator<String> record;
  private final Cells cells;
  private final ReadingFiller filler;

  private boolean whole;

  /** Whether the columns of the lines at hand are not known. */
  private boolean lost;

  private int at;
  private int lineBytes;

  // Parts of the readings of a line that are in no column of a value: read once, not for each.
  private String series = "";
  private String quality = "";
  private List<String> time = List.of();
  private List<String> id = List.of();

  private long withoutValue;

  /**
   * @param file what the sensor id's {file} stands for
   * @param record the parts of a sensor id that are those of the record in Kafka
   */
  MappedCsvSplitter(
      Mapping mapping, MappedColumns columns, String file, UnaryOperator<String> record) {
    this.record = record;
    this.mapping = mapping;
    this.columns = columns;
    this.file = file;
    this.cells = new Cells(mapping.delimiter());
    this.filler = new ReadingFiller(mapping);
  }

  /** Takes the line apart; whether all is empty, or the values of columns that may be. */
  @Override
  public boolean isSilent(byte[] line, int start, int end) {
    lineBytes = end - start;
    at = 0;
    int width = columns.names().size();
    whole =
        cells.split(line, start, end)
            && (cells.count() == width
                || (cells.count() > width && cells.countWithoutEmptyEnd() <= width)
                || (cells.count() == width - 1 && columns.last() < cells.count()));
    if (isEmpty() || isAnnotation(line, start, end) || isHeader()) {
      return true;
    }
    if (!whole || lost) {
      return false;
    }
    int place = nextValue();
    at = 0;
    if (place == ColumnRef.NONE) {
      withoutValue += columns.values().size();
      return true;
    }
    return false;
  }

  /** A row of a spreadsheet that has nothing in any column. */
  private boolean isEmpty() {
    for (int cell = 0; cell < cells.count(); cell++) {
      if (!cells.isBlank(cell)) {
        return false;
      }
    }
    return whole;
  }

  /** A line about the columns below it, in the annotated CSV of InfluxDB. */
  private boolean isAnnotation(byte[] line, int start, int end) {
    return start < end
        && line[start] == '#'
        && cells.count() > 0
        && ANNOTATIONS.contains(cells.text(0));
  }

  /** A header again: of a file appended to another, or of a further table. */
  private boolean isHeader() {
    int place = columns.timestamp().isEmpty() ? 0 : columns.timestamp().get(0);
    boolean header =
        mapping.header()
            && place < cells.count()
            && !columns.names().get(place).isEmpty()
            && cells.text(place).equalsIgnoreCase(columns.names().get(place));
    if (!header) {
      return false;
    }
    try {
      columns = MappedColumns.find(mapping, cells.names(true), false);
      lost = false;
    } catch (IllegalArgumentException otherTable) {
      lost = true;
    }
    return !lost;
  }

  @Override
  public LineReason split(byte[] line, int start, int end, LineFields fields) {
    if (!whole || lost) {
      return LineReason.MALFORMED_LINE;
    }
    series = series();
    quality =
        columns.quality() == ColumnRef.NONE ? "" : ReadingFiller.cut(cells.text(columns.quality()));
    time = columns.timestamp().stream().map(this::partOfTime).toList();
    id =
        mapping.sensorId().stream()
            .flatMap(template -> template.parts().stream())
            .map(this::partOfId)
            .toList();
    next(fields);
    return null;
  }

  @Override
  public boolean next(LineFields fields) {
    int from = at;
    int place = nextValue();
    withoutValue += at - from - (place == ColumnRef.NONE ? 0 : 1);
    if (place == ColumnRef.NONE) {
      return false;
    }
    fields.clear(lineBytes);
    fillSensorId(place, fields);
    filler.time(time(place), series, fields);
    filler.value(cells.bytes(place), cells.from(place), cells.to(place), fields);
    filler.quality(quality, fields);
    return true;
  }

  /** The next column with a value, from the one at hand on, and steps behind it. */
  private int nextValue() {
    while (at < columns.values().size()) {
      int place = columns.values().get(at++);
      if (!isMissing(place)) {
        return place;
      }
    }
    return ColumnRef.NONE;
  }

  private boolean isMissing(int place) {
    if (cells.isBlank(place)) {
      return mapping.wide() || mapping.missing().contains("");
    }
    return !mapping.missing().isEmpty() && mapping.missing().contains(cells.text(place));
  }

  private String partOfTime(int place) {
    return place == MappedColumns.NAME_OF_VALUE
        ? NAME_OF_VALUE
        : ReadingFiller.cut(cells.text(place));
  }

  private String time(int value) {
    if (time.size() == 1) {
      return time.get(0);
    }
    StringBuilder joined = new StringBuilder();
    for (String each : time) {
      boolean name = each.equals(NAME_OF_VALUE);
      String part = name ? ReadingFiller.cut(columns.names().get(value)) : each;
      joined.append(joined.isEmpty() || part.isEmpty() ? "" : " ").append(part);
    }
    return joined.toString();
  }

  /** The part of the sensor's name that is in the line. */
  private String series() {
    Collection<Integer> named =
        columns.sensorId() == ColumnRef.NONE
            ? columns.ofTemplate().values()
            : List.of(columns.sensorId());
    return named.stream()
        .map(place -> SensorIds.cut(cells.text(place)))
        .collect(Collectors.joining("/"));
  }

  private void fillSensorId(int value, LineFields fields) {
    if (mapping.sensorId().isPresent()) {
      filler.sensorId(ofParts(columns.sensors().get(value)), fields);
    } else if (columns.sensorId() != ColumnRef.NONE) {
      cells.copyId(columns.sensorId(), fields);
    } else {
      filler.sensorId(columns.sensors().get(value), fields);
    }
  }

  private String partOfId(IdTemplate.Part part) {
    return switch (part.kind()) {
      case TEXT -> part.argument();
      case FILE -> file;
      case VALUE_COLUMN -> NAME_OF_VALUE;
      case COLUMN -> SensorIds.cut(cells.text(columns.ofTemplate().get(part.argument())));
      case PATH -> "";
      case RECORD -> SensorIds.cut(record.apply(part.argument()));
    };
  }

  /** Empty where a column that the template names is. */
  private String ofParts(String nameOfValue) {
    StringBuilder whole = new StringBuilder();
    for (String each : id) {
      String part = each.equals(NAME_OF_VALUE) ? nameOfValue : each;
      if (part.isEmpty()) {
        return "";
      }
      whole.append(part);
    }
    return whole.toString();
  }

  @Override
  public LineReason refine(LineReason reason) {
    return filler.refine(reason);
  }

  @Override
  public Optional<String> remedy() {
    return filler.remedy();
  }

  @Override
  public long withoutValue() {
    return withoutValue;
  }
}
