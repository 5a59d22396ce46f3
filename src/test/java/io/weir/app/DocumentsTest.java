package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ops.MetricTable;
import io.weir.reading.RejectReason;
import io.weir.topic.TopicTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the documents list is what there is. */
class DocumentsTest {
  private static String text(String name) throws IOException {
    return Files.readString(Path.of(name));
  }

  @Test
  void configuration_listsEverySettingAsItIs() throws IOException {
    assertThat(text("docs/configuration.md")).contains(KeyTable.markdown());
  }

  @Test
  void deadLetters_listsEveryReason() throws IOException {
    String page = text("docs/dead-letters.md");
    for (RejectReason reason : RejectReason.values()) {
      assertThat(page).contains(reason.name());
    }
  }

  @Test
  void operations_listsEveryMetricAsItIs() throws IOException {
    assertThat(text("docs/operations.md")).contains(MetricTable.markdown());
  }

  @Test
  void consumers_listsEveryTopicAsItIs() throws IOException {
    assertThat(text("docs/consumers.md")).contains(TopicTable.markdown());
  }

  @Test
  void operations_listsTheLeastRights() throws IOException {
    assertThat(text("docs/operations.md")).contains(AclTable.markdown());
  }

  @Test
  void handlers_listTheLeastRights() throws IOException {
    assertThat(text("docs/reference/events.md")).contains(AclTable.handlers());
  }
}
