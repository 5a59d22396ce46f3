package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds rights of every user, and rights of the commands that this command's user lacks; run it
 * with the credentials of each command.
 */
final class RightsCheck implements Check {
  @Override
  public String name() {
    return "rights";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    MissingRights missing = new MissingRights(cluster);
    for (ObservedProgram watched : cluster.programs()) {
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
                "if " + command + " has the same user, it does not start, or stops",
                "kafka-acls.sh --add for each; run weir doctor with the credentials of "
                    + command
                    + " (docs/reference/rights.md lists the minimum rights)"));
      }
    }
    for (WideRight wide : WideRight.of(cluster)) {
      findings.add(
          broken(
              "every user (User:*) may " + wide.operation() + " on " + wide.resource(),
              wide.why(),
              "remove it: " + wide.command() + "; docs/reference/rights.md lists the rights"));
    }
    return findings;
  }
}
