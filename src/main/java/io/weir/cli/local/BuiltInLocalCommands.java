package io.weir.cli.local;

import io.weir.cli.LocalCommands;
import java.util.List;

/** The local commands of Weir itself. */
public final class BuiltInLocalCommands implements LocalCommands {
  @Override
  public List<Object> commands() {
    return List.of(new ReplayCommand(), new BrokerCommand());
  }
}
