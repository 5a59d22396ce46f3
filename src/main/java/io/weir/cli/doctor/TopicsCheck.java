package io.weir.cli.doctor;

import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicDifference;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Finds missing topics, and topics with wrong partitions, timestamp type, cleanup policy, retention
 * or replicas.
 */
final class TopicsCheck implements Check {
  @Override
  public String name() {
    return "topics";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    TopicAdmin topics =
        new TopicAdmin(cluster.admin(), cluster.config().topics(), cluster.config().topicOptions());
    try {
      List<TopicDifference> differences = new ArrayList<>(topics.verify());
      for (ObservedProgram program : cluster.programs()) {
        for (String changelog : program.program().changelogs().values()) {
          differences.addAll(topics.verifyChangelog(changelog));
        }
      }
      differences.removeIf(TopicDifference::isNote);
      return differences.stream().map(this::finding).toList();
    } catch (AuthorizationException e) {
      return List.of(
          broken(
              "this user may not describe the topics: " + e.getMessage(),
              "weir run with this user does not start",
              "docs/reference/rights.md lists the minimum rights; kafka-acls.sh --add"));
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
            difference.remedy() + "; an intended value belongs in weir.topic.*");
  }

  private static String why(TopicDifference difference) {
    String found = difference.found();
    if (found.startsWith("retention.")) {
      return isLess(found.substring(found.indexOf('=') + 1), difference.expected())
          ? "records are deleted before their consumers have read them"
          : "the topic retains more than planned: disks fill up";
    }
    if (found.contains("replica")) {
      return "the loss of a broker may lose data, or stop producers";
    }
    return "weir topics creates it differently: docs/reference/configuration.md explains the setting";
  }

  /** For limits, where -1 is unlimited. */
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
