/**
 * The commands. {@link io.weir.cli.Weir} is the main class; each command is one class with its
 * options and examples. Uses everything, because no other package knows the commands.
 */
package io.weir.cli;
