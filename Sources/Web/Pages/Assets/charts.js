const dayOf = (seconds, timeZone) => new Date(seconds * 1000).toLocaleDateString("en-GB",
  { day: "numeric", month: "short", timeZone });
const timeOf = (seconds, timeZone) => new Date(seconds * 1000).toLocaleTimeString("en-GB",
  { hour: "2-digit", minute: "2-digit", timeZone });
const enhanceCharts = root => {
  for (const figure of all("figure[data-chart]", root)) {
    const data = JSON.parse(figure.dataset.chart);
    const drawing = one("svg.chart", figure);
    const moments = [...new Set(data.lines.flatMap(line => line.at))].sort((a, b) => a - b);
    if (!drawing || !moments.length) continue;
    const length = data.t[1] - data.t[0] || 1;
    const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
    cursor.setAttribute("class", "cursor");
    cursor.setAttribute("visibility", "hidden");
    drawing.append(cursor);
    const words = document.createElement("p");
    words.className = "read";
    words.setAttribute("role", "status");
    drawing.after(words);
    figure.tabIndex = 0;
    let place = -1;
    const value = (line, index) => {
      const [say, of] = [line.say[index], line.of?.[index]];
      if (say == null) return "no good check";
      if (data.unit !== "#") return say.toLocaleString("en") + data.unit;
      if (say === 0) return of ? `not in the first ${of}` : "not in the list";
      return `#${say}` + (of ? ` of ${of}` : "");
    };
    const read = next => {
      place = Math.max(0, Math.min(moments.length - 1, next));
      const moment = moments[place];
      const x = data.x[0] + (data.x[1] - data.x[0]) * moment / length;
      for (const [name, to] of [["x1", x], ["x2", x], ["y1", data.y[0]], ["y2", data.y[1]]]) {
        cursor.setAttribute(name, to.toFixed(1));
      }
      cursor.setAttribute("visibility", "visible");
      const near = moment > 0 && moments.some(other => other !== moment && Math.abs(other - moment) < 86400);
      const when = dayOf(data.t[0] + moment, data.zone)
        + (near ? " " + timeOf(data.t[0] + moment, data.zone) + " " + data.zone : "");
      const said = data.lines.flatMap(line => {
        const index = line.at.indexOf(moment);
        return index < 0 ? [] : [(data.lines.length > 1 ? line.name + " " : "") + value(line, index)];
      });
      words.textContent = `${when}: ${said.join(" · ")}`;
    };
    const readAt = event => {
      const box = drawing.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width * drawing.viewBox.baseVal.width;
      const wanted = (share - data.x[0]) / (data.x[1] - data.x[0]) * length;
      let best = 0;
      moments.forEach((moment, index) => {
        if (Math.abs(moment - wanted) < Math.abs(moments[best] - wanted)) best = index;
      });
      if (best !== place) read(best);
    };
    // A finger reads where it touches, and goes on reading from side to side; up and down it scrolls.
    drawing.addEventListener("pointerdown", readAt);
    drawing.addEventListener("pointermove", readAt);
    figure.addEventListener("keydown", event => {
      const steps = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: moments.length - 1 };
      if (!(event.key in steps)) return;
      event.preventDefault();
      read(place < 0 && event.key === "ArrowLeft" ? moments.length - 1 : steps[event.key]);
    });
  }
};
