package io.weir.cli;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process at once at the next Ctrl-C. A JVM that is ending after a first signal ignores a
 * second one by default. Uses reflection, because the compiler's warning of {@code sun.misc.Signal}
 * cannot be suppressed; on a JVM without this class a second Ctrl-C is ignored.
 */
public final class SecondInterrupt {
  private static final Logger LOG = LoggerFactory.getLogger(SecondInterrupt.class);
  private static final int INTERRUPTED = 130;

  private SecondInterrupt() {}

  /**
   * @param before runs before the exit; should be short
   */
  public static void endsAtOnce(Runnable before) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object end =
          Proxy.newProxyInstance(
              SecondInterrupt.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                before.run();
                Runtime.getRuntime().halt(INTERRUPTED);
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("INT"), end);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      LOG.debug("a second Ctrl-C will be ignored", e);
    }
  }
}
