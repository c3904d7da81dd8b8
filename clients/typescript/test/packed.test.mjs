// Packed maps are unpacked, and refused where they are damaged.
import assert from "node:assert/strict";
import { test } from "node:test";
import { unpackMap } from "@warledger/client";

const space = (id, more) => ({ id, neighbors: [], neighborSteps: [], spots: [], outline: [], ...more });
const ring = (more) => ({ points: [], steps: [], borders: [], ...more });

/** Two areas side by side: the line between them is a border that one has forwards and the other backwards. */
const packed = () => ({ decor: [], spaces: [
  space("a", { neighborSteps: [1], spots: [1, 2, 3, 4], outline: [ring({ borders: [0, 0] })] }),
  space("b", { neighborSteps: [-1], outline: [ring({ borders: [-1, 0] })] }),
], borders: [{ steps: [0, 0, 5, 0] }, { steps: [5, 0, 0, 5, -5, -5] }, { steps: [0, 0, 0, -5, 5, 5] }] });

test("a packed map is unpacked", () => {
  const { spaces: [a, b], borders } = unpackMap(packed());
  const line = (s) => s.outline[0].points.map(({ x, y }) => [x, y]);
  assert.deepEqual(line(a), [[0, 0], [5, 0], [5, 5]]);
  assert.deepEqual(line(b), [[5, 0], [0, 0], [0, -5]]);
  assert.deepEqual([a.neighbors, b.neighbors, borders], [["b"], ["a"], []]);
  assert.deepEqual([a.centre.x, a.centre.y, a.label.x, a.label.y], [1, 2, 4, 6]);
});

test("a damaged packed map is refused", () => {
  for (const damage of [
    (m) => (m.spaces[0].outline[0].borders = [9]),
    (m) => (m.spaces[0].outline[0].borders = [0, 0, 0, 0]),
    (m) => (m.spaces[0].outline[0].borders = [-4]),
    (m) => (m.spaces[0].neighborSteps = [2]),
    (m) => (m.spaces[0].neighborSteps = [-1]),
    (m) => m.borders[0].steps.push(1),
    (m) => (m.spaces[0].outline[0].steps = [1]),
    (m) => (m.spaces[0].spots = [1]),
    (m) => m.spaces[0].spots.push(...[1, 2, 3]),
    (m) => (m.spaces[0].outline[0].borders = Array(600_000).fill(1)),
  ]) {
    const map = packed();
    damage(map);
    assert.throws(() => unpackMap(map), RangeError, String(damage));
  }
});
