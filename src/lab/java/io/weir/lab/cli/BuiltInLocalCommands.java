package io.weir.lab.cli;

import io.weir.cli.LocalCommands;
import io.weir.lab.cli.demo.DemoCommand;
import io.weir.lab.cli.demo.UpCommand;
import java.util.ArrayList;
import java.util.List;

/**
 * The local commands of Weir itself. In the zip those are left out that compare with the store of
 * Kafka Streams or start PostgreSQL: their libraries are not in it.
 */
public final class BuiltInLocalCommands implements LocalCommands {
  @Override
  public List<Class<?>> commands() {
    List<Class<?>> commands =
        new ArrayList<>(
            List.of(
                UpCommand.class,
                DemoCommand.class,
                ReplayCommand.class,
                BrokerCommand.class,
                CheckGatewayCommand.class));
    if (getClass().getResource("/org/rocksdb/RocksDB.class") != null) {
      commands.addAll(List.of(BenchCommand.class, ChaosCommand.class));
    }
    return commands;
  }
}
