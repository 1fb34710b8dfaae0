"use strict";
const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
/** What stands before every address of the site. */
const base = document.documentElement.dataset.base ?? "";
const toApp = `a[href^="${base}/apps/"]`;
const content = () => one("#content");
/** The HTML of each section as it was sent: what the script has added to it does not count. */
let sent = new Map();
const remember = () => {
  sent = new Map(all("#content > section[id]").map(section => [section.id, section.outerHTML]));
};
/** What can be focused in `root`, in order. */
const stops = root => all("a[href], button, input, select, summary, [tabindex]", root);
// What `stop` in `old` will be: what has its address or name. A heading that sorts and the number of a page have
// another address each time, and are known by their words.
const again = (old, stop) => {
  const key = one => one.closest("thead, .pager") ? "words " + one.textContent
    : one.href || one.dataset.pair || one.name || one.className;
  const same = root => stops(root).filter(other => key(other) === key(stop));
  const number = same(old).indexOf(stop);
  return fresh => same(fresh)[number];
};

const replace = (old, fresh) => {
  const active = document.activeElement;
  const next = old.contains(active) && again(old, active);
  const offsets = all(".scroll, .strip", old).map(region => region.scrollLeft);
  const open = all("details", old).map(details => details.open);
  const chosen = all("[type=radio]", old).map(radio => radio.checked);
  old.replaceWith(fresh);
  enhance(fresh);
  all(".scroll, .strip", fresh).forEach((region, index) => { region.scrollLeft = offsets[index] || 0; });
  all("details", fresh).forEach((details, index) => { details.open = open[index] || details.open; });
  all("[type=radio]", fresh).forEach((radio, index) => { radio.checked = chosen[index] ?? radio.checked; });
  if (next) next(fresh)?.focus({ preventScroll: true });
};

/** Says how the service is as `now` does, and keeps the focus; `otherwise`, in red, where there is no `now`. */
const tellService = (line, now, otherwise) => {
  line.className = now?.className ?? "service down";
  line.textContent = now?.textContent ?? otherwise;
};

/** Replaces the sections that differ in `page`; all of them where they are not the same ones. */
const update = (page, isAsked) => {
  const fresh = all("#content > section[id]", page);
  const ids = all("#content > section[id]").map(section => section.id).join();
  // What is looked at stays where it is; in another order of the rows that is what was chosen, and no row.
  const active = document.activeElement;
  const seen = content().contains(active) ? active : isAsked ? null
    : stops(content()).find(stop => stop.getBoundingClientRect().bottom > 0);
  const top = seen?.getBoundingClientRect().top;
  const next = seen && again(content(), seen);
  if (ids === fresh.map(section => section.id).join()) {
    const before = sent;
    sent = new Map(fresh.map(section => [section.id, section.outerHTML]));
    for (const section of fresh) {
      if (before.get(section.id) === section.outerHTML) continue;
      replace(document.getElementById(section.id), document.adoptNode(section));
    }
  } else {
    sent = new Map(fresh.map(section => [section.id, section.outerHTML]));
    replace(content(), document.adoptNode(one("#content", page)));
  }
  for (const part of ["h1", ".made"]) {
    const [old, now] = [one(part), one(part, page)];
    if (old && now && old.outerHTML !== now.outerHTML) old.replaceWith(document.adoptNode(now));
  }
  if (one(".service") && one(".service", page)) tellService(one(".service"), one(".service", page));
  // How many rows there are beside those of the page is told by another section.
  for (const field of all(".filter input")) if (field.value) field.dispatchEvent(new Event("input"));
  document.title = page.title;
  const now = next?.(content());
  if (now) scrollBy(0, now.getBoundingClientRect().top - top);
};

let asking = null;
/** Fetches a page and shows its parts in place of those here. A later one ends an earlier one. */
const show = async (address, push) => {
  asking?.abort();
  const own = asking = new AbortController();
  content().classList.add("busy");
  try {
    const answer = await fetch(address, { signal: own.signal, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    // What is shown is better than an error that nobody asked for.
    if (!push && !answer.ok) return;
    if (!one("#content", page)) return void (location.href = address);
    if (push) history.pushState(null, "", address);
    update(page, push);
  } catch (error) {
    if (error.name !== "AbortError" && push) location.href = address;
  } finally {
    if (asking === own) content().classList.remove("busy");
  }
};
const formAddress = form => {
  const asked = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  return form.getAttribute("action") + (asked.size ? "?" + asked : "");
};

document.addEventListener("click", event => {
  const link = event.target.closest("thead a, .pager a");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    show(link.getAttribute("href"), true).then(() => {
      if (link.closest(".pager")) one("#main").scrollIntoView();
    });
  }
  const star = event.target.closest(".star");
  if (star) toggle(star);
  if (event.target.closest("[data-print]")) print();
  if (event.target.closest("[data-cancel]")) { stop(); fill('<p class="state">Cancelled.</p>'); one("#query").focus(); }
  const copier = event.target.closest("[data-copy]");
  if (copier) copy(copier, one("pre code", copier.closest("details")));
  for (const menu of all(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  for (const menu of all(".menu[open]")) { menu.open = false; one("summary", menu).focus(); }
});
document.addEventListener("submit", event => {
  const form = event.target;
  if (form.method !== "get") return;
  event.preventDefault();
  if (form.classList.contains("search")) return void ask(form);
  const here = new URL(formAddress(form), location.href).pathname === location.pathname;
  if (here) show(formAddress(form), true); else location.href = formAddress(form);
});
addEventListener("popstate", () => location.reload());

// What still loads is not wanted any more.
addEventListener("pagehide", () => {
  asking?.abort();
  searching?.abort();
  for (const image of document.images) if (!image.complete) image.removeAttribute("src");
});

// Stars: pairs that stay on top, kept by this browser.
const starred = () => { try { return JSON.parse(localStorage.stars || "[]"); } catch { return []; } };
const pairOf = row => {
  const query = one(`a[href^="${base}/queries"]`, row);
  if (!query) return null;
  let app = one(toApp, row);
  for (let above = row; !app && above; above = above.previousElementSibling) {
    if (above.className === "group") app = one(toApp, above);
  }
  app ??= one(".group " + toApp, row.parentElement);
  return app ? app.getAttribute("href") + " " + query.getAttribute("href") : null;
};
const toggle = star => {
  const kept = starred();
  const pair = star.dataset.pair;
  const isOn = kept.includes(pair);
  localStorage.stars = JSON.stringify(isOn ? kept.filter(other => other !== pair) : [...kept, pair].slice(-50));
  if (isOn) {
    const top = star.closest(".starred");
    for (const other of all(".star")) {
      if (other.dataset.pair === pair) other.setAttribute("aria-pressed", "false");
    }
    if (top) star.closest("tr").remove();
    else all(".starred .star").find(other => other.dataset.pair === pair)?.closest("tr").remove();
  } else {
    star.setAttribute("aria-pressed", "true");
    keep(star.closest("table"), star.closest("tr"), pair);
  }
  for (const part of all(".starred")) part.hidden = part.rows.length === 0;
};
const addStar = (row, pair) => {
  const star = document.createElement("button");
  star.type = "button";
  star.className = "star";
  star.dataset.pair = pair;
  star.textContent = "★";
  star.setAttribute("aria-label", "Keep on top");
  star.setAttribute("aria-pressed", String(starred().includes(pair)));
  one("th", row).prepend(star);
};
/** A copy of the row on top of the table, with its app where only a heading says which it is. */
const keep = (table, row, pair) => {
  const top = one(".starred", table);
  const copy = row.cloneNode(true);
  if (!one(toApp, copy)) {
    const group = row.parentElement.querySelector(".group " + toApp);
    if (group) one("th", copy).append(" · ", group.cloneNode(true));
  }
  one(".star", copy)?.remove();
  addStar(copy, pair);
  top.append(copy);
  top.hidden = false;
};
const enhanceStars = root => {
  if (!root.closest("[data-stars]") && !root.matches("[data-stars]")) return;
  for (const table of all("table", root)) {
    if (!one("thead a", table)) continue;
    const top = document.createElement("tbody");
    top.className = "starred";
    top.hidden = true;
    const rows = all("tbody tr", table).map(row => [row, pairOf(row)]).filter(([, pair]) => pair);
    one("thead", table).after(top);
    const kept = new Set(starred());
    for (const [row, pair] of rows) {
      addStar(row, pair);
      if (kept.delete(pair)) keep(table, row, pair);
    }
    for (const pair of [...kept].slice(0, 20)) bring(table, pair);
  }
};
/** A starred pair that is on another page; one that is no longer tracked stays away. */
const bring = async (table, pair) => {
  const [app, query] = pair.split(" ");
  const asked = new URLSearchParams(new URL(query, location.href).search);
  asked.set("app", decodeURIComponent(app.slice(`${base}/apps/`.length)));
  asked.set("sort", "query");
  const isNarrowed = [...new URLSearchParams(location.search).keys()]
    .some(name => !["sort", "reverse", "page", "competitors"].includes(name));
  if (isNarrowed) return;
  const answer = await fetch(`${base}/?` + asked);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const row = all("tbody tr", page).find(row => one("td", row) && pairOf(row) === pair);
  if (!row || !table.isConnected) return;
  const named = one(toApp, row) ?? one(".group " + toApp, row.parentElement);
  const from = headings(row.closest("table"));
  keep(table, fitted(document.adoptNode(row), from, headings(table), named?.cloneNode(true)), pair);
};
/** The headings of a table, each with its number among those of the same words. */
const headings = table => {
  const known = new Map();
  return [...one("thead tr", table).cells].map(head => {
    const words = head.textContent.trim();
    known.set(words, (known.get(words) ?? 0) + 1);
    return words + " " + known.get(words);
  });
};
/** The row of a table with the headings `from`, with each cell under its own heading of `to`. */
const fitted = (row, from, to, app) => {
  const cells = new Map([...row.cells].map((cell, index) => [from[index], cell]));
  row.replaceChildren(...to.map(name => cells.get(name) ?? document.createElement("td")));
  // A table that is about one app, or grouped by apps, names it in no column.
  if (app && !one(toApp, row)) row.cells[0].append(" · ", app);
  return row;
};
/** A table that is wider than the page ends between two columns: "#53" is never cut to "#5". */
const fit = region => {
  region.style.maxWidth = "";
  const isWide = region.scrollWidth > region.clientWidth + 1;
  region.classList.toggle("more", isWide);
  const row = one("tr:not(.group, .below)", region);
  if (!isWide || !row) return;
  const begin = region.getBoundingClientRect().left - region.scrollLeft;
  const ends = [...row.cells].map(cell => cell.getBoundingClientRect().right - begin)
    .filter(end => end <= region.clientWidth);
  if (ends.length > 1) region.style.maxWidth = Math.ceil(Math.max(...ends)) + 2 + "px";
};
addEventListener("resize", () => all(".scroll").forEach(fit));

// A long table is filtered as one types: by all words, in any order, of a row and of the heading above it.
const longTable = 15;
const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const typed = new Map();
const filterRows = (table, text) => {
  const words = plain(text).split(/\s+/).filter(Boolean);
  let heading = null, below = 0, isShown = true, shown = 0;
  const close = () => { if (heading) heading.hidden = below === 0; };
  for (const row of all("tbody:not(.starred) > tr", table)) {
    if (row.classList.contains("group")) {
      close();
      [heading, below] = [row, 0];
      continue;
    }
    if (!row.classList.contains("below")) {
      const found = plain([heading, ...row.cells].map(cell => cell?.textContent ?? "").join(" "));
      isShown = words.every(word => found.includes(word));
      if (isShown) [shown, below] = [shown + 1, below + 1];
    }
    row.hidden = !isShown;
  }
  close();
  return shown;
};
const enhanceFilter = region => {
  const table = one("table", region), label = region.getAttribute("aria-label") ?? "rows";
  const count = all("tbody:not(.starred) > tr:not(.group, .below)", region).length;
  if (!table || count <= longTable) return;
  const line = document.createElement("p"), field = document.createElement("input");
  const said = document.createElement("span");
  line.className = "filter";
  Object.assign(field, { type: "search", name: "rows", placeholder: "Filter rows", value: typed.get(label) ?? "" });
  field.setAttribute("aria-label", `Filter ${label}`);
  said.setAttribute("role", "status");
  const apply = () => {
    typed.set(label, field.value);
    const shown = filterRows(table, field.value);
    said.textContent = field.value.trim() ? `${shown} of ${count}${one(".pager") ? " on this page" : ""}` : "";
  };
  field.addEventListener("input", apply);
  line.append(field, " ", said);
  region.before(line);
  if (field.value) apply();
};

// Search: what is recorded is found while people type, and costs nothing. Apple is asked on Enter, or once people have
// stopped typing, as only three searches a minute are made; a new search ends the one before. One that has to wait
// counts down, and is made then.
const thinking = 1200, settling = 150, longestWait = 120;
let searching = null, finding = null, pause = 0, typing = 0;
const tab = Math.random().toString(36).slice(2);
const say = words => { const said = one("#said"); if (said) said.textContent = words; };
const put = (place, html) => {
  const hadFocus = place.contains(document.activeElement);
  place.innerHTML = html;
  enhance(place);
  if (hadFocus) one("#query").focus();
};
const fill = html => {
  put(one("#results"), html);
  say(one("#results .state")?.textContent ?? "");
};
const stop = () => { clearTimeout(pause); searching?.abort(); };
const skeleton = '<p><span class="state">Asking Apple …</span> <button type="button" data-cancel>Cancel</button></p>'
  + `<ol class="found skeleton" aria-hidden="true">${"<li><div></div></li>".repeat(5)}</ol>`;
/** Three characters, or two of a script that writes words with fewer. */
const isWorthAsking = text =>
  text.length >= (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(text) ? 2 : 3);
const find = async form => {
  finding?.abort();
  const own = finding = new AbortController();
  try {
    const asked = formAddress(form).slice(`${base}/search`.length);
    const answer = await fetch(`${base}/search/recorded${asked}`, { signal: own.signal });
    showRecorded(answer.ok && !answer.redirected ? await answer.text() : "");
  } catch (error) {
    // The search itself says what is wrong.
    if (error.name !== "AbortError") showRecorded("");
  }
};
const showRecorded = html => {
  put(one("#recorded"), html);
  if (html) say(`${all("#recorded ul > li").length} recorded`);
};
const ask = async form => {
  stop();
  const own = searching = new AbortController();
  const address = formAddress(form);
  history.replaceState(null, "", address);
  if (new FormData(form).get("query").trim()) fill(skeleton);
  try {
    const asked = address.slice(`${base}/search`.length);
    const answer = await fetch(
      `${base}/search/results${asked}${asked ? "&" : "?"}session=${tab}`, { signal: own.signal });
    if (answer.redirected || answer.status === 401) return location.reload();
    fill(await answer.text());
    const seconds = Number(answer.headers.get("Retry-After"));
    if (seconds > 0 && seconds <= longestWait) countDown(form, Date.now() + seconds * 1000);
  } catch (error) {
    if (error.name === "AbortError") return;
    fill('<p class="state refusal">rankweb cannot be reached. Check the connection and search again.</p>');
  }
};
const countDown = (form, until) => {
  const line = document.createElement("p");
  line.className = "faint";
  one("#results").append(line);
  const tell = () => {
    const left = Math.ceil((until - Date.now()) / 1000);
    if (left <= 0) return void ask(form);
    line.textContent = `Searches by itself in ${left} ${left === 1 ? "second" : "seconds"}.`;
    pause = setTimeout(tell, 1000);
  };
  clearTimeout(pause);
  tell();
};
const enhanceSearch = () => {
  const form = one("form.search");
  const listen = event => {
    stop();
    finding?.abort();
    // What was found is of another text.
    fill("");
    clearTimeout(typing);
    typing = setTimeout(() => find(form), settling);
    // Letters that are still being put together are no text yet.
    if (event.isComposing || !isWorthAsking(new FormData(form).get("query").trim())) return;
    pause = setTimeout(() => ask(form), thinking);
  };
  form?.addEventListener("input", listen);
  form?.addEventListener("compositionend", listen);
  if (form && new FormData(form).get("query").trim()) find(form);
};

/** Puts what stands in `text` on the clipboard; where a browser lets no script do that, it is chosen for the keys. */
const copy = async (button, text) => {
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(text);
    button.textContent = "Press Ctrl+C";
  }
};

// Keys: letters that lead somewhere, until somebody switches them off under More.
const pagesByKey = { t: "", a: "apps", q: "queries", s: "search" };
const soon = 1500;
let goingUntil = 0, areKeysOff = false;
const rowLinks = () => all("main tbody tr, main li")
  .map(row => one("a[href]", row)).filter(link => link?.checkVisibility() && !link.closest("nav"));
const step = by => {
  const links = rowLinks();
  const here = links.findIndex(link => link.closest("tr, li") === document.activeElement.closest("tr, li"));
  links[here < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(here + by, 0), links.length - 1)]?.focus();
};
const keysOff = () => { try { return areKeysOff || localStorage.keys === "off"; } catch { return areKeysOff; } };
const help = () => {
  if (one("dialog.keys")) return;
  const dialog = document.createElement("dialog");
  dialog.className = "keys";
  dialog.setAttribute("aria-label", "Keys");
  dialog.innerHTML = "<h2>Keys</h2><dl><dt>/</dt><dd>filter rows, or this page, or search</dd><dt>j, k</dt><dd>next row, row before</dd>"
    + "<dt>Enter</dt><dd>open the row</dd><dt>g t, g a, g q, g s</dt><dd>Today, Apps, Queries, Search</dd>"
    + "<dt>?</dt><dd>show these keys</dd></dl><form method=\"dialog\"><label><input type=\"checkbox\"> Letters are keys</label>"
    + "<button>Close</button></form>";
  const box = one("input", dialog);
  box.checked = !keysOff();
  box.addEventListener("change", () => {
    areKeysOff = !box.checked;
    try { localStorage.keys = areKeysOff ? "off" : "on"; } catch { /* kept until the page is left */ }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
};
const menu = one(".menu > ul");
if (menu) {
  const item = document.createElement("li"), button = document.createElement("button");
  button.type = "button";
  button.textContent = "Keys";
  button.addEventListener("click", help);
  item.append(button);
  menu.append(item);
}
const narrow = () => {
  const field = all(".filter input").find(field => field.checkVisibility()) ?? one("form.options input[name=query]")
    ?? one("form.options :is(input[type=text], input[type=search])");
  if (!field) return void (location.href = `${base}/search`);
  for (let part = field.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  field.focus();
  field.select();
};
document.addEventListener("keydown", event => {
  const isGoing = Date.now() < goingUntil;
  goingUntil = 0;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || one("dialog[open]")) return;
  if (event.target.closest?.("input, select, textarea, [contenteditable]") || keysOff()) return;
  const page = isGoing ? pagesByKey[event.key] : undefined;
  if (event.key === "g") goingUntil = Date.now() + soon;
  const work = page !== undefined ? () => { location.href = `${base}/${page}`; }
    : { "/": narrow, "?": help, j: () => step(1), k: () => step(-1) }[event.key];
  if (!work) return;
  event.preventDefault();
  work();
});
