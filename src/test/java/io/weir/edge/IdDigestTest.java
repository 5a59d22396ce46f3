package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
        int codePoint = random.nextInt(highest + 1);
        id.appendCodePoint(Character.getType(codePoint) == Character.SURROGATE ? 'x' : codePoint);
      }
      long digest = IdDigest.of(id.toString());

      assertThat(IdDigest.bytes(digest))
          .as("seed %d, id %d", seed, i)
          .isEqualTo(id.toString().getBytes(StandardCharsets.UTF_8).length);
      assertThat(SensorPartition.ofHash(IdDigest.hash(digest)))
          .isEqualTo(SensorPartition.of(id.toString()));
    }
  }

  @Test
  void halfASurrogatePair_isNoText() {
    for (String id :
        List.of("\ud800", "a\udc00b", "\ud83c", "\udf21\ud83c", "\ud83c\udf21\ud800")) {
      assertThat(IdDigest.bytes(IdDigest.of(id))).as(id).isEqualTo(IdDigest.NOT_TEXT);
    }
    assertThat(IdDigest.bytes(IdDigest.of("\ud83c\udf21"))).isEqualTo(4);
  }
}
