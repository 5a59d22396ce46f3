package io.weir.lab.cli;

import io.weir.cli.LocalCommands;
import io.weir.lab.cli.demo.DemoCommand;
import io.weir.lab.cli.demo.UpCommand;
import java.util.List;

/** The local commands of Weir itself. */
public final class BuiltInLocalCommands implements LocalCommands {
  @Override
  public List<Class<?>> commands() {
    return List.of(
        UpCommand.class,
        DemoCommand.class,
        ReplayCommand.class,
        BrokerCommand.class,
        CheckGatewayCommand.class,
        BenchCommand.class,
        ChaosCommand.class);
  }
}
