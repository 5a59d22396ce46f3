package io.weir.internal.input.http;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Which connection is closed when there are too many: one of the address that has the most, and of
 * these first one without a request, then one whose body has come for long, then one that is
 * silent. A connection whose request waits for its answer stays. Thread-safe.
 *
 * @param <C> connection
 */
final class ConnectionPlaces<C> {
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final int most;
  private final Map<C, Place> places = new LinkedHashMap<>();
  private final Map<String, Integer> byAddress = new HashMap<>();

  ConnectionPlaces(int most) {
    this.most = most;
  }

  /** What a connection does; the earlier the sooner it is closed. */
  enum State {
    /** It has sent no request. */
    NEW,
    /** A body comes. */
    BODY,
    /** Its last request was answered. */
    SILENT,
    /** A request waits for its answer. */
    WAITING
  }

  private static final class Place {
    private final String address;
    private State state = State.NEW;
    private long sinceNanos;

    Place(String address, long sinceNanos) {
      this.address = address;
      this.sinceNanos = sinceNanos;
    }
  }

  /**
   * A connection was opened.
   *
   * @return which one to close, if there are too many; it may be the new one
   */
  synchronized Optional<C> opened(C connection, String address, long nowNanos) {
    places.put(connection, new Place(address, nowNanos));
    int own = byAddress.merge(address, 1, Integer::sum);
    if (places.size() <= most) {
      return Optional.empty();
    }
    int largest = byAddress.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    boolean other = largest > own;
    return places.entrySet().stream()
        .filter(each -> !each.getKey().equals(connection))
        .filter(each -> each.getValue().state != State.WAITING)
        .filter(
            each ->
                other
                    ? byAddress.get(each.getValue().address) == largest
                    : each.getValue().address.equals(address) && givesWay(each, nowNanos))
        .min(
            Comparator.comparing((Map.Entry<C, Place> each) -> each.getValue().state)
                .thenComparingLong(each -> each.getValue().sinceNanos - nowNanos))
        .map(Map.Entry::getKey)
        .or(() -> Optional.of(connection));
  }

  /** To another one of the same address. */
  private boolean givesWay(Map.Entry<C, Place> each, long nowNanos) {
    Place place = each.getValue();
    return place.state == State.NEW || nowNanos - place.sinceNanos > LONG_NANOS;
  }

  synchronized void set(C connection, State state, long nowNanos) {
    Place place = places.get(connection);
    if (place != null) {
      place.state = state;
      place.sinceNanos = nowNanos;
    }
  }

  synchronized void closed(C connection) {
    Place place = places.remove(connection);
    if (place != null) {
      byAddress.computeIfPresent(place.address, (any, count) -> count == 1 ? null : count - 1);
    }
  }

  /** The connections with their states. */
  synchronized Map<C, State> states() {
    Map<C, State> states = new LinkedHashMap<>();
    places.forEach((connection, place) -> states.put(connection, place.state));
    return states;
  }
}
