// Run in a page of the site: waits until all figures are drawn, and says what is wrong with them. A figure has to show the
// marks that its data names, name the trial of one that is pointed at, hide and show a series, and be zoomed.
(async () => {
  const wrong = [];
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const figures = [...document.querySelectorAll("figure")].filter((figure) => figure.querySelector("script.shown"));
  const marks = (figure) => figure.querySelectorAll(".scatterlayer .point, .barlayer .point").length;
  const places = (mark) => ({ bar: mark.at, dot: mark.x, curve: mark.x }[mark.kind] ?? []).length;

  async function check(figure) {
    const complain = (text) => wrong.push(`${figure.id}: ${text}`);
    const shown = JSON.parse(figure.querySelector("script.shown").textContent);
    const all = shown.panels.flatMap((panel) => panel.marks);
    const expected = all.reduce((sum, mark) => sum + places(mark), 0);
    if (marks(figure) !== expected) complain(`has ${marks(figure)} marks, expected ${expected}`);
    if (!expected && !all.some((mark) => ["level", "text"].includes(mark.kind))) complain("shows nothing");
    if (getComputedStyle(figure.querySelector(".picture")).display !== "none") complain("shows its picture, too");
    const plot = [...figure.querySelectorAll(".js-plotly-plot")].find((one) => one.querySelector(".point"));
    if (!plot) return;

    Plotly.Fx.hover(plot, [{ curveNumber: plot.data.findIndex((trace) => trace.hoverinfo === "text"), pointNumber: 0 }]);
    const said = plot.querySelector(".hoverlayer").textContent;
    if (!/trial [0-9a-f]{16}/.test(said)) complain("does not name the trial pointed at");
    Plotly.Fx.unhover(plot); // else it would point at whatever takes the place of a series that is switched off

    const groups = new Set(all.filter(places).map((mark) => mark.group));
    const button = [...figure.querySelectorAll(".legend button")].find((one) => groups.has(one.lastChild.data.trim()));
    if (button) {
      button.click();
      await wait(50);
      if (marks(figure) >= expected) complain(`switching off ${button.textContent} hides no mark`);
      button.click();
      await wait(50);
      if (marks(figure) !== expected) complain(`switching on ${button.textContent} brings not all marks back`);
    }

    const axis = plot.layout.xaxis.showgrid ? "xaxis" : "yaxis"; // one of numbers
    const [low, high] = plot.layout[axis].range;
    await Plotly.relayout(plot, { [`${axis}.range[0]`]: low + (high - low) / 4, [`${axis}.range[1]`]: high });
    await wait(50);
    if (plot.layout[axis].tickmode !== "auto") complain("has the same ticks when zoomed");
    await Plotly.relayout(plot, { [`${axis}.range[0]`]: low, [`${axis}.range[1]`]: high });
    await wait(50);
    if (plot.layout[axis].tickmode !== "array" || plot.layout[axis].range[0] !== low) complain("cannot be zoomed back");
  }

  for (let turn = 0; turn < 300 && !figures.every((figure) => figure.classList.contains("live")); ++turn) await wait(100);
  await wait(300);
  for (const figure of figures) await check(figure);
  if (document.querySelector(".modebar [data-title^=Share]")) wrong.push("a button of a figure sends it to a server");
  const width = document.documentElement.scrollWidth;
  if (width > innerWidth) wrong.push(`the page is ${width} pixels wide, its window ${innerWidth}`);
  return { wrong, figures: figures.length };
})()
