package io.weir.cli;

import io.weir.cli.output.Results;
import java.io.OutputStream;
import picocli.CommandLine;

/**
 * {@code weir plan} within this JVM, for tests of what it writes into files. Its table is written
 * nowhere: the standard output of a JVM that runs tests belongs to Surefire.
 */
public final class WeirPlan {
  private WeirPlan() {}

  /** Returns the exit status. */
  public static int run(String... arguments) {
    Results nowhere = new Results(OutputStream.nullOutputStream());
    CommandLine command = new CommandLine(new PlanCommand(nowhere));
    Converters.register(command);
    return command.execute(arguments);
  }
}
