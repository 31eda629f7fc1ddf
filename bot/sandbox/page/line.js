// The line to the server. What is sent keeps its order, survives a lost connection, and arrives
// once: every action has a reference that the server answers.

const LONGEST_PAUSE = 2000;

export class Line {
  constructor(url, handlers) {
    this.url = url;
    this.handlers = handlers;
    this.waiting = new Map(); // reference -> action, in the order of sending
    this.callbacks = new Map();
    this.count = 0;
    this.prefix = Math.random().toString(36).slice(2, 8);
    this.pause = 100;
    this.ready = false;
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(this.url);
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = () => {
      this.ready = false;
      this.handlers.state(false, this.waiting.size);
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    };
  }

  take(message) {
    if (message.t === "hello") {
      this.pause = 100;
      this.ready = true;
      this.handlers.state(true, 0);
    }
    if (message.ref) {
      this.waiting.delete(message.ref);
      const callback = this.callbacks.get(message.ref);
      if (callback) {
        this.callbacks.delete(message.ref);
        callback(message);
      }
    }
    this.handlers[message.t]?.(message);
    if (message.t === "hello") for (const action of this.waiting.values()) this.socket.send(JSON.stringify(action));
  }

  // Only what somebody said is sent again after a lost connection; a stale click is not.
  send(action, callback) {
    const ref = `${this.prefix}-${++this.count}`;
    const full = { ...action, ref };
    if (action.do === "say") this.waiting.set(ref, full);
    if (callback) this.callbacks.set(ref, callback);
    if (this.ready) this.socket.send(JSON.stringify(full));
    else if (action.do !== "say") callback?.({ t: "refused", ref, why: "There is no connection." });
    else this.handlers.state(false, this.waiting.size);
  }
}
