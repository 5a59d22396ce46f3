package io.weir.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import io.weir.text.mapping.IdTemplate;
import io.weir.text.mapping.JsonPath;
import io.weir.text.mapping.Mapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON value with readings at the places that a mapping names. Where the value's path means all
 * of an array or object, each element is a reading; paths that begin alike up to there are taken
 * from the same element, others from the whole. Of an object's members only those that are numbers
 * are readings, as in line protocol. One thread.
 */
final class MappedJsonSplitter implements LineSplitter {
  /** One place where a value may be. */
  private record Place(Object element, String column) {}

  private final Mapping mapping;
  private final String file;
  private final ReadingFiller filler;
  private final JsonPath value;

  private Object root;
  private List<Place> places = List.of();
  private int at;
  private long withoutValue;

  MappedJsonSplitter(Mapping mapping, String file) {
    this.mapping = mapping;
    this.file = file;
    this.filler = new ReadingFiller(mapping);
    this.value = mapping.json().value();
  }

  @Override
  public LineReason split(byte[] line, int start, int end, LineFields fields) {
    at = 0;
    places = List.of();
    try (JsonParser parser = JsonSplitter.FACTORY.createParser(line, start, end - start)) {
      parser.nextToken();
      root = JsonValues.read(parser);
      if (parser.nextToken() != null) {
        return LineReason.MALFORMED_LINE;
      }
    } catch (IOException notJson) {
      return LineReason.MALFORMED_LINE;
    }
    places = places();
    return next(fields) ? null : LineReason.MISSING_VALUE;
  }

  private List<Place> places() {
    int all = value.placeOfAll();
    Object holder = JsonValues.at(root, value, 0, all);
    if (!value.hasAll()) {
      return Collections.singletonList(new Place(root, lastName(value)));
    }
    List<Place> found = new ArrayList<>();
    if (holder instanceof List<?> elements) {
      for (int i = 0; i < elements.size(); i++) {
        found.add(new Place(elements.get(i), Integer.toString(i)));
      }
    } else if (holder instanceof Map<?, ?> members) {
      members.forEach((name, member) -> addMember(found, (String) name, member));
    }
    return found;
  }

  private void addMember(List<Place> found, String name, Object member) {
    Place place = new Place(member, name);
    boolean isTime = mapping.json().timestamp().equals(mapping.json().value());
    if (valueAt(place) instanceof JsonValues.Literal && !isTime && !isNamedElsewhere(name)) {
      found.add(place);
    }
  }

  /** A flat object's time and id are no readings of it. */
  private boolean isNamedElsewhere(String member) {
    return isChild(mapping.json().timestamp(), member)
        || isChild(mapping.json().sensorId(), member)
        || mapping.json().quality().filter(path -> isChild(path, member)).isPresent();
  }

  private boolean isChild(JsonPath path, String member) {
    int all = value.placeOfAll();
    return path.steps().size() == all + 1
        && path.steps().subList(0, all).equals(value.steps().subList(0, all))
        && member.equals(path.steps().get(all).name());
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
      Object found = valueAt(place);
      if (isMissing(found)) {
        withoutValue++;
        continue;
      }
      fill(place, found, fields);
      return true;
    }
    return false;
  }

  private boolean isMissing(Object found) {
    if (found == null) {
      return value.hasAll() || mapping.missing().contains("");
    }
    return found instanceof String text && mapping.missing().contains(text);
  }

  private Object valueAt(Place place) {
    return value.hasAll()
        ? JsonValues.at(place.element(), value, value.placeOfAll() + 1, value.steps().size())
        : JsonValues.at(root, value, 0, value.steps().size());
  }

  private void fill(Place place, Object found, LineFields fields) {
    String valueText = text(found);
    byte[] bytes = valueText.getBytes(UTF_8);
    fields.clear(Math.max(bytes.length, 1));
    filler.sensorId(sensorId(place), fields);
    filler.time(text(of(mapping.json().timestamp(), place)), fields);
    filler.value(bytes, 0, bytes.length, fields);
    Optional<JsonPath> quality = mapping.json().quality();
    filler.quality(quality.map(path -> text(of(path, place))).orElse(""), fields);
  }

  /** What another path leads to, for the element at hand. */
  private Object of(JsonPath path, Place place) {
    int all = value.placeOfAll();
    boolean sameElement =
        value.hasAll()
            && path.placeOfAll() == all
            && path.hasAll()
            && path.steps().subList(0, all).equals(value.steps().subList(0, all));
    if (sameElement) {
      return JsonValues.at(place.element(), path, all + 1, path.steps().size());
    }
    return path.hasAll() ? null : JsonValues.at(root, path, 0, path.steps().size());
  }

  private String sensorId(Place place) {
    if (mapping.sensorId().isEmpty()) {
      return text(of(mapping.json().sensorId(), place));
    }
    StringBuilder id = new StringBuilder();
    for (IdTemplate.Part part : mapping.sensorId().get().parts()) {
      String text =
          switch (part.kind()) {
            case TEXT -> part.argument();
            case FILE -> file;
            case VALUE_COLUMN -> place.column();
            case COLUMN -> text(of(JsonPath.parse("$['" + part.argument() + "']"), place));
            case PATH -> text(of(JsonPath.parse(part.argument()), place));
          };
      if (text.isEmpty()) {
        return "";
      }
      id.append(text);
    }
    return id.toString();
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
    return found instanceof JsonValues.Literal literal ? literal.text() : "?";
  }

  @Override
  public LineReason refine(LineReason reason) {
    return filler.refine(reason);
  }

  @Override
  public long withoutValue() {
    return withoutValue;
  }
}
