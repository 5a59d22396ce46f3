package io.weir.internal.group;

import io.weir.internal.group.GroupWindow.Name;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What groups must do: keeps every part, and looks at all of them each time. */
public final class NaiveGroups {
  /** What was emitted. */
  public record Emission(Name window, GroupTotal total, int revision) {}

  private static final class Window {
    private final Map<String, SensorPart> parts = new LinkedHashMap<>();
    private int revision;
    private Long firstChangeMs;
    private long lastChangeMs;
  }

  private final GroupSpec spec;
  private final Map<Name, Window> windows = new LinkedHashMap<>();
  private final Set<Name> dropped = new HashSet<>();
  private final List<Emission> emitted = new ArrayList<>();

  public NaiveGroups(GroupSpec spec) {
    this.spec = spec;
  }

  public Groups.Outcome put(Name name, String sensorId, SensorPart part, long logMs) {
    doDue(name, logMs);
    if (dropped.contains(name)) {
      return Groups.Outcome.WINDOW_DROPPED;
    }
    Window window = windows.getOrDefault(name, new Window());
    if (part.equals(window.parts.get(sensorId))) {
      return Groups.Outcome.UNCHANGED;
    }
    if (!window.parts.containsKey(sensorId) && window.parts.size() == spec.maxSensors()) {
      return Groups.Outcome.TOO_MANY_SENSORS;
    }
    window.parts.put(sensorId, part);
    window.firstChangeMs =
        window.firstChangeMs == null ? Long.valueOf(logMs) : window.firstChangeMs;
    window.lastChangeMs = logMs;
    windows.put(name, window);
    while (bytes("") > spec.maxBytes()) {
      giveUp();
    }
    return Groups.Outcome.TAKEN;
  }

  /** The oldest window of whoever has most and more than an eighth, or of all. */
  private void giveUp() {
    String payer = "";
    for (Name name : windows.keySet()) {
      String writer = name.group().split("/", 2)[0] + "/";
      long more = bytes(writer) - (payer.isEmpty() ? spec.maxBytes() / 8 : bytes(payer));
      if (more > 0 || more == 0 && !payer.isEmpty() && writer.compareTo(payer) < 0) {
        payer = writer;
      }
    }
    Name oldest = null;
    for (Name name : windows.keySet()) {
      if ((name.group() + "/").startsWith(payer) && (oldest == null || isOlder(name, oldest))) {
        oldest = name;
      }
    }
    Window window = windows.remove(oldest);
    if (window.firstChangeMs != null) {
      emitted.add(new Emission(oldest, total(window.parts), window.revision));
    }
    dropped.add(oldest);
  }

  private boolean isOlder(Name name, Name than) {
    Comparator<Name> order =
        Comparator.comparingLong((Name each) -> windows.get(each).lastChangeMs)
            .thenComparing(Name::group)
            .thenComparing(Name::startMs)
            .thenComparing(Name::endMs);
    return order.compare(name, than) < 0;
  }

  /** Of the windows of a writer, whose name ends with a slash here. */
  private long bytes(String writer) {
    long bytes = 0;
    for (Map.Entry<Name, Window> each : windows.entrySet()) {
      String group = each.getKey().group();
      if ((group + "/").startsWith(writer)) {
        bytes += 600 + 2L * group.length();
        for (Map.Entry<String, SensorPart> part : each.getValue().parts.entrySet()) {
          bytes += part.getValue().memoryBytes(part.getKey());
        }
      }
    }
    return bytes;
  }

  public void doDue(long logMs) {
    List.copyOf(windows.keySet()).forEach(name -> doDue(name, logMs));
  }

  private void doDue(Name name, long logMs) {
    Window window = windows.get(name);
    if (window == null) {
      return;
    }
    boolean gone = window.lastChangeMs + spec.keepMs() <= logMs;
    boolean rests = window.lastChangeMs + spec.quietMs() <= logMs;
    if (window.firstChangeMs != null
        && (gone || rests || window.firstChangeMs + spec.holdMs() <= logMs)) {
      emitted.add(new Emission(name, total(window.parts), window.revision++));
      window.firstChangeMs = null;
    }
    if (gone) {
      windows.remove(name);
      dropped.add(name);
    }
  }

  /** The parts' sum, as numbers without a limit add up. */
  public static GroupTotal total(Map<String, SensorPart> parts) {
    List<Map.Entry<String, SensorPart>> withReadings =
        parts.entrySet().stream().filter(part -> part.getValue().count() > 0).toList();
    BigDecimal sum = BigDecimal.ZERO;
    Double infinite = null;
    for (Map.Entry<String, SensorPart> entry : withReadings) {
      SensorPart part = entry.getValue();
      if (Double.isInfinite(part.sum())) {
        infinite = infinite == null || part.sum() > 0 ? Double.valueOf(part.sum()) : infinite;
        continue;
      }
      sum = sum.add(new BigDecimal(part.sum()));
      for (int i = 0; i < part.restSize(); i++) {
        sum = sum.add(new BigDecimal(part.rest(i)));
      }
    }
    Comparator<Map.Entry<String, SensorPart>> byId =
        (a, b) ->
            Arrays.compareUnsigned(
                a.getKey().getBytes(StandardCharsets.UTF_8),
                b.getKey().getBytes(StandardCharsets.UTF_8));
    Comparator<Map.Entry<String, SensorPart>> byMin =
        Comparator.comparingDouble(part -> part.getValue().min());
    Comparator<Map.Entry<String, SensorPart>> byMax =
        Comparator.comparingDouble(part -> -part.getValue().max());
    Map.Entry<String, SensorPart> least =
        withReadings.stream().min(byMin.thenComparing(byId)).orElse(null);
    Map.Entry<String, SensorPart> most =
        withReadings.stream().min(byMax.thenComparing(byId)).orElse(null);
    return new GroupTotal(
        parts.size(),
        withReadings.stream().mapToLong(part -> part.getValue().count()).sum(),
        parts.values().stream().mapToLong(SensorPart::badCount).sum(),
        infinite == null ? sum.doubleValue() : infinite,
        least == null ? 0 : least.getValue().min(),
        most == null ? 0 : most.getValue().max(),
        least == null ? "" : least.getKey(),
        most == null ? "" : most.getKey());
  }

  public List<Emission> emitted() {
    return emitted;
  }
}
