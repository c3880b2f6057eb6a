package io.tidegate.spring;

import io.tidegate.rules.web.KeyFunction;
import io.tidegate.rules.web.WebRequest;
import org.jspecify.annotations.Nullable;

/**
 * The names that an expression of a rule can use: its getters are properties, its other public
 * methods are functions. A subclass adds the request of its framework.
 *
 * <p>Expressions are checked against the types of this class at the start of the application, so a
 * getter must have the most exact type.
 */
abstract class RequestRoot {

  final WebRequest view;
  private final KeyFunction address;

  /**
   * The names for one request.
   *
   * @param address finds the address of the client
   */
  RequestRoot(WebRequest view, KeyFunction address) {
    this.view = view;
    this.address = address;
  }

  public String getMethod() {
    return view.method();
  }

  public String getPath() {
    return view.path();
  }

  public @Nullable String getPrincipal() {
    return view.principal();
  }

  public @Nullable String getClientAddress() {
    return address.keyOf(view);
  }

  public @Nullable String header(String name) {
    return view.header(name);
  }

  public @Nullable String cookie(String name) {
    return view.cookie(name);
  }
}
