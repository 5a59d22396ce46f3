package io.weir.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IdBytesTest {
  @Test
  void anyStretches_agreeWithALookAtEachByte() {
    Seeds.forEach(20_000, IdBytesTest::assertAgrees);
  }

  private static void assertAgrees(Random random) {
    int length = random.nextInt(40);
    byte[] one = new byte[length + 10];
    random.nextBytes(one);
    if (random.nextBoolean()) {
      for (int i = 0; i < one.length; i++) {
        one[i] &= 0x7f;
      }
    }
    int from = random.nextInt(10);
    int shift = random.nextInt(10);
    byte[] other = new byte[length + 10];
    System.arraycopy(one, from, other, shift, length);
    if (length > 0 && random.nextBoolean()) {
      other[shift + random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
    }
    byte[] left = Arrays.copyOfRange(one, from, from + length);
    byte[] right = Arrays.copyOfRange(other, shift, shift + length);

    boolean same = Arrays.equals(left, right);
    assertThat(IdBytes.equal(one, from, other, shift, length)).isEqualTo(same);
    if (same) {
      assertThat(IdBytes.hash(other, shift, length)).isEqualTo(IdBytes.hash(one, from, length));
    }
    assertThat(IdBytes.isAscii(one, from, length)).isEqualTo(isAscii(left));
  }

  private static boolean isAscii(byte[] bytes) {
    for (byte each : bytes) {
      if (each < 0) {
        return false;
      }
    }
    return true;
  }

  /** Of ids as plants number them, and in the low bits too, that tables use. */
  @Test
  void hashOfNumberedIds_spreadsLikeChance() {
    for (String form : new String[] {"%d", "s%05d", "sensor-%07d", "plant/%d/boiler/temperature"}) {
      Map<Integer, Integer> bySlot = new HashMap<>();
      for (int i = 0; i < 100_000; i++) {
        byte[] id = String.format(form, i).getBytes(StandardCharsets.UTF_8);
        bySlot.merge(IdBytes.hash(id, 0, id.length) & 0x3ffff, 1, Integer::sum);
      }
      // Of n = 100,000 balls in m = 262,144 slots, chance leaves m (1 - e^(-n/m)) taken: 83,100.
      assertThat(bySlot.size()).as(form).isBetween(82_000, 84_200);
    }
  }
}
