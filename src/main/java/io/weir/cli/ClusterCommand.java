package io.weir.cli;

import io.weir.internal.app.Key;
import io.weir.internal.app.WeirConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A short command on a cluster. Settings of Weir are its options. */
abstract class ClusterCommand implements Callable<Integer>, ConfigOptions.Configured {
  private final ConfigOptions configOptions;

  @Spec private CommandSpec spec;

  /**
   * @param keys settings that are options of this command
   */
  ClusterCommand(Key<?>... keys) {
    this.configOptions = new ConfigOptions(keys);
  }

  @Override
  public final ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public final Integer call() {
    checkUsage();
    QuietKafka.unlessAsked();
    return run(configOptions.load());
  }

  /** Checks the options before the configuration is loaded. */
  void checkUsage() {}

  /** Runs the command; returns the exit status. */
  abstract int run(WeirConfig config);

  /** A line on standard error. */
  final void printError(String line) {
    spec.commandLine().getErr().println(line);
  }

  final ParameterException wrongUsage(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  final CommandSpec spec() {
    return spec;
  }
}
