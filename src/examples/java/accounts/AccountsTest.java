package accounts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.keyed.KeyedTestDriver;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link Posts} and {@link Accounts} without a broker and without the service. */
class AccountsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final List<String> calls = new ArrayList<>();
  private int failures;

  private final KeyedTestDriver posts = KeyedTestDriver.of(Posts.application(), NOW);
  private final KeyedTestDriver accounts =
      KeyedTestDriver.of(Accounts.application(this::tell), NOW);

  @AfterEach
  void close() {
    posts.close();
    accounts.close();
  }

  private void tell(String account, String id) {
    calls.add(account + " " + id);
    if (failures > 0) {
      failures--;
      throw new IllegalStateException("the service is away");
    }
  }

  private void like(String post, String account) {
    Value name = Value.newBuilder().setStringValue(account).build();
    Event liked =
        Event.newBuilder()
            .setKey(post)
            .setType("liked")
            .setTimestampMs(posts.now().toEpochMilli())
            .putFields("account", name)
            .build();
    posts.send(liked);
    accounts.send(liked); // It reads the same topic.
    accounts.send(posts.sent().toArray(Event[]::new));
  }

  private Long activities(String account) {
    return accounts.state(account, Serdes.Long());
  }

  private List<ProducerRecord<String, Long>> alarms() {
    return accounts.emitted(Accounts.ALARMS, new StringDeserializer(), new LongDeserializer());
  }

  @Test
  void activitiesOfAllPosts_areStateOfTheirAccount() {
    like("post-1", "ann");
    like("post-2", "ann");
    like("post-3", "bob");
    assertEquals(2L, activities("ann"));
    assertEquals(1L, activities("bob"));
    assertEquals(null, accounts.state("post-1"));
  }

  @Test
  void accountWithoutActivityForAnHour_isAnAlarm() {
    like("post-1", "ann");
    accounts.advance(Duration.ofMinutes(59));
    assertEquals(List.of(), alarms());
    accounts.advance(Duration.ofMinutes(1));
    assertEquals("ann", alarms().get(0).key());
  }

  @Test
  void callThatFails_isMadeAgain_withTheSameId_andCountsOnce() {
    failures = 2;
    like("post-1", "ann");
    accounts.advance(Duration.ofSeconds(10));
    assertEquals(3, calls.size());
    assertEquals(calls.get(0), calls.get(2));
    assertEquals(1L, activities("ann"));
    assertEquals(List.of(), accounts.deadLetters());
  }
}
