package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ops.MetricTable;
import io.weir.reading.RejectReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What README lists is what there is. */
class ReadmeTest {
  @Test
  void readme_listsEverySettingAsItIs() throws IOException {
    assertThat(Files.readString(Path.of("README.md"))).contains(KeyTable.markdown());
  }

  @Test
  void readme_listsEveryMetricAsItIs() throws IOException {
    assertThat(Files.readString(Path.of("README.md"))).contains(MetricTable.markdown());
  }

  @Test
  void readme_listsTheLeastRights() throws IOException {
    assertThat(Files.readString(Path.of("README.md"))).contains(RightTable.markdown());
  }

  @Test
  void readme_listsEveryReasonOfDeadLetters() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    for (RejectReason reason : RejectReason.values()) {
      assertThat(readme).contains(reason.name());
    }
  }
}
