package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.CommandTable;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.ops.MetricTable;
import io.weir.reading.RejectReason;
import io.weir.topic.TopicTable;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The reference pages have what the code declares. With -Dweir.docs.write=true their tables are
 * written first.
 */
class DocumentsTest {
  private static final GeneratedText SETTINGS =
      new GeneratedText("reference/configuration.md", "settings", KeyTable.markdown());
  private static final GeneratedText METRICS =
      new GeneratedText("reference/metrics.md", "metrics", MetricTable.markdown());
  private static final GeneratedText TOPICS =
      new GeneratedText("reference/topics.md", "topics", TopicTable.markdown());
  private static final GeneratedText READERS =
      new GeneratedText("reference/topics.md", "readers and writers", TopicTable.users());
  private static final GeneratedText COMMANDS =
      new GeneratedText("reference/commands.md", "commands", CommandTable.markdown());
  private static final GeneratedText REASONS =
      new GeneratedText("reference/dead-letters.md", "reasons", ReasonTable.ofReadings());
  private static final GeneratedText EVENT_REASONS =
      new GeneratedText("reference/dead-letters.md", "reasons of events", ReasonTable.ofEvents());
  private static final GeneratedText RIGHTS =
      new GeneratedText("reference/rights.md", "rights", AclTable.markdown());
  private static final GeneratedText HANDLER_RIGHTS =
      new GeneratedText("reference/events.md", "rights", AclTable.handlers());

  @BeforeAll
  static void write() throws IOException {
    if (Boolean.getBoolean("weir.docs.write")) {
      for (GeneratedText text :
          List.of(
              SETTINGS,
              METRICS,
              TOPICS,
              READERS,
              COMMANDS,
              REASONS,
              EVENT_REASONS,
              RIGHTS,
              HANDLER_RIGHTS)) {
        text.write();
      }
    }
  }

  @Test
  void configuration_listsEverySettingAsItIs() throws IOException {
    SETTINGS.assertIsOnPage();
    for (Key<?> key : Keys.ALL) {
      assertThat(SETTINGS.text()).containsOnlyOnce("\n| `" + key.propertyName() + "` | ");
    }
  }

  @Test
  void deadLetters_listsEveryReason() throws IOException {
    REASONS.assertIsOnPage();
    EVENT_REASONS.assertIsOnPage();
    for (RejectReason reason : RejectReason.values()) {
      assertThat(REASONS.text()).containsOnlyOnce("\n| " + reason.name() + " | ");
    }
    for (EventRefusal reason : EventRefusal.values()) {
      assertThat(EVENT_REASONS.text()).containsOnlyOnce("\n| " + reason.name() + " | ");
    }
  }

  @Test
  void metrics_listsEveryMetricAsItIs() throws IOException {
    METRICS.assertIsOnPage();
  }

  @Test
  void topics_listsEveryTopicAsItIs() throws IOException {
    TOPICS.assertIsOnPage();
    READERS.assertIsOnPage();
  }

  @Test
  void commands_listsEveryCommandAsItIs() throws IOException {
    COMMANDS.assertIsOnPage();
  }

  @Test
  void rights_listsTheLeastRights() throws IOException {
    RIGHTS.assertIsOnPage();
  }

  @Test
  void handlers_listTheLeastRights() throws IOException {
    HANDLER_RIGHTS.assertIsOnPage();
  }
}
