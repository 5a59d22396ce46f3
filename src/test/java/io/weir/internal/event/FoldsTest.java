package io.weir.internal.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.Seeds;
import io.weir.internal.wire.FoldedEventEncoder;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import io.weir.v1.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FoldsTest {
  private final Decoded decoded = new Decoded();
  private final List<FoldedEvent> emitted = new ArrayList<>();

  private void emit(Fold fold, FoldReason reason) {
    try {
      emitted.add(FoldedEvent.parseFrom(FoldedEventEncoder.encode(fold, reason)));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anyHistory_endsInTheFoldsOfANaiveOne() {
    Seeds.forEach(300, this::foldAHistory);
  }

  private void foldAHistory(Random random) {
    emitted.clear();
    FoldSpec spec =
        new FoldSpec(
            1 + random.nextInt(30),
            1 + random.nextInt(60),
            1 + random.nextInt(5),
            500 + random.nextInt(5_000));
    RandomEvents events = new RandomEvents(random);
    Folds folds = new Folds(spec);
    NaiveFolds naive = new NaiveFolds(spec);
    long logMs = 1_000;
    for (int offset = 0; offset < 100; offset++) {
      logMs += random.nextInt(3) == 0 ? random.nextInt(40) : random.nextInt(3);
      EventBatch batch = events.batch(4, 1 + random.nextInt(10));
      EventColumns columns = decoded.of(batch);
      for (int i = 0; i < columns.size(); i++) {
        folds.add(columns, i, offset, logMs, this::emit);
        naive.add(batch, offset, i, logMs);
      }
      assertThat(folds.endDue(logMs, 1_000, this::emit)).isFalse();
      naive.endDue(logMs);
      assertThat(folds.size()).isEqualTo(naive.size());
      assertThat(folds.bytes()).isEqualTo(naive.bytes());
      assertThat(folds.nextDueMs()).isGreaterThan(logMs);
      assertThat(emitted).containsExactlyInAnyOrderElementsOf(naive.take());
      emitted.clear();
      assertNoneHoldsOneThatEnded(folds);
    }
  }

  private static void assertNoneHoldsOneThatEnded(Folds folds) {
    Set<Fold> alive = Collections.newSetFromMap(new IdentityHashMap<>());
    folds.forEach(alive::add);
    for (Fold fold : alive) {
      if (fold.follower != null) {
        assertThat(alive.contains(fold.follower)).isTrue();
        assertThat(fold.follower.follows == fold).isTrue();
      }
    }
    List<Fold> toPut = new ArrayList<>();
    folds.forEachTouched(toPut::add);
    assertThat(alive.containsAll(toPut)).isTrue();
    assertThat(toPut).doesNotHaveDuplicates();
  }

  /** What is due and not emitted yet is emitted before another event of its key is added. */
  @Test
  void slices_emitTheSameFolds() {
    Folds folds = new Folds(FoldSpec.DEFAULT);
    for (int i = 0; i < 10; i++) {
      folds.add(one("k" + i, "f", 1), 0, i, 0, this::emit);
    }
    assertThat(folds.endDue(5_000, 4, this::emit)).isTrue();
    assertThat(emitted).hasSize(4);
    folds.add(one("k9", "g", 2), 0, 10, 5_001, this::emit);
    assertThat(emitted).hasSize(5);
    assertThat(emitted.get(4).getFieldsMap()).containsOnlyKeys("f");
    assertThat(folds.endDue(5_001, 5, this::emit)).isFalse();
    assertThat(folds.size()).isEqualTo(1);
  }

  /** An alarm's fields say nothing of the measurements of its group, and the other way round. */
  @Test
  void eventsOfOneKeyWithTwoTypes_areTwoFolds() throws Exception {
    Folds folds = new Folds(FoldSpec.DEFAULT);
    int offset = 0;
    for (String type : List.of("alarm", "metrics", "alarm", "", "metrics")) {
      folds.add(typed("line-7", type, offset), 0, offset, offset, this::emit);
      offset++;
    }
    assertThat(folds.size()).isEqualTo(3);
    folds.endDue(100_000, 10, this::emit);

    assertThat(emitted)
        .allSatisfy(fold -> assertThat(fold.getKey()).isEqualTo("line-7"))
        .extracting(
            FoldedEvent::getType,
            FoldedEvent::getEventCount,
            fold -> fold.getFieldsOrThrow("active").getLast().getInt64Value())
        .containsExactlyInAnyOrder(
            tuple("alarm", 2L, 2L), tuple("metrics", 2L, 4L), tuple("", 1L, 3L));
  }

  /** Key and type differ in more than their bytes in a row. */
  @Test
  void keyAndType_areNotOneText() throws Exception {
    Folds folds = new Folds(FoldSpec.DEFAULT);
    folds.add(typed("ab", "c", 0), 0, 0, 0, this::emit);
    folds.add(typed("a", "bc", 1), 0, 1, 1, this::emit);
    folds.add(typed("abc", "", 2), 0, 2, 2, this::emit);
    assertThat(folds.size()).isEqualTo(3);
  }

  private EventColumns typed(String key, String type, long value) {
    return decoded.of(
        EventBatch.newBuilder()
            .addEvents(
                Event.newBuilder()
                    .setKey(key)
                    .setType(type)
                    .putFields("active", Value.newBuilder().setInt64Value(value).build()))
            .build());
  }

  @Test
  void oneFieldMoreThanTheLimit_beginsAnotherFold_andNoneIsMissing() {
    Folds folds = new Folds(FoldSpec.DEFAULT);
    for (int i = 0; i < 1_001; i++) {
      folds.add(one("k", "f" + i, 1), 0, i, i, this::emit);
    }
    assertThat(emitted).hasSize(1);
    assertThat(emitted.get(0).getReason()).isEqualTo(io.weir.v1.FoldReason.FOLD_REASON_LIMIT);
    assertThat(emitted.get(0).getFieldsMap()).hasSize(1_000);
    folds.endDue(100_000, 10, this::emit);
    assertThat(emitted.get(1).getFieldsMap()).containsOnlyKeys("f1000");
    assertThat(emitted.get(1).getOffset()).isEqualTo(1_000);
  }

  @Test
  void largeValues_endAFold_beforeItIsTooLargeForARecord() {
    Folds folds = new Folds(FoldSpec.DEFAULT);
    String large = "x".repeat(200_000);
    for (int i = 0; i < 10; i++) {
      Event event =
          Event.newBuilder()
              .setKey("k")
              .setTimestampMs(1)
              .putFields("f" + i, Value.newBuilder().setStringValue(large).build())
              .build();
      folds.add(decoded.of(EventBatch.newBuilder().addEvents(event).build()), 0, i, 0, this::emit);
    }
    folds.endDue(100_000, 10, this::emit);
    assertThat(emitted)
        .allSatisfy(fold -> assertThat(fold.getSerializedSize()).isLessThan(1 << 20));
    assertThat(emitted.stream().mapToLong(FoldedEvent::getEventCount).sum()).isEqualTo(10);
  }

  /** A flood of keys: the oldest folds are emitted, none is lost, and the others have room. */
  @Test
  void moreFoldsThanAPartitionHasRoomFor_areEmittedOldestFirst() {
    Folds folds = new Folds(new FoldSpec(5_000, 60_000, 1_000, 100_000));
    for (int i = 0; i < 1_000; i++) {
      folds.add(one("k" + i, "f", 1), 0, i, 0, this::emit);
      assertThat(folds.bytes()).isLessThanOrEqualTo(100_000);
    }
    assertThat(emitted)
        .allMatch(fold -> fold.getReason() == io.weir.v1.FoldReason.FOLD_REASON_LIMIT);
    assertThat(emitted).extracting(FoldedEvent::getOffset).isSorted();
    assertThat(emitted.size() + folds.size()).isEqualTo(1_000);
    assertThat(folds.size()).isBetween(100, 200);
    assertThat(folds.ended()).isEmpty(); // Nothing of them was written.
    folds.endDue(5_000, 1_000, this::emit);
    assertThat(folds.bytes()).isZero();
    assertThat(emitted).hasSize(1_000);
  }

  /** Also over a restart: whose a fold is belongs to what is kept. */
  @Test
  void foldsOfOneGateway_haveNoRoomAtTheCostOfAnothers() {
    FoldSpec spec = new FoldSpec(5_000, 60_000, 1_000, 100_000);
    Folds folds = new Folds(spec);
    for (int i = 0; i < 15; i++) {
      folds.add(of("neighbour", "n" + i), 0, 0, 0, this::emit);
    }
    for (int i = 0; i < 1_000; i++) {
      folds.add(of("hostile", "h" + i), 0, 1 + i, 1 + i, this::emit);
      if (i == 500) {
        List<Fold> kept = new ArrayList<>();
        folds.forEach(kept::add);
        folds.written();
        folds = new Folds(spec);
        folds.restore(kept);
      }
    }
    assertThat(emitted).hasSizeGreaterThan(500);
    assertThat(emitted).allMatch(fold -> fold.getKey().startsWith("h"));
    assertThat(emitted).extracting(FoldedEvent::getOffset).isSorted();
    emitted.clear();
    folds.endDue(5_000, 15, this::emit);
    assertThat(emitted).hasSize(15).allMatch(fold -> fold.getKey().startsWith("n"));
  }

  /** Above an eighth the one with most pays, and not who began first. */
  @Test
  void ofTwoGatewaysAboveAnEighth_whoHasMostPays() {
    Folds folds = new Folds(new FoldSpec(5_000, 60_000, 1_000, 100_000));
    for (int i = 0; i < 40; i++) {
      folds.add(of("some", "s" + i), 0, i, 0, this::emit);
    }
    for (int i = 0; i < 200; i++) {
      folds.add(of("most", "m" + i), 0, 100 + i, 0, this::emit);
    }
    assertThat(emitted).isNotEmpty().allMatch(fold -> fold.getKey().startsWith("m"));
  }

  private EventColumns of(String gatewayId, String key) {
    Event event = Event.newBuilder().setKey(key).setTimestampMs(1).build();
    return decoded.of(EventBatch.newBuilder().setGatewayId(gatewayId).addEvents(event).build());
  }

  @Test
  void manySubjects_areCounted_andTheFirstHundredListed() {
    Folds folds = new Folds(FoldSpec.DEFAULT);
    for (int i = 10_500; i >= 0; i--) {
      Event event =
          Event.newBuilder()
              .setKey("k")
              .setTimestampMs(1)
              .setSubject(String.format("%05d", i))
              .build();
      folds.add(decoded.of(EventBatch.newBuilder().addEvents(event).build()), 0, 0, 0, this::emit);
    }
    folds.endDue(100_000, 10, this::emit);
    assertThat(emitted.get(0).getSubjectCount()).isEqualTo(10_000);
    assertThat(emitted.get(0).getSubjectsList()).hasSize(100).startsWith("00000").endsWith("00099");
  }

  private EventColumns one(String key, String field, long value) {
    Event event =
        Event.newBuilder()
            .setKey(key)
            .setTimestampMs(1)
            .putFields(field, Value.newBuilder().setInt64Value(value).build())
            .build();
    return decoded.of(EventBatch.newBuilder().addEvents(event).build());
  }
}
