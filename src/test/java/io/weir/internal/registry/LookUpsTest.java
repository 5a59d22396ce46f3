package io.weir.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.wire.Frame;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.MessageIndexes;
import io.weir.internal.wire.SchemaKey;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.RejectReason;
import io.weir.v1.ReadingBatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How often a partition's records make it ask the registry. */
class LookUpsTest {
  private final FakeRegistry fake = FakeRegistry.start();

  @AfterEach
  void close() {
    fake.close();
  }

  private ValueFormat.Reader reader(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put(RegistrySettings.URL, fake.url());
    return ValueFormat.of(settings)
        .reader("weir.readings", ReadingBatch.getDefaultInstance(), WaitLimit.of(1_000));
  }

  private static byte[] frame(int id) {
    return Frame.join(Frame.head(id, MessageIndexes.FIRST), new byte[0]);
  }

  private static void assertUnknown(ValueFormat.Reader reader, int id, String why) {
    assertThatThrownBy(() -> reader.admit(frame(id), new RecordHeaders()))
        .isInstanceOfSatisfying(
            UndecodableException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectReason.UNKNOWN_SCHEMA))
        .hasMessageContaining(why);
  }

  private int register() {
    return register("weir.readings-value");
  }

  private int register(String subject) {
    return new MessageSchemas(
            Registries.open(RegistrySettings.of(Map.of(RegistrySettings.URL, fake.url()))),
            RegistrySettings.of(Map.of()))
        .register(subject, ReadingBatch.getDescriptor().getFile());
  }

  @Test
  void idsThatNobodyRegistered_areLookedUpSoManyTimes_andThoseThatAreKnownGoOn() throws Exception {
    int right = register();
    ValueFormat.Reader reader = reader(Map.of());
    reader.admit(frame(right), new RecordHeaders());
    int before = fake.requests().size();
    for (int id = 1_000; id < 11_000; id++) {
      assertUnknown(reader, id, "");
      reader.admit(frame(right), new RecordHeaders());
    }
    // 100 at once, and ten a second for as long as this took.
    assertThat(fake.requests().size() - before).isBetween(100, 2_000);
  }

  @Test
  void schemaInAHeader_thatIsKnown_goesOn_afterManyUnknownIds() throws Exception {
    ValueFormat.Reader reader = reader(Map.of());
    Headers headers =
        new RecordHeaders().add(FrameHead.HEADER, Frame.head(register(), MessageIndexes.FIRST));
    byte[] bare = ReadingBatch.newBuilder().setGatewayId("g").build().toByteArray();
    reader.admit(bare, headers);
    for (int id = 1_000; id < 1_200; id++) {
      assertUnknown(reader, id, "");
    }

    assertThat(reader.admit(bare, headers)).isSameAs(bare);
  }

  /** The reader is new: the partition came from another process. */
  @Test
  void schemasOfTheTopicsSubject_areLookedUp_howeverManyIdsOthersInvented() throws Exception {
    int older = register();
    int newer =
        fake.schemas()
            .register(
                "weir.readings-value",
                new Schema(
                    "PROTOBUF",
                    ProtoText.of(ReadingBatch.getDescriptor().getFile()).orElseThrow() + "\n",
                    List.of()));
    assertThat(newer).isNotEqualTo(older);
    ValueFormat.Reader reader = reader(Map.of());
    for (int id = 1_000; id < 1_200; id++) {
      assertUnknown(reader, id, "");
    }
    int before = fake.requests().size();
    reader.admit(frame(older), new RecordHeaders());
    reader.admit(frame(newer), new RecordHeaders());
    assertThat(fake.requests().size() - before).isLessThan(10);
  }

  @Test
  void schemaOfAnotherSubject_isLookedUp_howeverManyIdsOthersInvented() throws Exception {
    int other = register("io.weir.v1.ReadingBatch");
    ValueFormat.Reader reader = reader(Map.of());
    for (int id = 1_000; id < 1_200; id++) {
      assertUnknown(reader, id, "");
    }
    reader.admit(frame(other), new RecordHeaders());
  }

  @Test
  void budget_comesBackWithTime() throws Exception {
    long[] nowMs = {0};
    LookUpBudget budget = new LookUpBudget(MockRegistry.scope("budget"), "none", () -> nowMs[0]);
    SchemaKey schema = new SchemaKey.Id(7);
    for (int i = 0; i < LookUpBudget.AT_ONCE; i++) {
      budget.require(schema);
      budget.use();
    }
    assertThatThrownBy(() -> budget.require(schema)).isInstanceOf(UndecodableException.class);
    nowMs[0] = LookUpBudget.ONE_MORE_AFTER_MS;
    budget.require(schema);
    budget.use();
    assertThatThrownBy(() -> budget.require(schema)).isInstanceOf(UndecodableException.class);
  }

  @Test
  void idsThatAreNotListed_areNotLookedUp() throws Exception {
    int right = register();
    int before = fake.requests().size();
    ValueFormat.Reader reader = reader(Map.of(RegistrySettings.SCHEMA_IDS, right + ", 99"));
    assertUnknown(reader, right + 1, "not in weir.schema.ids");
    assertThat(fake.requests()).hasSize(before);
    reader.admit(frame(right), new RecordHeaders());
  }
}
