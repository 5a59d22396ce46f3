package io.weir.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.reading.ReadingColumns.Form;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadingColumnsTest {
  private final ReadingColumns reused = new ReadingColumns();

  private static List<String> lines(ReadingColumns columns) {
    List<String> lines = new ArrayList<>();
    for (int run = 0; run < columns.runs(); run++) {
      String id =
          new String(
              columns.bytes(),
              columns.idOffset(run),
              columns.idLength(run),
              StandardCharsets.UTF_8);
      assertThat(columns.idHash(run))
          .isEqualTo(IdBytes.hash(id.getBytes(StandardCharsets.UTF_8), 0, columns.idLength(run)));
      for (int i = columns.runStart(run); i < columns.runEnd(run); i++) {
        assertThat(columns.verdict(i)).isEqualTo(Verdict.ACCEPTED);
        lines.add(
            id + " " + columns.timestampMs(i) + " " + columns.value(i) + " " + columns.quality(i));
      }
    }
    return lines;
  }

  @Test
  void filledAgainAndAgain_holdsTheLastBatchOnly() {
    Seeds.forEach(200, this::assertHoldsARandomBatch);
  }

  private void assertHoldsARandomBatch(Random random) {
    Columns batch = new Columns();
    List<String> expected = new ArrayList<>();
    int rows = random.nextInt(random.nextInt(4) == 0 ? 3000 : 20);
    for (int i = 0; i < rows; i++) {
      String id = "s" + random.nextInt(1 + random.nextInt(200));
      batch.row(id, i, i * 0.5, i % 4);
      expected.add(id + " " + i + " " + i * 0.5 + " " + i % 4);
    }
    batch.into(reused);
    assertThat(lines(reused)).isEqualTo(expected);
    assertThat(reused.readings()).isEqualTo(rows);
    for (int i = 0; i < rows; i++) {
      reused.verdict(i, Verdict.LATE);
    }
  }

  @Test
  void arraysThatAnOutlierNeeded_areNotKept() {
    ReadingColumns columns = new ReadingColumns();
    columns.ensureReadings(10_000);
    columns.start(new byte[0]);
    assertThat(columns.values()).hasSizeGreaterThanOrEqualTo(10_000);
    columns.ensureReadings(1_000_000);
    columns.start(new byte[0]);
    assertThat(columns.values()).hasSizeLessThan(10_000);
  }

  @Test
  void startedAgain_gatewayBootAndSequenceAreGone() {
    new Columns().gateway("g", 5, 6).into(reused);
    assertThat(reused.gatewayId()).isEqualTo("g");
    reused.start(new byte[0]);
    assertThat(reused.gatewayId()).isEmpty();
    assertThat(reused.bootId()).isZero();
    assertThat(reused.sequence()).isZero();
    assertThat(reused.readings()).isZero();
    assertThat(reused.runs()).isZero();
  }

  @Test
  void rowsOfOneSensorInSuccession_areOneRun_aSeriesIsItsOwn() {
    reused.start("aab".getBytes(StandardCharsets.UTF_8));
    reused.row(0, 1, 1, 1, 0);
    reused.row(1, 1, 2, 2, 0);
    reused.series(0, 1, 0, false);
    reused.row(0, 1, 3, 3, 0);
    reused.row(2, 1, 4, 4, 0);
    reused.row(0, 2, 5, 5, 0);
    assertThat(reused.runs()).isEqualTo(5);
    assertThat(reused.runEnd(0)).isEqualTo(2);
    assertThat(reused.form(1)).isEqualTo(Form.SERIES);
    assertThat(reused.runStart(1)).isEqualTo(reused.runEnd(1));
    assertThat(reused.runEnd(2)).isEqualTo(3);
  }

  @Test
  void qualityNumberThatNoByteHolds_isNoListedOne() {
    reused.start(new byte[0]);
    for (int number : new int[] {256, 257, 259, -253, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      reused.row(0, 0, 1, 1, number);
      assertThat(Quality.ofNumber(reused.quality(reused.readings() - 1)))
          .isEqualTo(Quality.UNCERTAIN);
    }
  }
}
