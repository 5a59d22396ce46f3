package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ImportBenchTest {
  @Test
  void fewRecords_giveEveryFigure() {
    List<String> lines = new ImportBench(1_000, 1).run(new PrintWriter(new StringWriter()));
    assertThat(lines).hasSize(8);
    assertThat(lines.get(7)).startsWith("way of a reading through the import, p99").contains(" ms");
  }
}
