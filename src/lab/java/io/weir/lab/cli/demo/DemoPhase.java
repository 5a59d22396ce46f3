package io.weir.lab.cli.demo;

/** How far a demo is. */
enum DemoPhase {
  RUNNING("Ctrl-C ends it"),
  SENDING("the fleet has stopped, its gateways send what they hold"),
  SETTLING("the last windows close"),
  DONE("done");

  private final String words;

  DemoPhase(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
