/** Configuration, start and stop of the application. */
package io.weir.app;
