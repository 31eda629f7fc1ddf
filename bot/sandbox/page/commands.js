// Slash commands in the composer's own text: "/rox play opponents:2 level:master". While it is
// typed, the panel offers commands, then options, then values.

import { el } from "./dom.js";

const KIND = { 3: "text", 4: "whole number", 5: "yes or no", 6: "member", 7: "channel", 8: "role", 9: "member or role", 10: "number", 11: "file" };
const SHOWN = 12;

export class CommandLine {
  constructor(input, panel, send) {
    this.input = input;
    this.panel = panel;
    this.send = send;
    this.all = [];
    this.known = new Map(); // option and shown name -> the value picked for it
    this.guild = null;
    this.items = [];
    this.at = 0;
    this.completed = { key: "", choices: [] };
    input.addEventListener("input", () => this.show());
    panel.addEventListener("mousedown", (event) => event.preventDefault());
    panel.addEventListener("click", (event) => {
      const item = event.target.closest("[data-item]");
      if (item) this.pick(this.items[Number(item.dataset.item)]);
    });
  }

  get active() {
    return this.input.value.startsWith("/") && this.all.length > 0;
  }

  // The command whose path begins the text, the options given so far, and the one being typed.
  parse() {
    const text = this.input.value.slice(1);
    const command = this.all
      .filter((c) => text === c.path || text.startsWith(`${c.path} `))
      .sort((a, b) => b.path.length - a.path.length)[0];
    if (!command) return { command: null, prefix: text.toLowerCase() };
    const rest = text.slice(command.path.length);
    const names = command.options.map((option) => option.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const marks = names.length ? [...rest.matchAll(new RegExp(`(?<=^|\\s)(${names.join("|")}):`, "gu"))] : [];
    const given = new Map();
    let loose = marks.length ? "" : rest.trimStart();
    marks.forEach((mark, index) => {
      const last = index === marks.length - 1;
      const raw = rest.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? rest.length);
      const option = command.options.find((o) => o.name === mark[1]);
      const value = last ? this.valueOf(option, raw) : raw.trim();
      if (last) loose = raw.trimStart().slice(value.length).trimStart();
      given.set(mark[1], { raw: value, open: last && raw.trimStart() === value });
    });
    return { command, given, chosen: text.length > command.path.length, loose };
  }

  // Where a value ends: free text goes on, a name may have spaces, a number has none.
  valueOf(option, raw) {
    const text = raw.trimStart();
    const names = [...this.known.keys()].filter((key) => key.startsWith(`${option.name}\0`)).map((key) => key.split("\0")[1]);
    const named = names.filter((name) => text === name || text.startsWith(`${name} `)).sort((a, b) => b.length - a.length)[0];
    if (named !== undefined) return named;
    if (option.type === 4 || option.type === 5 || option.type === 10) return text.split(/\s/)[0];
    return option.type === 3 && !option.choices ? text : text.trim();
  }

  // -- what can be chosen for an option

  values(option, typed) {
    const wanted = typed.replace(/^[@#]/, "").toLowerCase();
    const fits = (label) => label.toLowerCase().includes(wanted);
    const named = (list, sign) => list.filter((x) => fits(x.name)).map((x) => ({ label: sign + x.name, value: x.id }));
    if (option.autocomplete) return this.complete(option, typed);
    if (option.choices) return option.choices.filter((c) => fits(c.name)).map((c) => ({ label: c.name, value: String(c.value) }));
    switch (option.type) {
      case 5: return [{ label: "true", value: "true" }, { label: "false", value: "false" }].filter((c) => fits(c.label));
      case 6: return named(this.guild.members, "@");
      case 7: return named(this.guild.channels, "#");
      case 8: return named(this.guild.roles, "@");
      case 9: return [...named(this.guild.members, "@"), ...named(this.guild.roles, "@")];
      default: return [];
    }
  }

  complete(option, typed) {
    const { command } = this.parse();
    const key = `${command.path}\0${option.name}\0${typed}`;
    if (this.completed.key !== key) {
      this.completed = { key, choices: [] };
      const action = { do: "complete", path: command.path, option: option.name, text: typed, options: this.filled(true) };
      this.send(action, ({ choices }) => {
        if (this.completed.key !== key || !choices) return;
        this.completed.choices = choices.map((c) => ({ label: c.name, value: String(c.value) }));
        this.show();
      });
    }
    return this.completed.choices;
  }

  // Wire values of what was typed: a shown name stands for its value.
  filled(partial = false) {
    const { command, given } = this.parse();
    const options = {};
    for (const [name, { raw, open }] of given) {
      const option = command.options.find((o) => o.name === name);
      if (!raw || (partial && open)) continue;
      const known = this.known.get(`${name}\0${raw}`);
      const exact = option.autocomplete ? null : this.values(option, raw).find((v) => v.label.toLowerCase() === raw.toLowerCase());
      options[name] = known ?? exact?.value ?? raw;
    }
    return options;
  }

  // -- the panel

  suggestions(state) {
    if (!state.command || !state.chosen) {
      const prefix = (state.command?.path ?? state.prefix).toLowerCase();
      return {
        head: "Commands",
        items: this.all.filter((c) => c.path.toLowerCase().startsWith(prefix) || c.path.split(" ").some((p) => p.startsWith(prefix)))
          .map((c) => ({ label: `/${c.path}`, hint: c.description, text: `/${c.path} ` })),
      };
    }
    const { command, given, loose } = state;
    const [name, typing] = [...given].at(-1) ?? [];
    const option = command.options.find((o) => o.name === name);
    if (option && typing.open) {
      const bounds = [option.min_value !== undefined && `from ${option.min_value}`, option.max_value !== undefined && `to ${option.max_value}`];
      const kind = [KIND[option.type], ...bounds].filter(Boolean).join(" ");
      return {
        head: `${option.name}: ${option.description} (${kind})`,
        items: this.values(option, typing.raw).map((v) => ({ label: v.label, value: v.value, option: name })),
      };
    }
    const left = command.options.filter((o) => !given.has(o.name) && o.name.startsWith(loose.toLowerCase()));
    return {
      head: `/${command.path}: ${command.description}`,
      items: left.map((o) => ({
        label: `${o.name}:`, hint: `${o.required ? "needed. " : ""}${o.description}`, required: o.required, add: o.name,
      })),
    };
  }

  show() {
    this.panel.hidden = !this.active;
    this.input.setAttribute("aria-expanded", String(this.active));
    if (!this.active) return;
    const state = this.parse();
    const { head, items } = this.suggestions(state);
    this.items = items.slice(0, SHOWN);
    this.at = Math.min(this.at, Math.max(this.items.length - 1, 0));
    const missing = this.missing(state);
    const ready = state.command && !missing.length && !this.wouldPick(state);
    this.panel.replaceChildren(
      el("p", { class: "head" }, el("span", {}, head), ready ? el("kbd", {}, "Enter sends") : missing.length ? el("kbd", {}, `needs ${missing.join(", ")}`) : null),
      el("ul", { role: "listbox" }, this.items.map((item, index) =>
        el("li", { role: "option", "data-item": index, "aria-selected": index === this.at ? "true" : "false" },
          el("b", {}, item.label), el("span", {}, item.hint ?? "")))),
    );
  }

  missing(state) {
    if (!state.command) return [];
    return state.command.options.filter((o) => o.required && !state.given.get(o.name)?.raw).map((o) => o.name);
  }

  // -- keys

  key(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.at = (this.at + step + this.items.length) % Math.max(this.items.length, 1);
      this.moved = true;
      this.show();
      return true;
    }
    if (event.key !== "Tab") return false;
    if (this.items.length) this.pick(this.items[this.at]);
    return true;
  }

  pick(item) {
    const value = this.input.value;
    if (item.text) this.input.value = item.text;
    else if (item.add) this.input.value = `${value.replace(/\S*$/, "").trimEnd()} ${item.add}:`;
    else {
      this.known.set(`${item.option}\0${item.label}`, item.value);
      this.input.value = `${value.slice(0, value.lastIndexOf(`${item.option}:`))}${item.option}:${item.label} `;
    }
    this.at = 0;
    this.moved = false;
    this.input.focus();
    this.show();
  }

  // What Enter would do: pick the item at hand, or null to send (which may still be refused here).
  wouldPick(state) {
    const item = this.items[this.at];
    if (!state.command || (!state.chosen && state.command.options.some((o) => o.required))) return item ?? null;
    const [, typing] = [...state.given].at(-1) ?? [];
    if (item?.option && typing?.open && (this.moved || item.label !== typing.raw)) return item;
    if (item?.add && this.moved) return item;
    if (this.missing(state).length) return this.items.find((i) => i.required) ?? null;
    return null;
  }

  enter() {
    const state = this.parse();
    const item = this.wouldPick(state);
    if (item) this.pick(item);
    if (item || !state.command || this.missing(state).length) return;
    const action = { do: "slash", path: state.command.path, options: this.filled() };
    this.input.value = "";
    this.known.clear();
    this.at = 0;
    this.moved = false;
    this.show();
    this.send(action);
  }
}
