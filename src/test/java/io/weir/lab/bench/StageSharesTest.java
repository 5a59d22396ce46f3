package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.lab.bench.StageShares.Mark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StageSharesTest {
  private static final String THREAD = "[run-1-StreamThread-1 tid=7];java/lang/Thread.run";
  private static final String PROCESS = ";io/weir/internal/topology/ReadingProcessor.process";

  @TempDir Path directory;

  /** A method that is renamed is noticed here. */
  @Test
  void marks_areMethodsThatExist() throws Exception {
    for (Mark mark : StageShares.MARKS) {
      String frame = mark.frame().replace('/', '.');
      int dot = frame.lastIndexOf('.');
      Class<?> type = Class.forName(frame.substring(0, dot));

      assertThat(Arrays.stream(type.getDeclaredMethods()).map(java.lang.reflect.Method::getName))
          .as(frame)
          .anyMatch(name -> name.startsWith(frame.substring(dot + 1)));
    }
  }

  @Test
  void innermostKnownFrame_decides() throws Exception {
    String apply = PROCESS + ";io/weir/internal/window/PartitionWindows.apply";
    StageShares shares =
        read(
            THREAD
                + PROCESS
                + ";io/weir/internal/wire/BatchDecoder.decode;io/weir/internal/wire/FieldReader.tag 30",
            THREAD + apply + ";io/weir/internal/topology/OutputSinks.emit;write 20",
            THREAD + apply + " 40",
            THREAD + ";io/weir/internal/store/HeapStore.flushCache;io/weir/reading/Gateways.x 10",
            "[C2 CompilerThre tid=3];x 60",
            "[GC Thread#0 tid=4];x 30",
            "[kafka-producer-network-thread | run-1-StreamThread-1-producer tid=9];x 8",
            "[kafka-coordinator-heartbeat-thread | run-1-StreamThread-1 tid=9];x 2");

    assertThat(shares.lines())
        .contains(
            "the process, 200 samples",
            "  stream threads                  50.0 %",
            "  producers' threads               4.0 %",
            "  JIT compiler                    30.0 %",
            "  garbage collector               15.0 %",
            "  others                           1.0 %",
            "its stream threads, 100 samples",
            "  decoding                        30.0 %",
            "  aggregating                     40.0 %",
            "  changelog written               10.0 %",
            "  emission                        20.0 %",
            "  upkeep                           0.0 %");
  }

  @Test
  void whatIsNoProfileOfWeir_isSaid() {
    for (String line : List.of("hello", "", ";x 5", "[main tid=1];x 0", "a;b 12345678901234")) {
      assertThatThrownBy(() -> read(line))
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith("profile has no collapsed stacks");
    }
    assertThatThrownBy(() -> read("[main tid=1];x 5"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no samples of stream threads");
    assertThatThrownBy(() -> read(THREAD + ";io.weir.internal.wire.BatchDecoder.decode 5"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no frame of a stage");
  }

  private StageShares read(String... lines) throws IOException {
    return StageShares.of(Files.write(directory.resolve("profile"), List.of(lines)));
  }
}
