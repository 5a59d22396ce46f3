package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.KEY;
import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.weir.keyed.KeyedDriver.DeadLetter;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.topic.Topic;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events that a handler sends to other keys. */
class SendTest extends HandlerFixture {
  private static final String ACCOUNT = KeyedDriver.keys(2).get(1);

  /** A post sends its likes to its account; "fail" fails behind it. */
  private void openPosts() {
    open(
        (key, event) -> {
          if (key.key().equals(KEY) && event.getType().startsWith("like")) {
            key.send(Event.newBuilder().setKey(ACCOUNT).setType(event.getType()).build());
            key.sendAt(
                Event.newBuilder().setKey(ACCOUNT).setId("review").build(),
                key.now().toEpochMilli() + 60_000);
          }
          if (event.getType().equals("like-fail")) {
            throw new IllegalStateException("no");
          }
        });
  }

  private static List<Long> sequences(List<EventBatch> batches) {
    return batches.stream().map(EventBatch::getSequence).toList();
  }

  @Test
  void eventsThatAreSent_haveAGatewayAndSequencesOfTheirOwn_alsoAfterARestart() {
    openPosts();
    driver.send(event("like"), event("like-fail"), event("like2"));
    List<EventBatch> first = driver.sent(Topic.EVENTS);
    assertThat(first).hasSize(2).allMatch(batch -> batch.getGatewayId().equals("weir/handlers/0"));
    assertThat(sequences(first)).containsExactly(1L, 2L);
    assertThat(first.get(0).getBootId()).isGreaterThanOrEqualTo(driver.nowMs() << 20);
    assertThat(first.get(0).getEvents(0).getTimestampMs()).isEqualTo(driver.nowMs());
    List<EventBatch> scheduled = driver.sent(Topic.SCHEDULED);
    assertThat(sequences(scheduled)).containsExactly(1L, 2L);
    assertThat(scheduled.get(0).getEvents(0).getDueMs()).isEqualTo(driver.nowMs() + 60_000);
    assertThat(scheduled.get(0).getEvents(0).getId()).isEqualTo("review");
    driver.restart(1_000);
    driver.silence(31_000); // The driver reads the state back once the task has begun.
    driver.send(event("like3"));
    List<EventBatch> after = driver.sent(Topic.EVENTS);
    assertThat(sequences(after)).containsExactly(3L);
    assertThat(after.get(0).getBootId()).isEqualTo(first.get(0).getBootId());
  }

  @Test
  void receiver_countsEachOnce() {
    openPosts();
    for (int i = 0; i < 20; i++) {
      driver.send(event("like"));
    }
    List<EventBatch> sent = new ArrayList<>(driver.sent(Topic.EVENTS));
    long nowMs = driver.nowMs();
    driver.close();
    open((key, event) -> key.emit(OUT, key.key(), event.getType()));
    driver.pass(nowMs - driver.nowMs() + 1);
    sent.forEach(driver::send);
    sent.forEach(driver::send);
    assertThat(driver.out()).hasSize(20).extracting(Out::key).containsOnly(ACCOUNT);
    assertThat(driver.deadLetters()).isEmpty();
  }

  @Test
  void eventThatItsReceiverWouldRefuse_failsTheCall() {
    List<Event> wrong =
        List.of(
            Event.getDefaultInstance(),
            Event.newBuilder().setKey("k".repeat(257)).build(),
            Event.newBuilder().setKey("k").setSubject("s".repeat(257)).build(),
            Event.newBuilder().setKey("k").setCancel(true).build(),
            Event.newBuilder().setKey("k\ud800").build(),
            Event.newBuilder().setKey("k").putFields("f", text("\udc00")).build(),
            Event.newBuilder().setKey("k").setTimestampMs(-1).build(),
            Event.newBuilder().setKey("k").setTimestampMs(5).putFieldTimestampsMs("f", 6).build(),
            Event.newBuilder().setKey("k").putFieldTimestampsMs("f".repeat(257), 6).build(),
            Event.newBuilder().setKey("k").setUnknownFields(large()).build());
    List<Event> wrongLater =
        List.of(
            Event.newBuilder().setKey("k").setDueMs(-1).build(),
            Event.newBuilder().setKey("k").setDueMs(5).setEveryMs(999).build(),
            Event.newBuilder().setKey("k").setDueMs(5).setExpiresMs(4).build(),
            Event.newBuilder().setKey("k").setDueMs(5).putFieldTimestampsMs("f", 6).build());
    open(
        Options.DEFAULT,
        (key, event) -> {
          int number = Integer.parseInt(event.getType());
          if (number < wrong.size()) {
            key.send(wrong.get(number));
          } else {
            Event later = wrongLater.get(number - wrong.size());
            key.sendAt(later, later.getDueMs());
          }
          return Outcome.CONTINUE;
        });
    int all = wrong.size() + wrongLater.size();
    for (int i = 0; i < all; i++) {
      driver.send(event("" + i));
    }
    assertThat(driver.deadLetters())
        .hasSize(all)
        .extracting(DeadLetter::reason)
        .containsOnly("HANDLER");
    assertThat(driver.sent(Topic.EVENTS)).isEmpty();
    assertThat(driver.sent(Topic.SCHEDULED)).isEmpty();
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static UnknownFieldSet large() {
    return UnknownFieldSet.newBuilder()
        .addField(
            1_000,
            UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFrom(new byte[300_000]))
                .build())
        .build();
  }
}
