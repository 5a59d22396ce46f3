package io.weir.internal.input.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.input.http.ConnectionPlaces.State;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionPlacesTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(6);

  private final ConnectionPlaces<String> places = new ConnectionPlaces<>(4);

  @Test
  void addressWithTheMost_losesOneOfItsConnections() {
    places.opened("neighbour", "b", 0);
    for (int i = 0; i < 3; i++) {
      places.opened("a" + i, "a", 1 + i);
      places.set("a" + i, State.BODY, 1 + i);
    }

    assertThat(places.opened("other", "c", 10)).contains("a0");
    places.closed("a0");
    assertThat(places.opened("a3", "a", 11)).contains("a3");
  }

  @Test
  void silentConnections_giveWayToOneOfTheirAddress() {
    for (int i = 0; i < 4; i++) {
      places.opened("a" + i, "a", i);
    }
    places.set("a0", State.WAITING, 5);
    places.set("a1", State.SILENT, 6);

    assertThat(places.opened("new", "a", 10)).contains("a2");
  }

  @Test
  void slowBodies_giveWayToOneOfTheirAddress_afterAWhile() {
    for (int i = 0; i < 4; i++) {
      places.opened("a" + i, "a", i);
      places.set("a" + i, i == 1 ? State.BODY : State.SILENT, i);
    }

    assertThat(places.opened("new", "a", 10)).contains("new");
    places.closed("new");
    assertThat(places.opened("new", "a", LONG)).contains("a1");
  }

  @Test
  void requestsThatWait_keepTheirPlaces() {
    for (int i = 0; i < 4; i++) {
      places.opened("a" + i, "a", i);
      places.set("a" + i, State.WAITING, i);
    }

    assertThat(places.opened("new", "b", LONG)).contains("new");
  }
}
