// One message as an element. What a press means is read from data attributes, so an element can
// be changed in place without carrying listeners over.

import { el } from "./dom.js";
import { inline, markdown } from "./markdown.js";

const GROUPED_WITHIN = 7 * 60 * 1000;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const STYLES = ["", "primary", "secondary", "success", "danger", "link", "secondary"];
const SELECTS = { 3: "Choose", 5: "Choose a member", 6: "Choose a role", 7: "Choose", 8: "Choose a channel" };

export const avatar = (author) =>
  el("span", { class: `avatar hue${Number(BigInt(author.id) % 8n)}`, "aria-hidden": "true" }, [...author.name][0] ?? "?");

export function sameGroup(message, previous) {
  return Boolean(
    previous && previous.author.id === message.author.id && !message.command && !message.reply &&
    !message.private && !previous.private &&
    new Date(message.at) - new Date(previous.at) < GROUPED_WITHIN,
  );
}

export function renderMessage(message, previous) {
  const compact = sameGroup(message, previous);
  const classes = ["message", compact && "compact", message.private && "private", message.mentioned && "mentioned"];
  return el(
    "li", { class: classes.filter(Boolean).join(" "), "data-key": message.id, "data-message": message.id },
    above(message),
    compact ? el("time", { class: "margin" }, clock.format(new Date(message.at))) : avatar(message.author),
    el("div", { class: "body" }, compact ? null : byline(message), content(message)),
    tools(message),
  );
}

function above(message) {
  if (message.command) {
    return el("p", { class: "above" }, el("b", {}, message.command.by), " used ", el("span", { class: "mention" }, `/${message.command.name}`));
  }
  if (!message.reply) return null;
  const { author, text } = message.reply;
  return el("p", { class: "above" }, "↱ ", el("b", {}, author ?? "A deleted message"), ` ${text}`);
}

function byline(message) {
  return el(
    "p", { class: "byline" },
    el("b", { class: message.author.bot ? "bot" : `hue${Number(BigInt(message.author.id) % 8n)}` }, message.author.name),
    message.author.bot ? el("span", { class: "badge" }, "APP") : null,
    el("time", { datetime: message.at }, clock.format(new Date(message.at))),
  );
}

function content(message) {
  if (message.loading) {
    return [el("p", { class: "thinking" }, el("i"), el("i"), el("i"), ` ${message.author.name} is thinking…`), privateNote(message)];
  }
  const text = markdown(message.content);
  if (message.edited && text.length) text.at(-1).append(el("span", { class: "edited" }, " (edited)"));
  return [
    text.length ? el("div", { class: "text" }, text) : null,
    message.components.map(component),
    message.attachments.map(attachment),
    message.reactions.length ? el("div", { class: "reactions" }, message.reactions.map((r) => reaction(r))) : null,
    privateNote(message),
  ];
}

function privateNote(message) {
  if (!message.private) return null;
  return el(
    "p", { class: "note" }, "Only you can see this · ",
    el("button", { type: "button", class: "plain", "data-do": "dismiss" }, "Dismiss message"),
  );
}

function tools(message) {
  if (message.private || message.loading) return null;
  const tool = (action, label, sign) =>
    el("button", { type: "button", "data-do": action, title: label, "aria-label": label, tabindex: "-1" }, sign);
  return el(
    "div", { class: "tools" },
    tool("react", "React", "+☺"), tool("reply", "Reply", "↩"),
    message.mine && message.content ? tool("edit", "Edit", "✎") : null,
    message.mine ? tool("delete", "Delete", "✕") : null,
  );
}

const reaction = ({ emoji, count, me }) =>
  el("button", { type: "button", class: me ? "reaction me" : "reaction", "data-do": "reaction", "data-key": emoji, "data-emoji": emoji, "data-me": String(me) }, `${emoji} ${count}`);

function attachment(file) {
  if (!(file.content_type ?? "").startsWith("image/")) {
    return el("a", { class: "file", href: file.url, download: file.filename }, `${file.filename}`);
  }
  return gallery([{ media: file, description: file.description }], file.id);
}

// -- components

export function component(part) {
  const make = COMPONENTS[part.type];
  return make ? make(part) : el("p", { class: "unknown" }, `(component ${part.type})`);
}

const COMPONENTS = {
  1: (row) => el("div", { class: "row" }, row.components.map(component)),
  2: button,
  3: select, 5: select, 6: select, 7: select, 8: select,
  9: (section) =>
    el("div", { class: "section" }, el("div", {}, section.components.map(component)), component(section.accessory)),
  10: (text) => el("div", { class: "text" }, markdown(text.content)),
  11: (thumbnail) => el("div", { class: "thumbnail" }, picture(thumbnail, `t${thumbnail.id}`)),
  12: (part) => gallery(part.items, part.id),
  13: (part) => el("a", { class: "file", href: part.file.url, download: part.name ?? "file" }, `${part.name ?? "file"}`),
  14: (line) => el("hr", { class: `${line.divider === false ? "blank" : ""} ${line.spacing === 2 ? "wide" : ""}` }),
  17: container,
};

function container(part) {
  const box = el("div", { class: "container" }, part.components.map(component));
  if (part.accent_color !== null && part.accent_color !== undefined) {
    box.style.setProperty("--accent", `#${part.accent_color.toString(16).padStart(6, "0")}`);
  }
  return box;
}

export const emojiOf = (emoji) => (emoji ? (emoji.id ? `:${emoji.name}:` : emoji.name) : "");

function button(part) {
  const emoji = emojiOf(part.emoji);
  const label = [emoji ? el("span", { class: "emoji" }, emoji) : null, part.label ?? ""];
  if (part.style === 5) {
    return el("a", { class: "button link", href: part.url, target: "_blank", rel: "noreferrer noopener" }, label, " ↗");
  }
  return el(
    "button",
    { type: "button", class: `button ${STYLES[part.style]}`, disabled: part.disabled, "data-do": "click", "data-key": part.custom_id, "data-custom": part.custom_id },
    label,
  );
}

function select(part) {
  const chosen = (part.options ?? []).filter((option) => option.default).map((option) => option.label);
  const given = (part.default_values ?? []).map((value) => inline({ user: `<@${value.id}>`, role: `<@&${value.id}>`, channel: `<#${value.id}>` }[value.type]));
  const shown = chosen.length ? chosen.join(", ") : given.length ? given : null;
  return el(
    "button",
    { type: "button", class: "select", disabled: part.disabled, "data-do": "select", "data-key": part.custom_id, "data-custom": part.custom_id, "aria-haspopup": "listbox", "aria-expanded": "false" },
    el("span", { class: shown ? "" : "placeholder" }, shown ?? part.placeholder ?? SELECTS[part.type]),
    el("span", { class: "arrow", "aria-hidden": "true" }, "⌄"),
  );
}

function gallery(items, id) {
  return el("div", { class: `gallery of${Math.min(items.length, 4)}` }, items.map((item, index) => picture(item, `p${id}-${index}`)));
}

function picture(item, key) {
  const { url, width, height } = item.media;
  return el(
    "button", { type: "button", class: item.spoiler ? "picture hidden" : "picture", "data-do": "picture", "data-key": key },
    el("img", { src: url, width, height, alt: item.description ?? "", decoding: "async" }),
    item.description ? el("span", { class: "alt", "aria-hidden": "true" }, "ALT") : null,
  );
}
