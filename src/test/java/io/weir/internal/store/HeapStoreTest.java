package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.GatewayRules;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
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
  private final ThreadStores stores = new ThreadStores();
  private final List<Integer> committed = new ArrayList<>();
  private final StoreBuilder<HeapStore<Counter>> builder =
      HeapStore.builder("counter", Counter::new, stores, committed::add);
  private final List<String> written = new ArrayList<>();
  private final List<String> changelogs = new ArrayList<>();

  /** The simplest state that there is. */
  private static final class Counter implements HeapState {
    private long count;
    private boolean unwritten;

    void add() {
      count++;
      unwritten = true;
    }

    @Override
    public void restore(byte[] key, byte[] value) {
      count = ByteBuffer.wrap(value).getLong();
    }

    @Override
    public void resume() {}

    @Override
    public void flush(ChangeLog log) {
      if (unwritten) {
        log.put(new byte[] {'C'}, ByteBuffer.allocate(Long.BYTES).putLong(count).array());
        unwritten = false;
      }
    }

    @Override
    public void clear() {
      count = 0;
      unwritten = false;
    }

    @Override
    public long appendMs() {
      return 1;
    }
  }

  /** A store whose task says its name whenever something goes to its changelog. */
  private HeapStore<Counter> store(String task) {
    return store(task, builder);
  }

  private <S extends HeapState> HeapStore<S> store(String task, StoreBuilder<HeapStore<S>> ofKind) {
    InvocationHandler context =
        (proxy, method, arguments) -> {
          if (method.getName().equals("logChange")) {
            written.add(task);
            changelogs.add((String) arguments[0]);
          }
          if (method.getName().equals("taskId")) {
            return new TaskId(0, 7);
          }
          return method.getReturnType() == long.class ? 0L : null;
        };
    HeapStore<S> store = ofKind.build();
    store.init(
        (InternalProcessorContext<?, ?>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {InternalProcessorContext.class},
                context),
        store);
    return store;
  }

  private HeapStore<Counter> running(String task) {
    HeapStore<Counter> store = store(task);
    store.resume();
    return store;
  }

  private static void change(HeapStore<Counter> store) {
    store.changing();
    store.state().add();
    store.changed();
  }

  @Test
  void flushCache_writesWhatAllTasksOfTheThreadChanged_once() {
    HeapStore<Counter> first = running("first");
    HeapStore<Counter> second = running("second");
    HeapStore<Counter> idle = running("idle");
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
    HeapStore<Counter> whole = running("whole");
    HeapStore<Counter> broken = running("broken");
    change(whole);
    broken.changing();
    broken.state().add();

    whole.flushCache();
    assertThat(written).containsExactly("whole");
  }

  @Test
  void aTaskThatBrokeOffWithinARecord_commitsNothing_andTakesNothing_untilItIsReadBack() {
    HeapStore<Counter> broken = running("broken");
    broken.changing();
    broken.state().add();

    assertThatThrownBy(broken::flushCache).isInstanceOf(TaskMigratedException.class);
    assertThatThrownBy(broken::changing).isInstanceOf(TaskMigratedException.class);
    assertThat(written).isEmpty();

    broken.close();
    HeapStore<Counter> readBack = running("read back");
    change(readBack);
    readBack.flushCache();
    assertThat(written).containsExactly("read back");
  }

  @Test
  void flushCache_leavesOutTasksThatTheThreadNoLongerRuns() {
    HeapStore<Counter> runs = running("runs");
    HeapStore<Counter> standby = running("standby");
    HeapStore<Counter> closed = running("closed");
    HeapStore<Counter> restored = store("restored");
    HeapStore<Counter> resting = running("resting");
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
    HeapStore<Counter> tookPart = running("took part");
    HeapStore<Counter> idle = running("idle");
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
    HeapStore<Counter> store = running("committed");
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
    HeapStore<Counter> here = running("here");
    HeapStore<Counter> there = CompletableFuture.supplyAsync(() -> running("there")).join();
    change(here);
    change(there);

    here.flushCache();

    assertThat(written).containsExactly("here");
  }

  /** Two tasks of a topology, or two stores of one task. */
  @Test
  void flushCache_writesStoresOfOtherKindsToo_eachToItsOwnChangelog_andTellsEachOfTheCommit() {
    List<Integer> committedWindows = new ArrayList<>();
    HeapStore<PartitionState> windows =
        store(
            "windows",
            HeapStore.builder("windows", HeapStoreTest::windows, stores, committedWindows::add));
    windows.resume();
    HeapStore<Counter> counter = running("counter");
    windows.changing();
    windows.state().observe(1, 1, Uuid.ZERO_UUID);
    windows.changed();
    change(counter);

    counter.flushCache();
    windows.flushCache();
    assertThat(changelogs).containsExactlyInAnyOrder("windows", "counter");
    assertThat(committed).isEmpty();

    stores.committed();
    assertThat(committed).containsExactly(7);
    assertThat(committedWindows).containsExactly(7);
    stores.committed();
    assertThat(committed).hasSize(1);
  }

  private static PartitionState windows() {
    WindowSpec spec = WindowSpec.of(10, 0, 0, 50, WindowSpec.IdleRule.ALL, 1000);
    return new PartitionState(spec, GatewayRules.of(300_000), WindowLimits.ofSensors(1_000));
  }
}
