/**
 * Files of readings that are sent once, however often the command is run or killed. Uses {@code
 * app}, {@code edge}, {@code reading}, {@code text} and {@code topic}.
 */
package io.weir.cli.ledger;
