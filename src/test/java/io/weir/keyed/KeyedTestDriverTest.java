package io.weir.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.keyed.KeyedTestDriver.DeadLetter;
import io.weir.v1.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyedTestDriverTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final StringDeserializer TEXT = new StringDeserializer();

  private KeyedTestDriver driver;

  @AfterEach
  void close() {
    if (driver != null) {
      driver.close();
    }
  }

  /** Likes of posts: the number is the state; their account gets an event for each. */
  private static final class Posts implements KeyHandler {
    private int inField;

    @Override
    public void start(KeyContext key) {
      key.schedule("silence", Duration.ofMinutes(5));
    }

    @Override
    public Outcome event(KeyContext key, Event event) {
      if (event.getType().equals("fail")) {
        throw new IllegalStateException("no server");
      }
      inField++;
      String before = key.state(Serdes.String());
      long likes = before == null ? 0 : Long.parseLong(before);
      key.setState(Serdes.String(), "" + (likes + 1));
      key.schedule("silence", Duration.ofMinutes(5));
      if (!event.getSubject().isEmpty()) {
        key.send(Event.newBuilder().setKey(event.getSubject()).setType("like").build());
        key.sendAt(Event.newBuilder().setKey("mail").build(), key.now().toEpochMilli() + 1_000);
      }
      return event.getType().equals("delete") ? Outcome.DONE : Outcome.CONTINUE;
    }

    @Override
    public Outcome timer(KeyContext key, String id, long dueMs) {
      key.emit("alarms", key.key(), id + " " + inField);
      return Outcome.CONTINUE;
    }
  }

  private KeyedApplication.Builder posts() {
    return KeyedApplication.builder("posts", Posts::new)
        .output("alarms", new StringSerializer(), new StringSerializer());
  }

  private void open(KeyedApplication.Builder application) {
    driver = KeyedTestDriver.of(application, START);
  }

  private Event event(String key, String type) {
    return Event.newBuilder()
        .setKey(key)
        .setType(type)
        .setTimestampMs(driver.now().toEpochMilli())
        .build();
  }

  @Test
  void keysOfEveryPartition_haveTheirStateAndTimers() {
    open(posts());
    for (int i = 0; i < 100; i++) {
      driver.send(event("post_" + i, "like"), event("post_" + i, "like"));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(driver.state("post_" + i, Serdes.String())).isEqualTo("2");
      assertThat(driver.timers("post_" + i))
          .containsOnlyKeys("silence")
          .containsValue(START.plus(Duration.ofMinutes(5)));
      assertThat(driver.startedAt("post_" + i)).contains(START);
    }
    assertThat(driver.deadLetters()).isEmpty();
    assertThat(driver.state("post_100")).isNull();
    assertThat(driver.startedAt("post_100")).isEmpty();
  }

  @Test
  void timer_firesAtItsTime_andNotBefore() {
    open(posts());
    driver.send(event("post_1", "like"));
    driver.advance(Duration.ofMinutes(5).minusMillis(1));
    assertThat(driver.emitted("alarms", TEXT, TEXT)).isEmpty();
    driver.advance(Duration.ofMillis(1));
    List<ProducerRecord<String, String>> alarms = driver.emitted("alarms", TEXT, TEXT);
    assertThat(alarms).hasSize(1);
    assertThat(alarms.get(0).key()).isEqualTo("post_1");
    assertThat(alarms.get(0).value()).isEqualTo("silence 1");
    assertThat(alarms.get(0).partition()).isNull();
    assertThat(alarms.get(0).timestamp()).isEqualTo(driver.now().toEpochMilli());
    assertThat(driver.emitted("alarms", TEXT, TEXT)).isEmpty();
  }

  @Test
  void eventsToOtherKeys_areHandled_andRead() {
    open(posts());
    driver.send(
        event("post_1", "like").toBuilder().setSubject("account_1").build(),
        event("post_2", "like").toBuilder().setSubject("account_1").build(),
        event("post_2", "like").toBuilder().setSubject("account_2").build());
    assertThat(driver.state("account_1", Serdes.String())).isEqualTo("2");
    assertThat(driver.state("account_2", Serdes.String())).isEqualTo("1");
    assertThat(driver.sent())
        .extracting(Event::getKey)
        .containsExactly("account_1", "account_1", "account_2");
    assertThat(driver.scheduled())
        .extracting(Event::getDueMs)
        .containsOnly(START.toEpochMilli() + 1_000);
  }

  @Test
  void startAtTheEnd_leavesOutNothingThatComesLater_alsoAfterARestart() {
    open(posts().startAt(StartAt.END));
    driver.send(event("post_1", "like"));
    driver.restart(Duration.ofMinutes(1));
    driver.send(event("post_1", "like"), event("post_2", "like"));
    assertThat(driver.state("post_1", Serdes.String())).isEqualTo("2");
    assertThat(driver.state("post_2", Serdes.String())).isEqualTo("1");
  }

  @Test
  void failedCall_isRetried_andThenADeadLetter() {
    open(posts().retry(3, Duration.ofSeconds(1), Duration.ofSeconds(10)));
    driver.send(event("post_1", "fail"));
    assertThat(driver.deadLetters()).isEmpty();
    driver.send(event("post_1", "like"));
    assertThat(driver.state("post_1")).isNull();
    driver.advance(Duration.ofSeconds(3));
    List<DeadLetter> deadLetters = driver.deadLetters();
    assertThat(deadLetters).hasSize(1);
    assertThat(deadLetters.get(0).reason()).isEqualTo("HANDLER");
    assertThat(deadLetters.get(0).message()).contains("no server");
    assertThat(deadLetters.get(0).event().getType()).isEqualTo("fail");
    assertThat(driver.state("post_1", Serdes.String())).isEqualTo("1");
  }

  @Test
  void idleKey_ends() {
    open(
        KeyedApplication.builder(
                "plain", () -> new HandlerFixture.EventOnly((k, e) -> Outcome.CONTINUE))
            .idleEnd(Duration.ofHours(2)));
    driver.send(event("a", "x"));
    driver.advance(Duration.ofHours(2).minusSeconds(1));
    assertThat(driver.startedAt("a")).isPresent();
    driver.advance(Duration.ofSeconds(2));
    assertThat(driver.startedAt("a")).isEmpty();
  }

  @Test
  void restart_keepsStateAndUnreadRecords_andDropsFields() {
    open(posts());
    driver.send(event("post_1", "like"), event("post_1", "like"));
    driver.send(event("post_1", "like").toBuilder().setTimestampMs(0).build());
    driver.restart(Duration.ofMinutes(6));
    assertThat(driver.state("post_1", Serdes.String())).isEqualTo("2");
    driver.advance(Duration.ofSeconds(1));
    assertThat(driver.emitted("alarms", TEXT, TEXT))
        .extracting(ProducerRecord::value)
        .containsExactly("silence 0");
    assertThat(driver.deadLetters())
        .extracting(DeadLetter::reason)
        .containsExactly("INVALID_TIMESTAMP");
  }

  @Test
  void wrongUse_isRefused() {
    open(posts().retry(1).onFailure(OnFailure.STOP));
    assertThatThrownBy(() -> driver.emitted("other", TEXT, TEXT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[alarms]");
    assertThatThrownBy(() -> driver.advance(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    driver.send(event("post_1", "fail"));
    assertThat(driver.stopped()).hasValueSatisfying(why -> assertThat(why).contains("no server"));
    assertThatThrownBy(() -> driver.send(event("post_1", "like")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no server");
  }
}
