package io.weir.lab.bench;

import io.weir.internal.app.Logs;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/** Runs a main class for as long as the process lives that started this one, killed or not. */
public final class Dependent {
  private static final int ORPHANED = 1;

  private Dependent() {}

  /**
   * @param args the main class and its arguments
   */
  public static void main(String[] args) throws ReflectiveOperationException {
    Logs.useOwnConfiguration();
    ProcessHandle.current()
        .parent()
        .ifPresent(parent -> parent.onExit().thenRun(() -> Runtime.getRuntime().halt(ORPHANED)));
    try {
      Class.forName(args[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(args[0] + " failed", e.getCause());
    }
  }
}
