package io.weir.lab.chaos;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code weir import} in a process of its own. Safe for many threads. */
final class ImportApplication extends Application {
  ImportApplication(int number, ChaosSettings settings, String bootstrapServers, Path dir) {
    super(number, settings, bootstrapServers, dir);
  }

  @Override
  String instanceId() {
    return "import-" + number;
  }

  @Override
  List<String> command() {
    return settings.bug().isOfImports()
        ? List.of(SabotagedImport.class.getName(), settings.bug().name())
        : List.of(WEIR, "import", ImportSource.TOPIC);
  }

  @Override
  Map<String, String> options() {
    return Map.of("bootstrap-servers", bootstrapServers, "http-port", "0");
  }

  @Override
  Map<String, String> environment() {
    return Map.of(
        "WEIR_IMPORT_NAME",
        ImportStage.NAME,
        "WEIR_IMPORT_INSTANCE",
        instanceId(),
        "WEIR_KAFKA_LOG_LEVEL",
        "WARN",
        "KAFKA_SESSION_TIMEOUT_MS",
        Long.toString(settings.session().toMillis()));
  }
}
