package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

@SuppressWarnings("deprecation") // What is deprecated must go on working.
class PublisherStartTest {
  private static final long KEPT = 1_782_579_200_000L << 20;
  private static final PublisherState STATE =
      new PublisherState("gateway-7", KEPT, Collections.nCopies(64, 3L), List.of());

  @Test
  void startsAfterTheSameState_withAClockThatIsBehind_haveBootIdsOfTheirOwn() {
    Random random = new Random(7);
    Set<Long> bootIds = new HashSet<>();
    for (int start = 0; start < 1_000; start++) {
      bootIds.add(PublisherStart.after(STATE).bootId(0, random.nextLong()));
    }

    assertThat(bootIds).hasSize(1_000).allMatch(bootId -> bootId > KEPT);
    assertThat(Collections.max(bootIds)).isLessThan(KEPT + (5_000L << 20));
  }

  @Test
  void startAfterAState_withAClockAhead_takesTheClock() {
    long bootId = PublisherStart.after(STATE).bootId((KEPT >> 20) + 1_000_000, 5);

    assertThat(bootId >> 20).isBetween((KEPT >> 20) + 1_000_000, (KEPT >> 20) + 1_005_000);
  }

  @Test
  void settingsWithAState_startOnePublisherAndNoSecond() {
    PublisherSettings settings =
        PublisherSettings.builder("gateway-7")
            .bootstrapServers("localhost:1")
            .resumeFrom(STATE)
            .build();
    ReadingPublisher.start(settings).close(Duration.ZERO);

    assertThatThrownBy(() -> ReadingPublisher.start(settings))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("gateway-7")
        .hasMessageContaining("keepIn");
  }
}
