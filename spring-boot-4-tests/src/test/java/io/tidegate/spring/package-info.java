/** Checks of the class path on which the tests of other modules run again. */
package io.tidegate.spring;
