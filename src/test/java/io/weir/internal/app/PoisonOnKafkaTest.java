package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.Committed;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.lab.AuditTally;
import io.weir.lab.Auditor;
import io.weir.reading.RejectReason;
import io.weir.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Poison end to end over a real broker: each record of it is in the dead-letter topic exactly once
 * with its reason, and the good readings beside it count. {@code -Dweir.poison=N} sets how many,
 * {@code -Dweir.seed=S} which.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PoisonOnKafkaTest {
  private static final int RECORDS = Integer.getInteger("weir.poison", 10_000);
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());

  @TempDir private Path dir;

  @Test
  void poisonOfEveryKind_isInTheDeadLettersOnce_withItsReason() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      try (PoisonedTraffic traffic = new PoisonedTraffic(rig.client(), SEED);
          StreamsApplication application = rig.start()) {
        traffic.sendOversized(5);
        traffic.send(RECORDS);
        await(rig, traffic);
        assertThat(application.ended()).isNotDone();
        check(rig, traffic);
      }
    } catch (AssertionError e) {
      throw new AssertionError("seed " + SEED + " (-Dweir.seed=" + SEED + ")", e);
    }
  }

  /** Everything sound is in windows, and for each poisoned record there is a dead letter. */
  private static void await(AppRig rig, PoisonedTraffic traffic) {
    try (Auditor auditor = rig.auditor()) {
      AuditTally tally = auditor.tally();
      while (tally.inWindows() + tally.late() < traffic.goodReadings()
          || tally.rejected() + tally.poisonRecords() < traffic.expected().size()) {
        Await.pause();
        tally = auditor.tally();
      }
      assertThat(tally.inWindows() + tally.late()).isEqualTo(traffic.goodReadings());
      assertThat(tally.duplicates()).isZero();
    }
  }

  private static void check(AppRig rig, PoisonedTraffic traffic) {
    Map<PoisonedTraffic.Place, RejectReason> found = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> deadLetter :
        Committed.of(rig.bootstrapServers(), List.of(TopicNames.DEFAULT.deadLetters()))) {
      PoisonedTraffic.Place place =
          new PoisonedTraffic.Place(
              Integer.parseInt(header(deadLetter, DeadLetterHeaders.PARTITION)),
              Long.parseLong(header(deadLetter, DeadLetterHeaders.OFFSET)));
      RejectReason reason = RejectReason.valueOf(header(deadLetter, DeadLetterHeaders.REASON));
      assertThat(found.put(place, reason)).as("a second dead letter of %s", place).isNull();
      assertThat(deadLetter.partition()).isEqualTo(place.partition());
    }
    assertThat(found).isEqualTo(traffic.expected());
  }

  private static String header(ConsumerRecord<byte[], byte[]> deadLetter, String name) {
    return new String(deadLetter.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }
}
