package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.time.DurationText;
import io.weir.topic.Replication;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import io.weir.topic.TopicOptions;
import io.weir.topic.TopicPlan;
import io.weir.topic.TopicSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Test;

/**
 * The topics as the chart has them are those that are declared. A new one is written with {@code
 * -Dweir.chart.write=true}.
 */
class ChartTopicsTest {
  private static final Path FILE = HelmChart.DIR.resolve("files/topics.yaml");

  @Test
  void topics_areThoseDeclared() throws IOException {
    String yaml =
        Stream.of(Topic.values())
            .map(ChartTopicsTest::entry)
            .collect(
                Collectors.joining(
                    "",
                    "# Written by: mvn test -Dtest=ChartTopicsTest -Dweir.chart.write=true\n"
                        + "topics:\n",
                    ""));
    if (Boolean.getBoolean("weir.chart.write")) {
      Files.writeString(FILE, yaml);
    }
    assertThat(Files.readString(FILE)).as("written with -Dweir.chart.write=true").isEqualTo(yaml);
  }

  private static String entry(Topic topic) {
    List<String> lines = new ArrayList<>();
    lines.add("name: " + topic.text());
    topic.switchedOnBy().ifPresent(setting -> lines.add("switchedOnBy: " + setting));
    topic.latestOf().ifPresent(source -> lines.add("latestOf: " + source));
    lines.add("partitions: " + topic.partitions());
    topic
        .retention()
        .ifPresent(
            kept -> {
              lines.add("retention: " + DurationText.format(kept.time()));
              lines.add("retentionBytes: \"" + kept.bytesPerPartition() + "\"");
            });
    if (topic.isCompacted()) {
      lines.add("compacted: true");
    }
    String largest = settings(topic).config().get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
    if (largest != null) {
      lines.add("maxMessageBytes: \"" + largest + "\"");
    }
    lines.add("readBy: " + users(topic::isReadBy));
    lines.add("writtenBy: " + users(topic::isWrittenBy));
    return "  - " + String.join("\n    ", lines) + "\n";
  }

  private static TopicSettings settings(Topic topic) {
    return TopicPlan.of(TopicNames.ALL, TopicOptions.DEFAULT, Replication.NONE)
        .get(topic.ordinal());
  }

  private static String users(Predicate<User> does) {
    return Stream.of(User.values())
        .filter(does)
        .map(user -> user.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
