// What the author of an anywidget writes by hand: sliders and a picture. libraries.py puts the figure's formula before it.
const COLOURS = ["navy", "firebrick", "olive"];
const [WIDTH, HEIGHT] = [700, 400];

function render({ model, el }) {
  const { x, y, sliders, curves } = model.get("model");
  const grid = Array.from({ length: 201 }, (_, i) => x[1] + ((x[2] - x[1]) * i) / 200);
  const across = (t) => ((t - x[1]) / (x[2] - x[1])) * WIDTH;
  const up = (value) => HEIGHT - ((value - y[1]) / (y[2] - y[1])) * HEIGHT;
  el.innerHTML = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" style="border: 1px solid">
    ${curves.map((_, i) => `<path fill="none" stroke="${COLOURS[i]}"/>`).join("")}</svg>`;
  const paths = [...el.querySelectorAll("path")];
  for (const [name, [low, high, step, at]] of Object.entries(sliders)) {
    const range = Object.assign(document.createElement("input"), { type: "range", min: low, max: high, step, name });
    range.value = at;
    range.addEventListener("input", () => {
      model.set("values", { ...model.get("values"), [name]: Number(range.value) });
      model.save_changes();
    });
    const label = Object.assign(document.createElement("label"), { textContent: name });
    label.append(range);
    el.append(label);
  }
  const draw = () => {
    const values = Object.keys(sliders).map((name) => model.get("values")[name]);
    // oxlint-disable-next-line no-undef
    const rows = grid.map((t) => formula(t, ...values));
    curves.forEach((name, i) => {
      const points = rows.map((row, k) => `${across(grid[k]).toFixed(2)} ${up(row[name]).toFixed(2)}`);
      paths[i].setAttribute("d", `M${points.join("L")}`);
    });
  };
  model.on("change:values", draw);
  draw();
}

export default { render };
