package io.tidegate.spring;

import io.tidegate.rules.web.KeyFunction;
import io.tidegate.rules.web.WebRequest;
import jakarta.servlet.http.HttpServletRequest;

/** The names that an expression can use in an application with Spring MVC. */
final class ServletRequestRoot extends RequestRoot {

  ServletRequestRoot(WebRequest view, KeyFunction address) {
    super(view, address);
  }

  public HttpServletRequest getRequest() {
    return view.unwrap(HttpServletRequest.class);
  }
}
