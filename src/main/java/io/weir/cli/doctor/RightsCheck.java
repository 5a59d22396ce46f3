package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * Rights that everybody has, and rights that this command's user lacks of those that the commands
 * need: with the credentials of a command it says what that one lacks.
 */
final class RightsCheck implements Check {
  @Override
  public String name() {
    return "rights";
  }

  @Override
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>();
    MissingRights missing = new MissingRights(of);
    for (Watched watched : of.programs()) {
      List<String> lacking = missing.of(watched);
      if (!lacking.isEmpty()) {
        String command = watched.program().command();
        findings.add(
            risk(
                "this user lacks "
                    + Offsets.list(lacking, right -> right)
                    + ", which "
                    + command
                    + " needs",
                "if " + command + " has the same user it does not start, or stops",
                "kafka-acls.sh --add for each; look with the credentials of "
                    + command
                    + " (docs/operate/rights.md lists the least rights)"));
      }
    }
    for (WideRight wide : WideRight.of(of)) {
      findings.add(
          broken(
              "everybody (User:*) may " + wide.operation() + " on " + wide.resource(),
              wide.why(),
              "take it away: "
                  + wide.command()
                  + "; docs/operate/rights.md lists the least rights"));
    }
    return findings;
  }
}
