package io.weir.lab.cli.demo;

import io.weir.cli.screen.Numbers;
import io.weir.lab.Balance;
import io.weir.lab.Fault;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A view of lines that stay, for where there is no terminal: figures now and then, and events. */
final class PlainLines implements DemoView {
  private static final long FIGURES_EVERY_MS = 5000;

  private final PrintStream out;
  private final Set<Fault> on = EnumSet.noneOf(Fault.class);
  private DemoPhase phase = DemoPhase.RUNNING;
  private long nextFiguresMs;

  PlainLines(PrintStream out) {
    this.out = out;
  }

  @Override
  public void say(String line) {
    out.println(line);
  }

  @Override
  public void show(DemoSnapshot now) {
    now.faults().forEach(fault -> event(now, fault));
    if (phase != now.phase()) {
      phase = now.phase();
      nextFiguresMs = now.elapsedMs();
      out.println(Numbers.clock(now.elapsedMs()) + " " + phase.words());
    }
    if (now.elapsedMs() >= nextFiguresMs) {
      nextFiguresMs = now.elapsedMs() + FIGURES_EVERY_MS;
      out.println(figures(now));
    }
  }

  private void event(DemoSnapshot now, FaultReport fault) {
    boolean changed = fault.on() ? on.add(fault.fault()) : on.remove(fault.fault());
    if (changed) {
      String gateway = fault.fault().gateway().gatewayId();
      out.println(
          Numbers.clock(now.elapsedMs())
              + " "
              + gateway
              + (fault.on() ? ": " + fault.what() : " is well again")
              + (fault.on() || fault.sent() == 0
                  ? ""
                  : ": " + Numbers.grouped(fault.sent()) + " " + lower(fault.as()) + " so far"));
    }
  }

  private static String figures(DemoSnapshot now) {
    Balance balance = now.balance();
    return Numbers.clock(now.elapsedMs())
        + " readings/s "
        + Numbers.grouped(now.readings().perSecond())
        + ", windows/s "
        + Numbers.grouped(now.windows().perSecond())
        + ", lag "
        + Numbers.grouped(now.lagNow())
        + ", offered "
        + Numbers.grouped(balance.offered())
        + ", in windows "
        + Numbers.grouped(balance.inWindows())
        + ", late "
        + Numbers.grouped(balance.late())
        + ", rejected "
        + Numbers.grouped(balance.rejected())
        + ", duplicates "
        + Numbers.grouped(balance.duplicates())
        + ", silent sensors "
        + Numbers.grouped(now.events().silent())
        + ", active alarms "
        + Numbers.grouped(now.events().active())
        + ", events "
        + Numbers.grouped(now.events().events())
        + " in "
        + Numbers.grouped(now.events().folds())
        + " folds";
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  @Override
  public void close() {}
}
