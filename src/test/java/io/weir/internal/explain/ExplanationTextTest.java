package io.weir.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.explain.Explanation.Fate;
import io.weir.internal.explain.Explanation.Row;
import io.weir.internal.imports.ImportSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class ExplanationTextTest {
  @Test
  void batchOfAnImport_namesItsSource() {
    RecordHeaders headers = new RecordHeaders();
    assertThat(verdict(headers)).isEqualTo("counted");

    headers.add("weir.import.origin", "plant.raw-3:17-29".getBytes(StandardCharsets.UTF_8));
    assertThat(verdict(headers)).isEqualTo("counted, from plant.raw-3:17-29");

    headers.add("weir.import.origin", new byte[100_000]);
    assertThat(ImportSettings.originOf(headers)).hasSize(1_000);
  }

  private static String verdict(RecordHeaders headers) {
    return ExplanationText.verdict(
        new Row(
            5,
            6,
            "import/plant",
            0,
            0,
            Optional.empty(),
            ImportSettings.originOf(headers),
            1,
            List.of(),
            Fate.COUNTED,
            "",
            Optional.empty(),
            0));
  }
}
