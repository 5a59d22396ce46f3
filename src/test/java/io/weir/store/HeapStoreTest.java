package io.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.reading.GatewayRules;
import io.weir.window.WindowLimits;
import io.weir.window.WindowSpec;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.state.StoreBuilder;
import org.junit.jupiter.api.Test;

/** Which stores of a thread write when one of them is asked to. */
class HeapStoreTest {
  private static final WindowSpec SPEC =
      new WindowSpec(10, 0, 0, 50, WindowSpec.IdleRule.ALL, 1000);

  private final ThreadStores stores = new ThreadStores();
  private final StoreBuilder<HeapStore> builder =
      HeapStore.builder(
          "state",
          () -> new PartitionState(SPEC, GatewayRules.of(300_000), WindowLimits.ofSensors(1_000)),
          stores);
  private final List<String> written = new ArrayList<>();

  /** A store whose task says its name whenever something goes to its changelog. */
  private HeapStore store(String task) {
    InvocationHandler context =
        (proxy, method, arguments) -> {
          if (method.getName().equals("logChange")) {
            written.add(task);
          }
          if (method.getName().equals("taskId")) {
            return new TaskId(0, 7);
          }
          return method.getReturnType() == long.class ? 0L : null;
        };
    HeapStore store = builder.build();
    store.init(
        (InternalProcessorContext<?, ?>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {InternalProcessorContext.class},
                context),
        store);
    return store;
  }

  private HeapStore running(String task) {
    HeapStore store = store(task);
    store.resume();
    return store;
  }

  private static void change(HeapStore store) {
    store.changing();
    store.state().observe(1, 1, Uuid.ZERO_UUID);
    store.changed();
  }

  @Test
  void flushCache_writesWhatAllTasksOfTheThreadChanged_once() {
    HeapStore first = running("first");
    HeapStore second = running("second");
    HeapStore idle = running("idle");
    change(first);
    change(second);

    first.flushCache();
    assertThat(written).containsExactlyInAnyOrder("first", "second");
    second.flushCache();
    idle.flushCache();
    assertThat(written).hasSize(2);

    change(second);
    idle.flushCache();
    assertThat(written).hasSize(3).last().isEqualTo("second");
  }

  @Test
  void flushCache_leavesOutATaskThatBrokeOffWithinARecord() {
    HeapStore whole = running("whole");
    HeapStore broken = running("broken");
    change(whole);
    broken.changing();
    broken.state().observe(1, 1, Uuid.ZERO_UUID);

    whole.flushCache();
    assertThat(written).containsExactly("whole");
  }

  @Test
  void aTaskThatBrokeOffWithinARecord_commitsNothing_andTakesNothing_untilItIsReadBack() {
    HeapStore broken = running("broken");
    broken.changing();
    broken.state().observe(1, 1, Uuid.ZERO_UUID);

    assertThatThrownBy(broken::flushCache).isInstanceOf(TaskMigratedException.class);
    assertThatThrownBy(broken::changing).isInstanceOf(TaskMigratedException.class);
    assertThat(written).isEmpty();

    broken.close();
    HeapStore readBack = running("read back");
    change(readBack);
    readBack.flushCache();
    assertThat(written).containsExactly("read back");
  }

  @Test
  void flushCache_leavesOutTasksThatTheThreadNoLongerRuns() {
    HeapStore runs = running("runs");
    HeapStore standby = running("standby");
    HeapStore closed = running("closed");
    HeapStore restored = store("restored");
    HeapStore resting = running("resting");
    change(runs);
    change(standby);
    change(closed);
    change(resting);
    change(restored);
    standby.clearCache();
    closed.close();
    resting.rest();

    runs.flushCache();

    assertThat(written).containsExactly("runs");
  }

  /** A task that Streams takes for committed, and makes a standby of. */
  @Test
  void afterAnAbort_aTaskThatTookPart_givesNothingOut_untilItIsReadBack() {
    HeapStore tookPart = running("took part");
    HeapStore idle = running("idle");
    change(tookPart);
    stores.aborted();

    assertThatThrownBy(tookPart::flushCache).isInstanceOf(TaskMigratedException.class);
    assertThatThrownBy(tookPart::clearCache).isInstanceOf(TaskMigratedException.class);
    idle.flushCache();
    idle.clearCache();
    assertThat(written).isEmpty();
  }

  @Test
  void afterACommit_anAbortIsNotForIt() {
    HeapStore store = running("committed");
    change(store);
    store.flushCache();
    stores.committed();
    stores.aborted();

    store.flushCache();
    store.clearCache();
    assertThat(written).containsExactly("committed");
  }

  @Test
  void flushCache_leavesOtherThreadsAlone() {
    HeapStore here = running("here");
    HeapStore there = CompletableFuture.supplyAsync(() -> running("there")).join();
    change(here);
    change(there);

    here.flushCache();

    assertThat(written).containsExactly("here");
  }
}
