/**
 * Commands that bring a broker along: for one's own machine, never in the production artefact. Uses
 * {@code dev} and the other commands.
 */
package io.weir.cli.local;
