// What is nicer with a script; everything works without. Nothing here makes markup of text: what the tail shows is the server's page, parsed as a page and moved over.
"use strict";
(() => {
  // Keys can be switched off: a screen reader or a dictation may use the same ones.
  const box = document.getElementById("keys-on");
  const kept = () => { try { return localStorage.getItem("airlock-keys") !== "off"; } catch { return true; } };
  if (box) {
    box.checked = kept();
    box.addEventListener("change", () => { try { localStorage.setItem("airlock-keys", box.checked ? "on" : "off"); } catch { /* only for this page then */ } });
  }

  let at = -1;
  const step = (selector, by) => {
    const all = [...document.querySelectorAll(selector)];
    if (!all.length) return;
    at = Math.min(all.length - 1, Math.max(0, at + by));
    all.forEach((one) => one.classList.toggle("here", one === all[at]));
    const target = all[at].querySelector("a.row") || all[at];
    if (!target.matches("a")) target.tabIndex = -1;
    target.focus({preventScroll: true});
    target.scrollIntoView({block: "center"});
  };
  let finding = -1;
  const nextFinding = () => {
    const all = [...document.querySelectorAll("tr.found")];
    if (!all.length) return;
    finding = (finding + 1) % all.length;
    all[finding].querySelector("a").focus();
    all[finding].scrollIntoView({block: "center"});
  };
  const go = (id, field) => {
    const place = document.getElementById(id);
    if (!place) return;
    place.scrollIntoView({block: "center"});
    (document.getElementById(field) || place).focus();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !box || !box.checked) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const rows = "[data-row], tr.change";
    const acts = {
      j: () => step(rows, 1), k: () => step(rows, -1), f: nextFinding,
      a: () => go("approve", "approve-name"), r: () => go("reject", "reject-note"),
      "?": () => { const keys = document.getElementById("keys"); keys.open = !keys.open; keys.scrollIntoView({block: "nearest"}); },
    };
    const door = /^[a-z]$/.test(event.key) && document.querySelector(`nav a[data-key="${event.key}"]`);
    const act = acts[event.key] || (door ? () => door.click() : null);
    if (!act) return;
    event.preventDefault();
    act();
  });

  // One click is one decision.
  for (const form of document.querySelectorAll("form"))
    form.addEventListener("submit", () => setTimeout(() => { for (const one of form.querySelectorAll("button")) one.disabled = true; }));
  addEventListener("pageshow", () => { for (const one of document.querySelectorAll("button:disabled")) one.disabled = false; });

  // The tail: the page is asked for again, and what is new comes in at the top.
  const tail = document.getElementById("tail");
  const state = document.getElementById("tail-state");
  if (!tail) return;
  // A row is known by its time and words; rows that are alike in both are counted, from the oldest, so that no two have one key.
  const keyed = (rows) => {
    const seen = new Map();
    return new Map([...rows].reverse().map((row) => {
      const words = (row.querySelector("time")?.dateTime ?? "") + row.textContent.replace(row.querySelector("time")?.textContent ?? "", "");
      seen.set(words, (seen.get(words) ?? 0) + 1);
      return [`${seen.get(words)} ${words}`, row];
    }).reverse());
  };
  let pause = 2000;
  const look = async () => {
    try {
      const answer = await fetch("/tail", {headers: {Accept: "text/html"}, cache: "no-store"});
      if (answer.status === 401) { state.textContent = "You are not signed in any more."; return; }
      if (!answer.ok) throw new Error(String(answer.status));
      const rows = [...new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll("#tail > li")];
      const known = keyed(tail.children);
      const wanted = keyed(rows);
      for (const [key, row] of known) if (!wanted.has(key)) row.remove();
      let place = 0;
      for (const [key, row] of wanted) {  // only what is new is added, so only that is read out
        const old = known.get(key);
        if (old) old.querySelector("time")?.replaceWith(row.querySelector("time"));
        else row.classList.add("fresh");
        const here = tail.children[place++] ?? null;
        if (here !== (old ?? row)) tail.insertBefore(old ?? row, here);
      }
      state.textContent = "Live.";
      pause = 2000;
    } catch {
      state.textContent = "The server does not answer; trying again.";
      pause = Math.min(30000, pause * 2);
    }
    setTimeout(look, document.hidden ? 15000 : pause);
  };
  state.textContent = "Live.";
  setTimeout(look, pause);
})();
