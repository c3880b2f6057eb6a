package io.tidegate.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Handlers of the applications under test. */
final class TestServlets {

  private TestServlets() {}

  /** A handler that is a function. */
  interface Handler {
    void handle(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException;
  }

  static HttpServlet of(Handler handler) {
    return new HandlerServlet(handler);
  }

  /** Answers with a text, and counts its calls. */
  static HttpServlet text(String text, AtomicInteger calls) {
    return of((request, response) -> {
      calls.incrementAndGet();
      response.getWriter().write(text);
    });
  }

  /** Starts asynchronous processing, and answers when it is dispatched a second time. */
  static HttpServlet dispatchedTwice(AtomicInteger calls) {
    return of((request, response) -> {
      if (calls.incrementAndGet() % 2 == 1) {
        AsyncContext context = request.startAsync(request, response);
        context.start(context::dispatch);
      } else {
        response.getWriter().write("second, " + request.getDispatcherType());
      }
    });
  }

  /** Starts asynchronous processing, and never ends it. */
  static HttpServlet timingOut() {
    return of((request, response) -> {
      if (request.getDispatcherType() == DispatcherType.REQUEST) {
        request.startAsync().setTimeout(50);
      }
    });
  }

  private static final class HandlerServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    private final transient Handler handler;

    HandlerServlet(Handler handler) {
      this.handler = handler;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      handler.handle(request, response);
    }
  }
}
