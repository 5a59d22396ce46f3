package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IdDigestTest {
  @Test
  void randomIds_haveTheBytesAndThePartitionOfTheirUtf8() {
    long seed = 11;
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      StringBuilder id = new StringBuilder();
      int highest = random.nextBoolean() ? 0x7f : 0x1f9ff;
      for (int left = random.nextInt(20); left > 0; left--) {
        id.appendCodePoint(random.nextInt(highest + 1));
      }
      long digest = IdDigest.of(id.toString());

      assertThat(IdDigest.bytes(digest))
          .as("seed %d, id %d", seed, i)
          .isEqualTo(id.toString().getBytes(StandardCharsets.UTF_8).length);
      assertThat(SensorPartition.ofHash(IdDigest.hash(digest)))
          .isEqualTo(SensorPartition.of(id.toString()));
    }
  }
}
