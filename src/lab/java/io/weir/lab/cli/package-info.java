/**
 * Commands that bring a broker along: for one's own machine, never in the production artefact. Uses
 * everything.
 */
package io.weir.lab.cli;
