package io.weir.internal.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BoundedPlacesTest {
  private final BoundedPlaces<String> places = new BoundedPlaces<>(1_000, 10_000, String::length);

  @Test
  void lastEntryOfAPlace_isFound() {
    places.put(7, "a");
    places.put(7, "b");
    assertThat(places.get(7)).isEqualTo("b");
    assertThat(places.get(8)).isNull();
    assertThat(places.bytes()).isEqualTo(201);
  }

  @Test
  void largeEntries_displaceOthers_andNeverExceedTheMemory() {
    for (int place = 0; place < 1_000; place++) {
      places.put(place, "x".repeat(100));
      assertThat(places.bytes()).isLessThanOrEqualTo(10_000);
    }
    places.put(3, "x".repeat(9_000));
    assertThat(places.bytes()).isLessThanOrEqualTo(10_000);
    places.put(4, "x".repeat(20_000));
    assertThat(places.bytes()).isZero();
    places.put(5, "small");
    assertThat(places.get(5)).isEqualTo("small");
  }
}
