package io.weir.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.internal.ops.EventMetric;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.lab.oracle.NaiveKeys;
import io.weir.lab.oracle.ScriptedHandler;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Handlers over random histories and restarts, compared with a naive map. */
class RandomHandlersTest {
  private static final int HISTORIES = Integer.getInteger("weir.histories", 40);
  private static final List<String> KEYS = KeyedDriver.keys(4);
  private static final String[] WORDS = {"a", "a", "e", "e", "-", "n", "c:1", "c:3", "a", "f", "e"};

  @Test
  void anyHistory_isThatOfANaiveMap() {
    Seeds.forEach(HISTORIES, RandomHandlersTest::history);
  }

  private static void history(Random random) {
    StartOn startOn = StartOn.values()[random.nextInt(2)];
    long idleMs = 1_000 + random.nextInt(40_000);
    int mostWaiting = 1 + random.nextInt(5);
    Options options =
        Options.DEFAULT
            .startOn(startOn)
            .idleMs(idleMs)
            .limits(new KeyedLimits(100, mostWaiting, 1 << 20, 1 << 30));
    NaiveKeys naive = new NaiveKeys(startOn, idleMs, mostWaiting);
    try (KeyedDriver driver = new KeyedDriver(options, ScriptedHandler::new)) {
      driver.onTick(atMs -> naive.record(atMs, List.of()));
      int subjects = 0;
      for (int step = 0; step < 120; step++) {
        switch (random.nextInt(8)) {
          case 0 -> driver.restart(random.nextInt(90_000));
          case 1 -> driver.silence(100L * random.nextInt(400));
          default -> {
            driver.pass(random.nextInt(1_500));
            EventBatch.Builder batch = EventBatch.newBuilder();
            for (int n = random.nextInt(5); n > 0; n--) {
              batch.addEvents(event(random, driver.nowMs(), "" + (char) ('A' + subjects++ % 26)));
            }
            naive.record(driver.nowMs(), batch.getEventsList());
            driver.send(batch.build());
          }
        }
        compare(driver, naive);
      }
    }
  }

  private static Event event(Random random, long nowMs, String subject) {
    int use = random.nextInt(10);
    return Event.newBuilder()
        .setExpiresMs(use == 0 ? nowMs - 1 : use < 4 ? nowMs + random.nextInt(5_000) : 0)
        .setKey(KEYS.get(random.nextInt(KEYS.size())))
        .setSubject(subject)
        .setStart(random.nextInt(3) == 0)
        .setTimestampMs(nowMs)
        .setType(script(random))
        .build();
  }

  private static String script(Random random) {
    List<String> words = new ArrayList<>();
    for (int n = random.nextInt(4); n >= 0; n--) {
      words.add(
          switch (random.nextInt(12)) {
            case 0, 1, 2 -> timer(random);
            case 3 -> random.nextInt(3) == 0 ? "x" : "a";
            case 4 -> random.nextInt(3) == 0 ? "d" : "e";
            case 5 -> random.nextInt(8) == 0 ? "0" : "a";
            default -> WORDS[random.nextInt(WORDS.length)];
          });
    }
    return String.join(" ", words);
  }

  private static String timer(Random random) {
    long inMs = random.nextInt(6_000) - 1_000;
    String then =
        switch (random.nextInt(6)) {
          case 0 -> "x";
          case 3 -> "f_a_e_r:3:1700";
          case 1 -> "d";
          case 2 -> "a_e_t:3:2000:e_a";
          default -> "a_e";
        };
    return (random.nextInt(4) == 0 ? "s:" : "t:")
        + (1 + random.nextInt(3))
        + ":"
        + inMs
        + ":"
        + then;
  }

  private static void compare(KeyedDriver driver, NaiveKeys naive) {
    // In order for each key; keys that are idle at one time end in any order.
    Comparator<String> byKey = Comparator.comparing(out -> out.substring(0, out.indexOf('=')));
    assertThat(driver.out().stream().map(out -> out.key() + "=" + out.value()).sorted(byKey))
        .containsExactlyElementsOf(naive.out().stream().sorted(byKey).toList());
    // What is refused before a handler saw it leaves with the end of its record.
    assertThat(driver.deadLetters().stream().map(l -> l.reason() + " " + l.event().getSubject()))
        .containsExactlyInAnyOrderElementsOf(naive.deadLetters());
    assertThat(driver.metric(EventMetric.HANDLER_KEYS)).isLessThanOrEqualTo(KEYS.size());
  }
}
