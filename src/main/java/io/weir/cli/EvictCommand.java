package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.Eviction;
import io.weir.internal.app.Keys;
import io.weir.internal.app.WeirConfig;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir evict}: reassigns the partitions of a lost instance at once. */
@Command(
    name = "evict",
    description = "Remove an instance that will not return from the consumer group.",
    footer = {
      "",
      "The group waits for a static member (weir.instance.id; on Kubernetes the pod's name) for",
      "consumer.session.timeout.ms. After scaling in, or after the loss of a node, evict it",
      "instead of waiting. Prints a line for each removed member, one for each thread: its",
      "name, a tab, removed. An instance that still runs rejoins after a short pause.",
      "Exit status: 0 done, 1 no such member.",
      "",
      "Examples:",
      "  weir evict weir-3",
      "  weir evict weir-2 weir-3 --application-id weir-plant-7"
    })
final class EvictCommand extends ClusterCommand {
  @Parameters(arity = "1..*", paramLabel = "INSTANCE", description = "Names of the instances.")
  private List<String> instances;

  EvictCommand() {
    super(Keys.BOOTSTRAP_SERVERS, Keys.PLANT, Keys.APPLICATION_ID);
  }

  @Override
  int run(WeirConfig config) {
    try (Admin admin = Connections.admin(config.kafka())) {
      Eviction eviction = new Eviction(admin, config.applicationId());
      Results out = Results.standard();
      for (String instance : instances) {
        eviction.evict(instance).forEach(name -> out.line(name + "\tremoved"));
        out.flush();
      }
      return 0;
    }
  }
}
