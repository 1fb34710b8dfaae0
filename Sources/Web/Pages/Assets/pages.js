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
  for (const part of ["h1", ".made", ".service"]) {
    const [old, now] = [one(part), one(part, page)];
    if (old && now && old.outerHTML !== now.outerHTML) old.replaceWith(document.adoptNode(now));
  }
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

// Search: asks once people have stopped typing, as only three searches a minute are made; a new search ends the
// one before. One that has to wait counts down, and is made then.
const thinking = 1200, longestWait = 120;
let searching = null, pause = 0;
const tab = Math.random().toString(36).slice(2);
const say = words => { const said = one("#said"); if (said) said.textContent = words; };
const ask = async form => {
  clearTimeout(pause);
  searching?.abort();
  const own = searching = new AbortController();
  const address = formAddress(form);
  history.replaceState(null, "", address);
  const place = one("#results");
  const fill = html => {
    place.innerHTML = html;
    say(one(".state", place)?.textContent ?? "");
  };
  if (new FormData(form).get("query").trim()) { say("Searching …"); place.classList.add("busy"); }
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
  } finally {
    if (searching === own) place.classList.remove("busy");
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
  form?.addEventListener("input", () => {
    searching?.abort();
    clearTimeout(pause);
    pause = setTimeout(() => ask(form), thinking);
  });
};
