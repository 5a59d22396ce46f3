package io.weir.internal.app;

import io.weir.topic.OwnTopics;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.util.ArrayList;
import java.util.List;

/** The topics that Weir's programs make for themselves, by their settings. */
public final class ProgramTopics {
  private ProgramTopics() {}

  /** Those of the enabled programs. */
  public static OwnTopics of(WeirConfig config) {
    List<String> changelogs = new ArrayList<>(WeirApplication.plan(config).changelogs());
    if (config.topics().topics().contains(Topic.SCHEDULED)) {
      changelogs.addAll(EventApplication.plan(config).changelogs());
    }
    return new OwnTopics(
        changelogs,
        List.of(
            TopicNames.redriven(config.topics().late()),
            TopicNames.redriven(config.topics().deadLetters())));
  }
}
