// The stream of states. It is read with fetch, because an EventSource cannot send the Authorization header.

import { ApiError } from "./api.js";

const FIRST_DELAY_MILLIS = 1000;
const LONGEST_DELAY_MILLIS = 10_000;

/** States arrive every second; after this time without one, the connection is considered dead. */
const SILENCE_MILLIS = 10_000;

/** Far above the largest state; bounds the memory if the answer is not an event stream. */
const LONGEST_EVENT = 16_000_000;

/**
 * Follows the state of the node while the page is visible. Reports `connecting`, `live`, `reconnecting` and
 * `unauthorized` with the error, if there is one, to `onConnection`.
 */
export class StateStream {
  #api;
  #onState;
  #onConnection;
  #run = null;

  constructor(api, onState, onConnection) {
    this.#api = api;
    this.#onState = onState;
    this.#onConnection = onConnection;
  }

  start() {
    document.addEventListener("visibilitychange", () => this.restart());
    this.restart();
  }

  /** Ends the current connection and, if the page is visible, connects at once. */
  restart() {
    this.#run?.abort();
    this.#run = null;
    if (!document.hidden) {
      this.#run = new AbortController();
      this.#follow(this.#run.signal);
    }
  }

  async #follow(stop) {
    let delay = FIRST_DELAY_MILLIS;
    this.#onConnection("connecting");
    while (!stop.aborted) {
      let failure;
      try {
        await this.#read(stop, () => {
          delay = FIRST_DELAY_MILLIS;
        });
        failure = new Error("the server ended the stream");
      } catch (error) {
        failure = explained(error);
      }
      if (stop.aborted) {
        return;
      }
      if (failure instanceof ApiError && (failure.status === 401 || failure.status === 403)) {
        this.#onConnection("unauthorized", failure);
        return;
      }
      this.#onConnection("reconnecting", failure);
      await pause(delay, stop);
      delay = Math.min(2 * delay, LONGEST_DELAY_MILLIS);
    }
  }

  async #read(stop, onFirst) {
    const attempt = new AbortController();
    const end = () => attempt.abort();
    stop.addEventListener("abort", end);
    let silence;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MILLIS);
    };
    try {
      // No bound on time until here: the call may wait for the user to enter a token.
      const response = await this.#api.fetch("events", {
        headers: { Accept: "text/event-stream" },
        signal: attempt.signal,
      });
      heard();
      await readEvents(response.body, (data) => {
        if (!stop.aborted) {
          heard();
          onFirst();
          this.#onConnection("live");
          this.#onState(JSON.parse(data));
        }
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 503) {
        await this.#readOnce(stop);
      }
      throw error;
    } finally {
      clearTimeout(silence);
      stop.removeEventListener("abort", end);
      end();
    }
  }

  /** Without a place among the clients that watch, the page shows a state per attempt. */
  async #readOnce(stop) {
    const state = await this.#api.get("state");
    if (!stop.aborted) {
      this.#onState(state);
    }
  }
}

/** Texts of the browser for an interrupted stream, in words of the console. */
function explained(error) {
  if (error.name === "AbortError") {
    return new Error(`the node has been silent for ${SILENCE_MILLIS / 1000} s`);
  }
  return error instanceof TypeError ? new Error("the connection was lost") : error;
}

/** Parses server-sent events: lines that end with CR, LF or both, and an empty line after each event. */
async function readEvents(body, onData) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  let data = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    rest += decoder.decode(value, { stream: true });
    // A CR at the end may be the first half of a CR LF, so it waits for the next chunk.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      if (line === "" && data.length > 0) {
        onData(data.join("\n"));
        data = [];
      } else if (line.startsWith("data:")) {
        data.push(line.slice(line[5] === " " ? 6 : 5));
      }
    }
    if (rest.length > LONGEST_EVENT) {
      throw new Error("the answer is not an event stream");
    }
  }
}

function pause(millis, stop) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    stop.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
