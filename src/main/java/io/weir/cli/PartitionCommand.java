package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.topic.SensorPartition;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir partition}: prints the partitions of sensors. */
@Command(
    name = "partition",
    description = "Print the partition of each sensor id.",
    footer = {
      "",
      "Prints a line for each id, in the given order: the id, a tab, the partition from 0 to",
      "63, and with --cells another tab and the cell. A line break within an id is printed as",
      "\\n or \\r. Does not connect to a cluster.",
      "",
      "Examples:",
      "  weir partition cam-1142              prints cam-1142, a tab and 19",
      "  weir partition -- -17 @lab           ids that begin with a dash come after --",
      "  weir partition --cells 8 cam-1142    also prints the cell, from 0 to 7"
    })
final class PartitionCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "ID", description = "Sensor ids.")
  private List<String> ids;

  @Option(
      names = "--cells",
      paramLabel = "N",
      description = "Also print the cell of each sensor, of N cells (1 to 4,096).")
  private Integer cells;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Results out = Results.standard();
    for (String id : ids) {
      out.line(id + "\t" + SensorPartition.of(id) + (cells == null ? "" : "\t" + cellOf(id)));
    }
    out.flush();
    return 0;
  }

  private int cellOf(String id) {
    try {
      return SensorPartition.cellOf(id, cells);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--cells: " + e.getMessage(), e);
    }
  }
}
