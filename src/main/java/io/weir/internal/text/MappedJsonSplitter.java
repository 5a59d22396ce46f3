package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.text.mapping.IdTemplate;
import io.weir.internal.text.mapping.JsonPath;
import io.weir.internal.text.mapping.Mapping;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A JSON value with readings at the places that a mapping names. Where the value's path means all
 * of an array or object, each element is a reading; paths that begin alike up to there are taken
 * from the same element, others from the whole. Of several elements only those that are numbers, or
 * texts of numbers, are readings, as in line protocol; other texts are passed over and counted. One
 * thread.
 */
final class MappedJsonSplitter implements LineSplitter {
  /**
   * One place where a value may be.
   *
   * @param elements those at which the path's steps mean all, from the outermost on
   * @param column the name of the innermost member among them, or else the index
   */
  private record Place(List<Object> elements, String column, Object found) {}

  private static final Set<String> ENVELOPE = Set.of("schema", "payload");

  private final Mapping mapping;
  private final String file;
  private final ReadingFiller filler;
  private final JsonPath value;

  /** The parts of a sensor id that are those of the record in Kafka. */
  private final UnaryOperator<String> record;

  private final boolean takesOffEnvelopes;

  /** Where other parts of a reading are. */
  private final List<JsonPath> named = new ArrayList<>();

  private Object root;
  private List<Place> places = List.of();
  private int at;
  private long withoutValue;
  private long passedOver;

  /**
   * @param takesOffEnvelopes whether an object of exactly {@code schema} and {@code payload} stands
   *     for its payload, as Kafka Connect writes it
   */
  MappedJsonSplitter(
      Mapping mapping, String file, UnaryOperator<String> record, boolean takesOffEnvelopes) {
    this.record = record;
    this.takesOffEnvelopes = takesOffEnvelopes;
    this.mapping = mapping;
    this.file = file;
    this.filler = new ReadingFiller(mapping);
    this.value = mapping.json().value();
    named.add(mapping.json().timestamp());
    named.add(mapping.json().sensorId());
    mapping.json().quality().ifPresent(named::add);
    mapping.sensorId().stream()
        .flatMap(template -> template.parts().stream())
        .filter(part -> part.kind() == IdTemplate.Kind.PATH)
        .forEach(part -> named.add(JsonPath.parse(part.argument())));
  }

  @Override
  public LineReason split(byte[] line, int start, int end, LineFields fields) {
    at = 0;
    places = List.of();
    try {
      return split(payload(JsonValues.read(line, start, end)), fields);
    } catch (IOException notJson) {
      return LineReason.MALFORMED_LINE;
    }
  }

  /** The same for a value that was decoded already. */
  LineReason split(Object decoded, LineFields fields) {
    at = 0;
    root = decoded;
    places = new ArrayList<>();
    expand(root, 0, List.of(), value.hasAll() ? "" : lastName(value));
    return next(fields) ? null : LineReason.MISSING_VALUE;
  }

  private Object payload(Object read) {
    return takesOffEnvelopes
            && read instanceof Map<?, ?> members
            && members.keySet().equals(ENVELOPE)
        ? members.get("payload")
        : read;
  }

  /** Adds the places below a value, from a step of the path on. */
  private void expand(Object from, int step, List<Object> elements, String column) {
    if (step == value.steps().size()) {
      places.add(new Place(elements, column, from));
      return;
    }
    JsonPath.Step next = value.steps().get(step);
    if (!next.isAll()) {
      expand(JsonValues.at(from, next), step + 1, elements, column);
    } else if (from instanceof List<?> list) {
      boolean member = !column.isEmpty() && !column.matches("\\d+");
      for (int i = 0; i < list.size(); i++) {
        expand(list.get(i), step + 1, with(elements, list.get(i)), member ? column : "" + i);
      }
    } else if (from instanceof Map<?, ?> members) {
      members.forEach(
          (name, member) -> {
            if (!isNamedElsewhere(step, (String) name)) {
              expand(member, step + 1, with(elements, member), SensorIds.cut((String) name));
            }
          });
    }
  }

  private static List<Object> with(List<Object> elements, Object last) {
    List<Object> longer = new ArrayList<>(elements.size() + 1);
    longer.addAll(elements);
    longer.add(last);
    return longer;
  }

  /** A flat object's time and id are no readings of it. */
  private boolean isNamedElsewhere(int step, String member) {
    return named.stream()
        .anyMatch(
            path ->
                path.steps().size() == step + 1
                    && path.steps().subList(0, step).equals(value.steps().subList(0, step))
                    && member.equals(path.steps().get(step).name()));
  }

  private static String lastName(JsonPath path) {
    if (path.steps().isEmpty()) {
      return "";
    }
    JsonPath.Step last = path.steps().get(path.steps().size() - 1);
    return last.name() == null ? Integer.toString(last.index()) : last.name();
  }

  @Override
  public boolean next(LineFields fields) {
    while (at < places.size()) {
      Place place = places.get(at++);
      if (isMissing(place.found())) {
        withoutValue++;
      } else if (isPassedOver(place.found())) {
        passedOver++;
      } else {
        fill(place, fields);
        return true;
      }
    }
    return false;
  }

  private boolean isMissing(Object found) {
    if (found == null) {
      return value.hasAll() || mapping.missing().contains("");
    }
    return found instanceof String text && mapping.missing().contains(text);
  }

  private boolean isPassedOver(Object found) {
    boolean number =
        found instanceof JsonValues.Literal
            || (found instanceof String text && filler.isNumber(text));
    return value.hasAll() && !number;
  }

  private void fill(Place place, LineFields fields) {
    byte[] bytes = text(place.found()).getBytes(UTF_8);
    fields.clear(Math.max(bytes.length, 1));
    String id = sensorId(place);
    filler.sensorId(id, fields);
    fillTime(of(mapping.json().timestamp(), place), id, fields);
    if (place.found() instanceof JsonValues.Literal) {
      fields.set(LineFields.VALUE, bytes, 0, bytes.length);
    } else {
      filler.value(bytes, 0, bytes.length, fields);
    }
    Optional<JsonPath> quality = mapping.json().quality();
    filler.quality(quality.map(path -> shortText(of(path, place))).orElse(""), fields);
  }

  private void fillTime(Object time, String id, LineFields fields) {
    if (time instanceof Instant instant) {
      filler.time(instant, fields);
    } else if (time instanceof LocalDateTime local) {
      filler.time(local, id, fields);
    } else {
      filler.time(shortText(time), id, fields);
    }
  }

  /** What another path leads to: from the innermost element that it shares with the value's. */
  private Object of(JsonPath path, Place place) {
    List<JsonPath.Step> steps = path.steps();
    Object from = root;
    int shared = 0;
    int depth = 0;
    for (int i = 0; i < steps.size() && i < value.steps().size(); i++) {
      if (!steps.get(i).equals(value.steps().get(i))) {
        break;
      }
      if (steps.get(i).isAll()) {
        from = place.elements().get(depth++);
        shared = i + 1;
      }
    }
    return JsonValues.at(from, steps.subList(shared, steps.size()));
  }

  private String sensorId(Place place) {
    if (mapping.sensorId().isEmpty()) {
      return partText(of(mapping.json().sensorId(), place));
    }
    StringBuilder id = new StringBuilder();
    for (IdTemplate.Part part : mapping.sensorId().get().parts()) {
      String text =
          switch (part.kind()) {
            case TEXT -> part.argument();
            case FILE -> file;
            case VALUE_COLUMN -> place.column();
            case COLUMN -> partText(of(JsonPath.parse("$['" + part.argument() + "']"), place));
            case PATH -> partText(of(JsonPath.parse(part.argument()), place));
            case RECORD -> SensorIds.cut(record.apply(part.argument()));
          };
      if (text.isEmpty()) {
        return "";
      }
      id.append(text);
    }
    return id.toString();
  }

  /**
   * Cuts a part that no id may have: each reading of a record has a copy of it. Something that is
   * neither a text nor a number names no sensor: all such would be one.
   */
  private static String partText(Object found) {
    if (found instanceof Map || found instanceof List) {
      return "";
    }
    if (found instanceof JsonValues.Literal number) {
      return SensorIds.cut(number.text());
    }
    return text(found instanceof String text ? SensorIds.cut(text) : found);
  }

  /** Of a time or a quality, which many readings may share. */
  private static String shortText(Object found) {
    return text(found instanceof String text ? ReadingFiller.cut(text) : found);
  }

  /**
   * Empty where there is nothing; what is no text and no number is written so that it is neither.
   */
  private static String text(Object found) {
    if (found == null) {
      return "";
    }
    if (found instanceof String text) {
      return Utf8.hasLoneSurrogate(text) ? "?" : text;
    }
    if (found instanceof Instant || found instanceof LocalDateTime) {
      return found.toString();
    }
    return found instanceof JsonValues.Literal literal ? literal.text() : "?";
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
  public long passedOver() {
    return passedOver;
  }

  @Override
  public long withoutValue() {
    return withoutValue;
  }
}
