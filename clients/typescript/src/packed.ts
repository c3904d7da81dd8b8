import type { Map as BoardMap, Point, Ring, Space } from "./gen/warledger/board/v1/board_pb.js";

/**
 * unpackMap fills in the points and neighbours of a packed map (GetBoardRequest.packed_map), and returns it. It is then
 * the map that a request without packed_map returns. A map that is not packed stays as it is. It throws a RangeError if
 * the map refers to what it does not have, has half a point, or comes to more points than any map needs.
 */
export function unpackMap(map: BoardMap): BoardMap {
  const borders = map.borders.map(({ steps }) => lineOf(steps));
  let used = 0;
  let drawn = 0;
  const unpack = (ring: Ring) => {
    if (ring.steps.length) ring.points = lineOf(ring.steps);
    for (const n of ring.borders) {
      const border = had(borders[n === 0 ? used++ : Math.abs(n) - 1]);
      if ((drawn += border.length) > MOST_POINTS) throw new RangeError("the packed map has too many points");
      // Where a border ends the next one begins.
      if (n < 0) for (let i = border.length - 1; i > 0; i--) ring.points.push(border[i]!);
      else for (let i = 0; i < border.length - 1; i++) ring.points.push(border[i]!);
    }
    ring.steps = ring.borders = [];
  };
  for (const [i, space] of map.spaces.entries()) {
    space.outline.forEach(unpack);
    for (const n of space.neighborSteps) space.neighbors.push(had(map.spaces[i + n]).id);
    placed(space);
    space.neighborSteps = space.spots = [];
  }
  for (const { outline } of map.decor) outline.forEach(unpack);
  map.borders = [];
  return map;
}

// MOST_POINTS bounds what few bytes can unpack to. The shipped maps have far fewer.
const MOST_POINTS = 1 << 20;

function had<T>(part: T | undefined): T {
  if (part === undefined) throw new RangeError("the packed map refers to what it does not have");
  return part;
}

const point = (x: number, y: number): Point => ({ $typeName: "warledger.board.v1.Point", x, y });

// lineOf reads points, each of which is given by how far it lies from the one before it.
function lineOf(steps: number[]): Point[] {
  if (steps.length % 2) throw new RangeError("the packed map has half a point");
  const line: Point[] = [];
  for (let i = 0, x = 0, y = 0; i < steps.length; i += 2) line.push(point((x += steps[i]!), (y += steps[i + 1]!)));
  return line;
}

function placed(space: Space): void {
  if (space.spots.length % 2 || space.spots.length > 6) throw new RangeError("a space has half a point or too many");
  const [x, y, labelX, labelY, cityX, cityY] = space.spots;
  if (x === undefined || y === undefined) return;
  space.centre = point(x, y);
  if (labelX !== undefined && labelY !== undefined) space.label = point(x + labelX, y + labelY);
  if (cityX !== undefined && cityY !== undefined) space.city = point(x + cityX, y + cityY);
}
