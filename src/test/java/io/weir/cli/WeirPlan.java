package io.weir.cli;

/** {@code weir plan} within this JVM, for tests of what it writes into files. */
public final class WeirPlan {
  private WeirPlan() {}

  /** Returns the exit status. */
  public static int run(String... arguments) {
    return new picocli.CommandLine(new PlanCommand()).execute(arguments);
  }
}
