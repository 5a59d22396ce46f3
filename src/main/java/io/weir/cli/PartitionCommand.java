package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.topic.SensorPartition;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir partition}: prints the partitions of sensors. */
@Command(
    name = "partition",
    description = "Print the partition of each sensor id.",
    footer = {
      "",
      "Prints a line for each id, in the given order: the id, a tab, the partition from 0 to",
      "63. A line break within an id is printed as \\n or \\r. Does not connect to a cluster.",
      "",
      "Examples:",
      "  weir partition cam-1142              prints cam-1142, a tab and 19",
      "  weir partition -- -17 @lab           ids that begin with a dash come after --"
    })
final class PartitionCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "ID", description = "Sensor ids.")
  private List<String> ids;

  @Override
  public Integer call() {
    Results out = Results.standard();
    for (String id : ids) {
      out.line(id + "\t" + SensorPartition.of(id));
    }
    out.flush();
    return 0;
  }
}
