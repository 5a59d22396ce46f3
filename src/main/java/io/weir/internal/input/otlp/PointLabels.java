package io.weir.internal.input.otlp;

import io.weir.internal.input.Client;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.LabelSeries;
import io.weir.internal.input.Sensor;
import io.weir.internal.input.SeriesCache;
import io.weir.internal.input.SeriesKey;
import io.weir.internal.input.SeriesSource;
import io.weir.internal.wire.UndecodableException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The series of a point, as slices of the body: resource, scope, name, unit and attributes. Not
 * thread-safe.
 */
final class PointLabels {
  private static final int MOST_ATTRIBUTES = 256;
  private static final int MOST_BYTES = 64 * 1024;
  private static final int RESOURCE_ATTRIBUTES = 1;
  private static final int SCOPE_NAME = 1;

  private final OtlpSettings settings;
  private final SeriesCache cache;
  private final Client client;
  private final Delivery delivery;
  private final byte[] body;
  private final Attributes attributes;
  private final SeriesKey key = new SeriesKey();
  private final int[] slices = new int[2 * MOST_ATTRIBUTES];
  private SeriesSource source;

  /** Of the resource; null until a point needs them, empty if they are bad. */
  private Optional<Map<String, String>> resource;

  private int resourceFrom;
  private int resourceTo;
  private int scopeFrom;
  private int scopeTo;
  private int nameFrom;
  private int nameTo;
  private int unitFrom;
  private int unitTo;
  private int count;
  private boolean bad;

  PointLabels(
      OtlpSettings settings, SeriesCache cache, Client client, Delivery delivery, byte[] body) {
    this.settings = settings;
    this.cache = cache;
    this.client = client;
    this.delivery = delivery;
    this.body = body;
    this.attributes = new Attributes(body);
  }

  void resource(int from, int to) {
    resourceFrom = from;
    resourceTo = to;
    resource = null;
    source = null;
  }

  void scope(int from, int to) {
    scopeFrom = from;
    scopeTo = to;
    source = null;
  }

  void name(int from, int to) {
    nameFrom = from;
    nameTo = to;
  }

  void unit(int from, int to) {
    unitFrom = from;
    unitTo = to;
  }

  /** A point of the metric begins. */
  void point() {
    count = 0;
    bad = (long) nameTo - nameFrom + unitTo - unitFrom > MOST_BYTES;
    key.clear();
    if (!bad) {
      key.add(nameTo - nameFrom);
      key.add(body, nameFrom, nameTo);
      key.add(unitTo - unitFrom);
      key.add(body, unitFrom, unitTo);
    }
  }

  /** A KeyValue of the point. */
  void attribute(int from, int to) {
    if (count == MOST_ATTRIBUTES || (long) key.length() + to - from > MOST_BYTES) {
      bad = true;
      return;
    }
    slices[2 * count] = from;
    slices[2 * count + 1] = to;
    count++;
    key.add(to - from);
    key.add(body, from, to);
  }

  /** The sensor of the point; null if its labels are bad, or the delivery fails. */
  Sensor sensor(PointPart part) {
    if (delivery.isLate() || bad || source() == null) {
      return null;
    }
    int length = key.length();
    key.add(part.ordinal());
    Sensor found = cache.find(key, source);
    if (found == null) {
      try {
        found = make(part);
        cache.put(key, source, found);
      } catch (Attributes.BadException | UndecodableException e) {
        bad = true;
      }
    }
    key.cut(length);
    return found;
  }

  private SeriesSource source() {
    int bytes = resourceTo - resourceFrom;
    int scope = scopeTo - scopeFrom;
    if (source == null && (long) bytes + scope <= MOST_BYTES) {
      ByteBuffer context = ByteBuffer.allocate(Integer.BYTES + bytes + scope);
      context.putInt(bytes).put(body, resourceFrom, bytes).put(body, scopeFrom, scope);
      source = new SeriesSource(client, context.array());
    }
    return source;
  }

  /** Read once: it can be large, and a request can have many points. */
  private Map<String, String> ofResource() throws Attributes.BadException, UndecodableException {
    if (resource == null) {
      resource = Optional.empty();
      Map<String, String> read = new HashMap<>();
      attributes.addAll(resourceFrom, resourceTo, RESOURCE_ATTRIBUTES, read);
      resource = Optional.of(read);
    }
    return resource.orElseThrow(Attributes.BadException::new);
  }

  private Sensor make(PointPart part) throws Attributes.BadException, UndecodableException {
    Map<String, String> ofResource = ofResource();
    Map<String, String> own = new HashMap<>();
    for (int i = 0; i < 2 * count; i += 2) {
      attributes.add(slices[i], slices[i + 1], own);
    }
    Map<String, String> labels = new HashMap<>();
    settings.resource().forEach(name -> labels.put(name, ofResource.getOrDefault(name, "")));
    labels.putAll(own);
    String scope = attributes.text(scopeFrom, scopeTo, SCOPE_NAME);
    String unit = Attributes.text(body, unitFrom, unitTo);
    String name = Attributes.text(body, nameFrom, nameTo);
    return LabelSeries.of(name.isEmpty() ? name : name + part.suffix(), labels)
        .sensor(
            settings.template(),
            client,
            (what, argument) ->
                switch (what) {
                  case "attr" -> own.get(argument);
                  case "resource" -> ofResource.get(argument);
                  case "scope" -> scope;
                  case "unit" -> unit;
                  default -> null;
                });
  }
}
