package io.weir.topic;

import java.util.List;
import java.util.stream.Stream;

/**
 * Topics that Weir's programs make for themselves where nobody made them before.
 *
 * @param changelogs names of topics with the state of applications
 * @param marks names of topics with the progress of redrives
 */
public record OwnTopics(List<String> changelogs, List<String> marks) {
  /** None of them. */
  public static final OwnTopics NONE = new OwnTopics(List.of(), List.of());

  public OwnTopics {
    changelogs = List.copyOf(changelogs);
    marks = List.copyOf(marks);
  }

  /** All names, changelogs first. */
  public List<String> all() {
    return Stream.concat(changelogs.stream(), marks.stream()).toList();
  }
}
