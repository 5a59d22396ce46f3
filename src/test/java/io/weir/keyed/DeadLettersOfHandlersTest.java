package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.permission.PermissionFile;
import io.weir.internal.permission.Permissions;
import io.weir.internal.topology.SenderRules;
import io.weir.keyed.KeyedDriver.DeadLetter;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.signing.BatchSigner;
import io.weir.signing.MasterKey;
import io.weir.signing.MasterKeys;
import io.weir.signing.SigningMode;
import io.weir.signing.SigningPolicy;
import io.weir.topic.Topic;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dead letters of handlers name the gateway of their event, which a redrive sends it for. */
class DeadLettersOfHandlersTest extends HandlerFixture {
  private static final String GATEWAY = "g";
  private static final String OWN = "weir/handlers/0";
  private static final MasterKey MASTER =
      new MasterKey("m", new byte[32], Long.MIN_VALUE, Long.MAX_VALUE);
  private static final Permissions FILE =
      PermissionFile.parse(
          "gateways.yaml", "gateways: [{gateway: g, keys: ['" + KEY + "']}]", true);

  private final List<String> handled = new ArrayList<>();
  private boolean fails = true;
  private SigningMode mode = SigningMode.OFF;
  private int sequence;

  private Outcome handle(KeyContext key, Event event) {
    if (event.getType().equals("schedule")) {
      Event due = Event.newBuilder().setType("due").setExpiresMs(driver.nowMs() + 5_000).build();
      key.schedule("t", Duration.ofSeconds(1), due);
    } else if (fails) {
      throw new IllegalStateException("no server");
    }
    handled.add(event.getType());
    return Outcome.CONTINUE;
  }

  private void open(SigningMode ofSigning, Options options) {
    mode = ofSigning;
    open(options, this::handle);
    driver.senders(
        new SenderRules(
            new SigningPolicy(mode, MasterKeys.of(List.of(MASTER))), Optional.of(() -> FILE)));
    driver.restart(0);
  }

  private void send(String type) {
    EventBatch batch =
        EventBatch.newBuilder()
            .setGatewayId(GATEWAY)
            .setBootId(driver.nowMs() << 20)
            .setSequence(++sequence)
            .addEvents(event(type))
            .build();
    Headers headers = new RecordHeaders();
    byte[] value = batch.toByteArray();
    if (mode != SigningMode.OFF) {
      BatchSigner.of(Topic.EVENTS.defaultName(), MASTER.gatewayKey(GATEWAY, 1))
          .sign(0, value, headers);
    }
    driver.pipe(value, headers);
  }

  /** As a redrive does. */
  private void redrive(DeadLetter deadLetter) {
    Event event = deadLetter.event().toBuilder().clearExpiresMs().build();
    String gateway = deadLetter.gateway() == null ? "" : deadLetter.gateway();
    byte[] value =
        EventBatch.newBuilder().setGatewayId(gateway).addEvents(event).build().toByteArray();
    Headers headers =
        DeadLetterHeaders.ofRedrive(new Origin(Topic.DEAD_LETTERS.defaultName(), 0, 7), "handlers");
    if (mode != SigningMode.OFF) {
      BatchSigner.ofRedrive(Topic.EVENTS.defaultName(), MASTER).sign(0, value, headers);
    }
    driver.pipe(value, headers);
  }

  private DeadLetter only(EventRefusal reason) {
    List<DeadLetter> deadLetters = driver.deadLetters();
    assertThat(deadLetters).extracting(DeadLetter::reason).containsExactly(reason.name());
    return deadLetters.get(0);
  }

  @ParameterizedTest
  @EnumSource(SigningMode.class)
  void eventWhoseCallFailed_canBeSentAgain(SigningMode each) {
    open(each, Options.DEFAULT);
    send("a");
    DeadLetter deadLetter = only(EventRefusal.HANDLER);
    assertThat(deadLetter.gateway()).isEqualTo(GATEWAY);
    fails = false;
    redrive(deadLetter);
    assertThat(handled).containsExactly("a");
    assertThat(driver.reasons()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(SigningMode.class)
  void eventThatWaitedAndWasRepeated_canBeSentAgain_andItsDeadLetterNamesItsOffset(
      SigningMode each) {
    open(each, Options.DEFAULT.retries(new Retries(2, 1_000, 1_000)));
    send("a");
    send("b");
    driver.restart(1);
    driver.silence(60_000);
    List<DeadLetter> deadLetters = driver.deadLetters();
    assertThat(deadLetters)
        .extracting(it -> it.event().getType() + " " + it.gateway() + " " + it.reason())
        .containsExactly("a g HANDLER", "b g HANDLER");
    DeadLetter first = deadLetters.get(0);
    DeadLetter second = deadLetters.get(1);
    assertThat(Long.parseLong(second.offset())).isEqualTo(Long.parseLong(first.offset()) + 1);
    fails = false;
    redrive(first);
    redrive(second);
    assertThat(handled).containsExactly("a", "b");
    assertThat(driver.reasons()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(SigningMode.class)
  void eventOfATimer_thatExpired_canBeSentAgain(SigningMode each) {
    open(each, Options.DEFAULT);
    send("schedule");
    driver.pass(10_000);
    send("a");
    List<DeadLetter> deadLetters = driver.deadLetters();
    assertThat(deadLetters)
        .extracting(DeadLetter::reason)
        .containsExactly(EventRefusal.EXPIRED_EVENT.name(), EventRefusal.HANDLER.name());
    assertThat(deadLetters.get(0).gateway()).isEqualTo(OWN);
    fails = false;
    redrive(deadLetters.get(0));
    assertThat(handled).containsExactly("schedule", "due");
    assertThat(driver.reasons()).isEmpty();
  }

  @Test
  void failedTimersAndIdleEnds_nameTheApplicationsOwnGateway() {
    driver =
        new KeyedDriver(
            Options.DEFAULT.idleMs(60_000),
            () ->
                new KeyHandler() {
                  @Override
                  public void start(KeyContext key) {
                    key.schedule("t", Duration.ofSeconds(1));
                  }

                  @Override
                  public Outcome event(KeyContext key, Event event) {
                    if (fails && event.getId().equals("t")) {
                      fails = false;
                      throw new IllegalStateException("no server");
                    }
                    return Outcome.CONTINUE;
                  }

                  @Override
                  public void end(KeyContext key, EndReason reason) {
                    throw new IllegalStateException("no server");
                  }
                });
    send("a");
    driver.silence(150_000);
    assertThat(driver.deadLetters())
        .hasSizeGreaterThan(1)
        .allSatisfy(
            deadLetter -> {
              assertThat(deadLetter.reason()).isEqualTo(EventRefusal.HANDLER_RETRY.name());
              assertThat(deadLetter.gateway()).isEqualTo(OWN);
            });
  }
}
