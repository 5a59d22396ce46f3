package io.weir.lab.cli;

import io.weir.cli.LocalCommands;
import io.weir.lab.cli.demo.DemoCommand;
import java.util.List;

/** The local commands of Weir itself. */
public final class BuiltInLocalCommands implements LocalCommands {
  @Override
  public List<Object> commands() {
    return List.of(
        new DemoCommand(),
        new ReplayCommand(),
        new BrokerCommand(),
        new CheckGatewayCommand(),
        new BenchCommand(),
        new ChaosCommand());
  }
}
