/**
 * Files of readings that are sent once, however often the command is run or killed. Uses the
 * publisher and text.
 */
package io.weir.cli.ledger;
