package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.explain.ExplainSettings;
import io.weir.internal.explain.Explainer;
import io.weir.internal.explain.Explanation;
import io.weir.internal.explain.Explanation.Verdict;
import io.weir.internal.window.WindowSpec;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/**
 * {@code weir explain} of the windows of seeded histories, as they would be on the topics: each
 * emitted window, rollup and hopping window matches, and one with a wrong number differs.
 *
 * <p>{@code -Dweir.explained=N} sets how many histories, {@code -Dweir.seed=S} the first one.
 */
class ExplainHistoryTest {
  private static final int HISTORIES = Integer.getInteger("weir.explained", 150);
  private static final long FIRST_SEED = Long.getLong("weir.seed", 1);
  private static final List<String> TOPICS =
      List.of("weir.windows", "weir.rollups", "weir.hopping");

  private record Key(String topic, String sensorId, long startMs, long sizeMs) {}

  private final Set<Explanation.Fate> fates = new HashSet<>();
  private long explained;
  private long unsure;
  private long planted;

  @Test
  void everyWindow_matches_andAWrongNumberDiffers() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      try {
        check(new RandomHistory(seed), new Random(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + " (-Dweir.seed=" + seed + ")", e);
      }
    }
    if (HISTORIES >= 100) {
      assertThat(fates)
          .contains(
              Explanation.Fate.COUNTED,
              Explanation.Fate.PENDING,
              Explanation.Fate.DUPLICATE,
              Explanation.Fate.LATE,
              Explanation.Fate.WITHHELD,
              Explanation.Fate.REFUSED);
      assertThat(planted).isGreaterThan(HISTORIES);
      assertThat(unsure).isLessThan(explained / 50);
    }
  }

  private void check(RandomHistory history, Random random) {
    Recording recording = history.record();
    history.run();
    for (String topic : TOPICS) {
      ExplainSettings settings = settings(history, topic.equals("weir.hopping"));
      Set<Key> keys = new HashSet<>();
      for (ConsumerRecord<byte[], byte[]> record : recording.of(topic)) {
        WindowSummary window = summary(record);
        keys.add(
            new Key(
                topic,
                window.getSensorId(),
                window.getWindowStartMs(),
                window.getWindowEndMs() - window.getWindowStartMs()));
      }
      for (Key key : keys) {
        explained++;
        Explanation explanation = explain(settings, recording, key);
        explanation.rows().forEach(row -> fates.add(row.fate()));
        if (explanation.verdict() == Verdict.CANNOT_TELL) {
          unsure++;
          assertThat(explanation.detail())
              .as("%s: %s", key, explanation)
              .contains("silent for long");
        } else {
          assertThat(explanation.verdict())
              .as("%s: %s%n%s", key, explanation.detail(), explanation)
              .isEqualTo(Verdict.MATCHES);
        }
        if (random.nextInt(5) == 0) {
          plantWrongNumber(settings, recording, key, random);
        }
      }
    }
  }

  private void plantWrongNumber(
      ExplainSettings settings, Recording recording, Key key, Random random) {
    List<ConsumerRecord<byte[], byte[]>> records = recording.of(key.topic());
    int last = records.size() - 1;
    while (!isOf(summary(records.get(last)), key)) {
      last--;
    }
    ConsumerRecord<byte[], byte[]> right = records.get(last);
    WindowSummary.Builder wrong = summary(right).toBuilder();
    switch (wrong.getCount() == 0 ? 0 : random.nextInt(4)) {
      case 0 -> wrong.setBadCount(wrong.getBadCount() + 1_000);
      case 1 -> wrong.setSum(Math.nextUp(wrong.getSum()));
      case 2 -> wrong.setMax(Math.nextUp(wrong.getMax()));
      default -> wrong.setMean(Math.nextDown(wrong.getMean()));
    }
    records.set(last, with(right, wrong.build().toByteArray()));
    Explanation explanation = explain(settings, recording, key);
    assertThat(explanation.verdict()).as("%s", explanation).isNotEqualTo(Verdict.MATCHES);
    if (explanation.verdict() == Verdict.DIFFERS) {
      planted++;
    }
    records.set(last, right);
  }

  private static boolean isOf(WindowSummary window, Key key) {
    return window.getSensorId().equals(key.sensorId())
        && window.getWindowStartMs() == key.startMs()
        && window.getWindowEndMs() - window.getWindowStartMs() == key.sizeMs();
  }

  private static ConsumerRecord<byte[], byte[]> with(
      ConsumerRecord<byte[], byte[]> record, byte[] value) {
    return new ConsumerRecord<>(
        record.topic(),
        0,
        record.offset(),
        record.timestamp(),
        record.timestampType(),
        0,
        value.length,
        record.key(),
        value,
        record.headers(),
        record.leaderEpoch());
  }

  private static Explanation explain(ExplainSettings settings, Recording recording, Key key) {
    return Explainer.explain(
        settings, recording, key.sensorId(), key.startMs(), OptionalLong.of(key.sizeMs()));
  }

  private static WindowSummary summary(ConsumerRecord<byte[], byte[]> record) {
    try {
      return WindowSummary.parseFrom(record.value());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ExplainSettings settings(RandomHistory history, boolean hopping) {
    WindowSpec spec = history.spec();
    return new ExplainSettings(
        topic -> "weir." + topic.text(),
        spec.sizeMs(),
        spec.graceMs(),
        spec.latenessMs(),
        spec.idleTimeoutMs(),
        history.rules().maxFutureSkewMs(),
        hopping ? List.of() : spec.rollups().sizesMs(),
        spec.hopping().lengthMs(),
        spec.sensorTtlMs() + spec.markTtlMs(),
        history.rules().gatewayTtlMs() + history.rules().gatewayMarkTtlMs(),
        false,
        Long.MAX_VALUE);
  }
}
