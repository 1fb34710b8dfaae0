const told = ({ kind, data }) => {
  if (kind === "changed") return document.body.hasAttribute("data-live") && show(location.href, false);
  const { done, due, secondsLeft } = data ?? { done: 0, due: 0 };
  const minutes = Math.max(1, Math.round(secondsLeft / 60));
  const rest = secondsLeft == null ? "" : `, about ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  one("#progress").textContent = done < due ? `${done} of ${due}${rest}` : "";
};
const listen = tell => {
  const events = new EventSource(`${base}/events`);
  let last = null;
  events.addEventListener("changed", event => {
    // The first one says where things stand, which the page shows already.
    if (last !== null && event.lastEventId !== last) tell({ kind: "changed" });
    last = event.lastEventId;
  });
  events.addEventListener("progress", event => tell({ kind: "progress", data: JSON.parse(event.data) }));
  return events;
};
const follow = () => {
  if (!one("#progress")) return;
  if (!navigator.locks || !window.BroadcastChannel) return void listen(told);
  const channel = new BroadcastChannel("rankd");
  channel.onmessage = event => told(event.data);
  // One tab listens for all; when it closes, the lock goes to another.
  navigator.locks.request("rankd-events", () => {
    listen(word => { told(word); channel.postMessage(word); });
    return new Promise(() => {});
  });
};
// rankd can stop while a page is open, and so can rankweb: neither is an event.
const aMinute = 60_000;
let serviceAskedAt = Date.now();
const askService = async () => {
  const line = one(".service");
  if (!line || document.hidden || Date.now() - serviceAskedAt < aMinute) return;
  serviceAskedAt = Date.now();
  try {
    const answer = await fetch(`${base}/service`);
    if (answer.redirected || answer.status === 401) return location.reload();
    // One that is busy is asked again.
    if ([429, 503].includes(answer.status)) return;
    const holder = document.createElement("template");
    if (answer.ok) holder.innerHTML = await answer.text();
    tellService(line, holder.content.firstElementChild, "rankweb cannot say how rankd is");
  } catch {
    tellService(line, null, "rankweb does not answer");
  }
};
const enhance = root => {
  enhanceStars(root);
  enhanceCharts(root);
  for (const region of root.matches(".scroll") ? [root] : all(".scroll", root)) {
    fit(region);
    enhanceFilter(region);
  }
  for (const button of all("[data-print], [data-copy]", root)) button.hidden = false;
};
remember();
if (content()) enhance(content());
enhanceSearch();
follow();
setInterval(askService, aMinute);
document.addEventListener("visibilitychange", askService);
