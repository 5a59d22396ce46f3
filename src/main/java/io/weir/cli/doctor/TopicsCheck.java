package io.weir.cli.doctor;

import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicDifference;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.AuthorizationException;

/** Topics that are missing, or not as planned: partitions, time, cleanup, retention, replicas. */
final class TopicsCheck implements Check {
  @Override
  public String name() {
    return "topics";
  }

  @Override
  public List<Finding> look(Examination of) {
    TopicAdmin topics =
        new TopicAdmin(of.admin(), of.config().topics(), of.config().topicOptions());
    try {
      List<TopicDifference> differences = new ArrayList<>(topics.verify());
      for (Watched program : of.programs()) {
        for (String changelog : program.program().changelogs().values()) {
          differences.addAll(topics.verifyChangelog(changelog));
        }
      }
      return differences.stream().map(this::finding).toList();
    } catch (AuthorizationException e) {
      return List.of(
          broken(
              "this user is not allowed to look at the topics: " + e.getMessage(),
              "weir run with this user does not start",
              "docs/operate/rights.md lists the least rights; kafka-acls.sh --add"));
    }
  }

  private Finding finding(TopicDifference difference) {
    String what =
        difference.topic()
            + ": found "
            + difference.found()
            + ", expected "
            + difference.expected();
    return difference.isFatal()
        ? broken(
            what, "weir run refuses such a topic: its results would be wrong", difference.remedy())
        : risk(
            what,
            why(difference),
            difference.remedy() + "; what is meant so belongs into weir.topic.*");
  }

  private static String why(TopicDifference difference) {
    String found = difference.found();
    if (found.startsWith("retention.")) {
      return isLess(found.substring(found.indexOf('=') + 1), difference.expected())
          ? "records are deleted before their consumers have read them"
          : "more is kept than planned: disks fill";
    }
    if (found.contains("replica")) {
      return "a lost broker may lose data, or stop those who write";
    }
    return "it is not as weir topics makes it: docs/reference/configuration.md says what the setting is for";
  }

  /** Of bounds, where -1 is none. */
  private static boolean isLess(String found, String expected) {
    try {
      long bound = Long.parseLong(found);
      long planned = Long.parseLong(expected);
      return bound >= 0 && (planned < 0 || bound < planned);
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
