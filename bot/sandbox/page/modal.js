// Forms that a bot opens: text inputs, selects of every kind, checkboxes and radio buttons.

import { byId, el } from "./dom.js";
import { inline, markdown } from "./markdown.js";
import { choicesOf, openMenu } from "./menu.js";

const dialog = byId("modal");

export function closeModal() {
  if (dialog.open && dialog.dataset.sent) dialog.close();
}

export function openModal(modal, guild, submit, closed) {
  const fields = new Map(); // custom id -> a function that reads the value
  const error = el("p", { class: "error", role: "alert" });
  const form = el(
    "form", { method: "dialog" },
    el("h2", {}, modal.title),
    el("div", { class: "fields" }, modal.components.map((part) => block(part, guild, fields))),
    error,
    el("footer", {}, el("button", { type: "button", class: "button secondary", value: "cancel" }, "Cancel"),
      el("button", { type: "submit", class: "button primary" }, "Submit")),
  );
  delete dialog.dataset.sent;
  dialog.replaceChildren(form);
  form.querySelector('[value="cancel"]').addEventListener("click", () => dialog.close());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.dataset.sent = "true";
    const values = Object.fromEntries([...fields].map(([id, read]) => [id, read()]));
    submit(values, (answer) => {
      if (answer.t === "refused") error.textContent = answer.why;
      else if (answer.t !== "modal") dialog.close();
    });
  });
  dialog.onclose = closed;
  if (!dialog.open) dialog.showModal();
  form.querySelector("input, textarea, button.select")?.focus();
}

function block(part, guild, fields) {
  if (part.type === 1) return part.components.map((child) => block(child, guild, fields));
  if (part.type === 10) return el("div", { class: "text" }, markdown(part.content));
  const inner = part.type === 18 ? part.component : part;
  return el(
    "div", { class: "field" },
    el("label", { for: inner.custom_id }, part.label ?? "", inner.required !== false ? el("span", { class: "needed" }, " *") : null),
    part.description ? el("small", {}, part.description) : null,
    control(inner, guild, fields),
  );
}

function control(part, guild, fields) {
  if (part.type === 4) return textInput(part, fields);
  if (part.type === 23) {
    const box = el("input", { type: "checkbox", id: part.custom_id, checked: part.default });
    fields.set(part.custom_id, () => box.checked);
    return box;
  }
  if (part.type === 21 || part.type === 22) return boxes(part, fields);
  return select(part, guild, fields);
}

function textInput(part, fields) {
  const shared = {
    id: part.custom_id, placeholder: part.placeholder, required: part.required !== false,
    minlength: part.min_length, maxlength: part.max_length ?? 4000,
  };
  const input = part.style === 2 ? el("textarea", { ...shared, rows: 4 }) : el("input", { ...shared, type: "text", autocomplete: "off" });
  input.value = part.value ?? "";
  fields.set(part.custom_id, () => input.value);
  return input;
}

function boxes(part, fields) {
  const type = part.type === 21 ? "radio" : "checkbox";
  const inputs = part.options.map((option) => el("input", { type, name: part.custom_id, value: option.value, checked: option.default }));
  const chosen = () => inputs.filter((input) => input.checked).map((input) => input.value);
  fields.set(part.custom_id, () => (type === "radio" ? chosen()[0] ?? null : chosen()));
  return el("div", {}, part.options.map((option, index) =>
    el("label", { class: "box" }, inputs[index], el("span", {}, option.label, option.description ? el("small", {}, option.description) : null))));
}

function select(part, guild, fields) {
  const choices = choicesOf(part, guild);
  let values = choices.filter((choice) => choice.default).map((choice) => choice.value);
  const shown = el("span");
  const node = el("button", { type: "button", class: "select", id: part.custom_id, "aria-haspopup": "listbox" }, shown, el("span", { class: "arrow" }, "⌄"));
  const show = () => {
    const labels = choices.filter((choice) => values.includes(choice.value)).map((choice) => choice.label);
    shown.replaceChildren(...inline(labels.join(", ") || part.placeholder || "Choose"));
    shown.className = labels.length ? "" : "placeholder";
  };
  node.addEventListener("click", () => openMenu(node, part, guild, (picked) => {
    values = picked;
    show();
  }));
  fields.set(part.custom_id, () => values);
  show();
  return node;
}
