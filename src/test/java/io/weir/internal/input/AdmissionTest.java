package io.weir.internal.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final int MIB = 1 << 20;

  private final AtomicLong nowNanos = new AtomicLong();
  private final List<String> cut = new ArrayList<>();
  private final Admission admission = new Admission(limits(128, 256 * MIB), nowNanos::get);

  private static InputLimits limits(int requests, long inflight) {
    Duration any = Duration.ofSeconds(1);
    return new InputLimits(32 * MIB, 64 * MIB, requests, inflight, 10, any, any);
  }

  private Admission.Place begin(String sender) {
    return admission.begin(sender, () -> cut.add(sender));
  }

  @Test
  void requestsOfOneSender_leaveRoomForOthers() {
    List<Admission.Place> held = new ArrayList<>();
    Admission.Place next = begin("a");
    while (next.enter()) {
      held.add(next);
      next = begin("a");
    }

    assertThat(held).hasSize(96);
    assertThat(begin("b").enter()).isTrue();
    held.forEach(Admission.Place::leave);
    assertThat(begin("a").enter()).isTrue();
  }

  @Test
  void bodiesThatStillCome_holdNoRequest() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(begin("slow").take(10)).isTrue();
    }

    assertThat(admission.requests()).isZero();
    assertThat(begin("punctual").enter()).isTrue();
  }

  @Test
  void senderWithTheMostMemory_losesTheBodyThatHasComeForLongest() {
    List<Admission.Place> large = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      large.add(begin("a"));
      assertThat(large.get(i).take(32 * MIB)).isTrue();
    }

    assertThat(begin("a").take(1)).isFalse();
    assertThat(begin("b").take(MIB)).isTrue();
    assertThat(cut).containsExactly("a");
    assertThat(large.get(0).enter()).as("it was cut").isFalse();
    assertThat(large.get(0).take(1)).as("it was cut").isFalse();
    assertThat(admission.bytes()).isEqualTo((7L * 32 + 1) * MIB);
    large.forEach(Admission.Place::leave);
    assertThat(admission.bytes()).isEqualTo(MIB);
  }

  /** All senders behind one proxy are one sender. */
  @Test
  void bodyThatHasComeForLong_givesWayToOneOfTheSameSender() {
    Admission.Place stalled = begin("a");
    assertThat(stalled.take(256 * MIB - 1)).isTrue();
    assertThat(begin("a").take(MIB)).isFalse();

    nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(6));

    assertThat(begin("a").take(MIB)).isTrue();
    assertThat(cut).containsExactly("a");
  }

  @Test
  void requestThatWasRead_isNotCut() {
    Admission.Place large = begin("a");
    assertThat(large.take(256 * MIB - 1)).isTrue();
    assertThat(large.enter()).isTrue();

    assertThat(begin("b").take(MIB)).isFalse();
    assertThat(cut).isEmpty();
  }

  /** The heap of the chart's edge; every request that is not too large can be taken alone. */
  @Test
  void limits_fitIntoTheHeap() {
    for (long heap : new long[] {64L * MIB, 192L * MIB, 358L * MIB, 16_384L * MIB}) {
      InputLimits fitting = limits(128, 256 * MIB).within(heap);

      assertThat(fitting.maxInflightBytes()).isLessThanOrEqualTo(heap / 4);
      Admission.Place place = new Admission(fitting).begin("a", () -> {});
      // The body grows by doubling, and then what is decoded does.
      assertThat(place.take(2 * fitting.maxBodyBytes())).isTrue();
      assertThat(place.take(fitting.maxDecodedBytes() + fitting.maxDecodedBytes() / 2)).isTrue();
    }
    assertThat(limits(128, 256 * MIB).within(16_384L * MIB)).isEqualTo(limits(128, 256 * MIB));
  }
}
