"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const digits = (value, n) => (Number.isFinite(value) ? value.toFixed(n) : "n/a");
  // Tables: sorted by a click on a title, filtered by words.
  for (const table of document.querySelectorAll("table.sorted")) {
    const body = table.tBodies[0];
    table.querySelectorAll("thead th").forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const falls = head.getAttribute("aria-sort") !== "descending" && head.classList.contains("n");
        const rises = !falls && head.getAttribute("aria-sort") !== "ascending";
        const sign = rises ? 1 : -1;
        table.querySelectorAll("thead th").forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", rises ? "ascending" : "descending");
        const value = (row) => row.cells[at].dataset.value ?? row.cells[at].textContent;
        const order = head.classList.contains("n")
          ? (one, other) => sign * ((Number(value(one)) || 0) - (Number(value(other)) || 0))
          : (one, other) => sign * value(one).localeCompare(value(other));
        body.append(...[...body.rows].sort(order));
      });
    });
  }
  for (const search of document.querySelectorAll("input[type=search]")) {
    search.closest("p").hidden = false;
    const rows = [...byId(search.dataset.of).querySelectorAll("tbody tr")];
    const count = document.querySelector(`[data-count="${search.dataset.of}"]`);
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let n = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        n += row.hidden ? 0 : 1;
      }
      count.textContent = words.length ? `${n} of ${rows.length}` : "";
    });
  }
  // The slider over thresholds.
  const slider = document.querySelector(".slider");
  if (!slider) return;
  slider.hidden = false;
  const thresholds = JSON.parse(slider.dataset.thresholds);
  const [positives, negatives] = JSON.parse(slider.dataset.totals);
  const at = byId("at");
  const cost = ([, tp, fp]) => fp * Number(byId("cost-fp").value) + (positives - tp) * Number(byId("cost-fn").value);
  const figure = byId("pooled");
  let dot = null;
  if (figure) {
    dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    dot.setAttribute("r", "7");
    dot.setAttribute("fill", "none");
    dot.setAttribute("stroke", "currentColor");
    dot.setAttribute("stroke-width", "2");
    figure.querySelector("svg").append(dot);
  }
  const show = () => {
    const chosen = thresholds[Number(at.value)];
    const [threshold, tp, fp] = chosen;
    const precision = tp + fp > 0 ? tp / (tp + fp) : NaN;
    const recall = positives > 0 ? tp / positives : NaN;
    byId("at-value").textContent = digits(threshold, 4);
    at.setAttribute("aria-valuetext", `probability ${digits(threshold, 4)}`);
    byId("s-precision").textContent = digits(precision, 4);
    byId("s-recall").textContent = digits(recall, 4);
    byId("s-f1").textContent = digits((2 * tp) / (tp + fp + positives), 4);
    byId("s-tp").textContent = digits(tp, 0);
    byId("s-fp").textContent = digits(fp, 0);
    byId("s-fn").textContent = digits(positives - tp, 0);
    byId("s-cost").textContent = digits(cost(chosen), 1);
    if (dot && Number.isFinite(precision)) {
      const [left, right, top, bottom] = figure.dataset.places.split(" ").map(Number);
      dot.setAttribute("cx", String(left + recall * (right - left)));
      dot.setAttribute("cy", String(bottom - precision * (bottom - top)));
    }
  };
  at.addEventListener("input", show);
  for (const id of ["cost-fp", "cost-fn"]) byId(id).addEventListener("input", show);
  byId("cheapest").addEventListener("click", () => {
    let best = 0;
    thresholds.forEach((threshold, index) => {
      if (cost(threshold) < cost(thresholds[best])) best = index;
    });
    at.value = String(best);
    show();
  });
  show();
})();
