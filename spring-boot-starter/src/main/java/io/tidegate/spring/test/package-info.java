/**
 * Support for tests of applications: {@link io.tidegate.spring.test.AutoConfigureTidegate}. Needs
 * no test library at run time, and does nothing in an application that does not use the annotation.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.spring.test;
