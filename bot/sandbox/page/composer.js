// The input that is always there: messages, edits, replies, and slash commands.

import { byId, el } from "./dom.js";
import { CommandLine } from "./commands.js";

export class Composer {
  constructor(send, history) {
    this.send = send;
    this.history = history;
    this.input = byId("say");
    this.panel = byId("panel");
    this.context = byId("context");
    this.editing = null;
    this.replying = null;
    this.commands = new CommandLine(this.input, this.panel, send);
    byId("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter();
    });
    this.input.addEventListener("keydown", (event) => this.key(event));
    byId("send").addEventListener("mousedown", (event) => event.preventDefault());
    this.context.addEventListener("click", () => this.cancel());
    document.addEventListener("keydown", (event) => this.typedElsewhere(event));
  }

  focus() {
    this.input.focus({ preventScroll: true });
  }

  setGuild(guild) {
    this.commands.guild = guild;
    this.input.disabled = !guild.can.send && !this.commands.all.length;
    this.input.placeholder = guild.can.send ? `Message #${guild.channel.name}` : "You may not write in this channel";
  }

  setCommands(commands) {
    this.commands.all = commands;
    this.commands.show();
  }

  // Everything up to clearing the input happens in one go, so the next key meets an empty input.
  enter() {
    if (this.commands.active) {
      this.commands.enter();
      return;
    }
    const content = this.input.value.trim();
    this.input.value = "";
    if (content) {
      if (this.editing) this.send({ do: "edit", message: this.editing.id, content });
      else this.send({ do: "say", content, reply_to: this.replying?.id });
    }
    this.cancel();
  }

  key(event) {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.enter();
    } else if (this.commands.active && this.commands.key(event)) {
      event.preventDefault();
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.cancel();
      this.commands.show();
    } else if (event.key === "ArrowUp" && !this.input.value) {
      const mine = this.history().filter((message) => message.mine && message.content).at(-1);
      if (mine) this.edit(mine);
    }
  }

  typedElsewhere(event) {
    const free = document.activeElement === document.body || document.activeElement === byId("scroller");
    if (free && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) this.focus();
  }

  edit(message) {
    this.cancel();
    this.editing = message;
    this.input.value = message.content;
    this.tell("Editing your message");
  }

  reply(message) {
    this.cancel();
    this.replying = message;
    this.tell(`Replying to ${message.author.name}`);
  }

  tell(text) {
    this.context.replaceChildren(text, el("button", { type: "button", class: "plain", tabindex: "-1" }, "Cancel"));
    this.context.hidden = false;
    this.focus();
  }

  cancel() {
    if (this.editing && this.input.value === this.editing.content) this.input.value = "";
    this.editing = null;
    this.replying = null;
    this.context.hidden = true;
  }
}
