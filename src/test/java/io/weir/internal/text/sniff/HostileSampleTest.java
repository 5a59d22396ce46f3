package io.weir.internal.text.sniff;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever a sender has put into a record, looking at it takes little memory: allocations are
 * counted. What allocates nothing has a size at which any other cost would be many minutes.
 */
@Timeout(300)
class HostileSampleTest {
  private static final long MAX_ALLOCATED = 2_000_000_000L;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static Sniffed look(String value, int records) {
    RecordSample one =
        new RecordSample(null, value.getBytes(StandardCharsets.UTF_8), Map.of(), false);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Sniffed sniffed = RecordGuess.look(Collections.nCopies(records, one), id -> Optional.empty());
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MAX_ALLOCATED);
    return sniffed;
  }

  private static String members(int parent, int children) {
    return IntStream.range(0, children)
        .mapToObj(i -> "\"" + Integer.toString(i, 36) + "\":1")
        .collect(Collectors.joining(",", "{\"" + "p".repeat(parent) + "\":{", "}}"));
  }

  @Test
  void pathsOfJson_areFewAndShort() {
    Sniffed longPaths = look(members(49_000, 100_000), 1);
    assertThat(longPaths.says()).anyMatch(line -> line.contains("not looked at"));
    Sniffed manyPaths = look(members(400, 100_000), 1);
    assertThat(manyPaths.says()).anyMatch(line -> line.contains("not looked at"));
    assertThat(manyPaths.options()).containsKey("json-value");
  }

  @Test
  void textsOfJson_areKeptByTheirCharacters() {
    Sniffed sniffed = look("{\"value\":[" + "\"1.5\",".repeat(200_000) + "2]}", 3);
    assertThat(sniffed.says()).anyMatch(line -> line.contains("not looked at"));
    assertThat(sniffed.options()).containsKey("json-value");
    look("{\"text\":\"" + "UTC+".repeat(200_000) + " \",\"value\":1}", 3);
  }

  @Test
  void blanksBeforeTheEndOfAnObject_areSkippedOnce() {
    assertThat(new JsonGuess(new Sniffed()).guess(List.of("{" + " ".repeat(1_500_000) + "x")))
        .isFalse();
  }

  @Test
  void manyLines_areLookedAtFromTheFirstOn() {
    look("a=1,b=2\n".repeat(120_000), 16);
    look("cpu,host=a idle=1 1764201600000\n".repeat(30_000), 16);
    look("1;2\n".repeat(250_000), 16);
    look("1" + ",1".repeat(450_000), 16);
  }

  /** A hundred fields of its own type, in sixteen levels. */
  @Test
  void schemaOfItself_isNotFollowedForEver() {
    String fields =
        IntStream.range(0, 100)
            .mapToObj(i -> "{\"name\":\"f" + i + "\",\"type\":\"A\"}")
            .collect(Collectors.joining(","));
    assertThat(AvroGuess.leaves("{\"type\":\"record\",\"name\":\"A\",\"fields\":[" + fields + "]}"))
        .isEmpty();
  }

  @Test
  void longKeysAndHeaders_areShownInPart() {
    RecordSample one =
        new RecordSample(
            "k".repeat(900_000).getBytes(StandardCharsets.UTF_8),
            "1".getBytes(StandardCharsets.UTF_8),
            IntStream.range(0, 10_000)
                .boxed()
                .collect(Collectors.toMap(i -> "header-" + i, i -> new byte[] {'x'})),
            false);
    Sniffed sniffed = RecordGuess.look(List.of(one), id -> Optional.empty());
    assertThat(sniffed.says()).allMatch(line -> line.length() < 1_000);
    assertThat(sniffed.says()).anyMatch(line -> line.endsWith(", and others"));
  }
}
