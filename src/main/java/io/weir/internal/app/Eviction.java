package io.weir.internal.app;

import io.weir.topic.KafkaFutures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Removes an instance that will not return from its group, so that its partitions are reassigned at
 * once and not after the session timeout. An instance that still runs rejoins.
 */
public final class Eviction {
  private final Admin admin;
  private final String group;

  public Eviction(Admin admin, String applicationId) {
    this.admin = admin;
    this.group = applicationId;
  }

  /**
   * Removes the members of an instance: one for each of its threads.
   *
   * @param instance its {@code weir.instance.id}: the pod's name
   * @return their names, sorted
   * @throws StartRefusedException if the group has no member of that instance; the message lists
   *     the others
   */
  public List<String> evict(String instance) {
    List<String> names = membersOf(instance, names());
    KafkaFutures.await(
        admin
            .removeMembersFromConsumerGroup(
                group,
                new RemoveMembersFromConsumerGroupOptions(
                    names.stream().map(MemberToRemove::new).toList()))
            .all());
    return names;
  }

  private List<String> names() {
    try {
      Collection<MemberDescription> members =
          KafkaFutures.await(admin.describeConsumerGroups(List.of(group)).all())
              .get(group)
              .members();
      List<String> names = new ArrayList<>();
      members.stream()
          .map(MemberDescription::groupInstanceId)
          .flatMap(Optional::stream)
          .forEach(names::add);
      return names;
    } catch (GroupIdNotFoundException e) {
      return List.of();
    }
  }

  /** Kafka Streams names a thread's member after the instance, with the thread's number. */
  List<String> membersOf(String instance, List<String> names) {
    Pattern member = Pattern.compile(Pattern.quote(instance) + "-\\d+");
    List<String> found =
        names.stream().filter(name -> member.matcher(name).matches()).sorted().toList();
    if (found.isEmpty()) {
      String others =
          names.stream()
              .map(name -> name.replaceFirst("-\\d+$", ""))
              .collect(Collectors.toCollection(TreeSet::new))
              .stream()
              .collect(Collectors.joining(", "));
      throw new StartRefusedException(
          "group "
              + group
              + " has no static members of "
              + instance
              + (others.isEmpty() ? "" : "; others: " + others));
    }
    return found;
  }
}
