/**
 * Where everything is on the hill: one map for narrow screens, one for wide ones, in units of the drawing.
 *
 * This is only the picture; the server says which paths can be used.
 */

export interface Spot {
  x: number;
  y: number;
}

/** A path as a curve from room to room, with the place of its laurel in the middle. */
export interface Stair {
  d: string;
  at: Spot;
}

export interface Hill {
  width: number;
  height: number;
  rooms: Record<string, Spot>;
  stairs: Record<string, Stair>;
}

/** The ways up, from below. */
export const PATHS = [
  "A>E", "B>I", "B>F", "C>G", "D>G", "D>H", "E>I", "F>J", "G>J", "G>L", "H>K", "I>M", "J>S", "K>N", "L>N", "M>S", "N>S",
];
export const ROOMS = [..."ABCDEFGHIJKLMN"];
export const SEAT_GAP = 29;
export const ROOF = 13;

/** The size of a room with this many seats. */
export function sizeOf(seats: number): { width: number; height: number } {
  return { width: seats === 1 ? 46 : 98, height: seats === 5 ? 78 : 49 };
}

/** Where its seats are, from its centre. */
export function seatSpots(seats: number): Spot[] {
  const rows = seats === 5 ? [3, 2] : [seats];
  const middle = ROOF / 2;
  return rows.flatMap((n, row) =>
    Array.from({ length: n }, (_, i) => ({
      x: (i - (n - 1) / 2) * SEAT_GAP,
      y: middle + (row - (rows.length - 1) / 2) * SEAT_GAP,
    })));
}

/** A point a little further on: stairs reach under the halls, which are drawn over them. */
function beyond(fromX: number, fromY: number, x: number, y: number): [number, number] {
  const far = 9 / Math.hypot(x - fromX, y - fromY);
  return [Math.round(x + (x - fromX) * far), Math.round(y + (y - fromY) * far)];
}

function drawn(
  width: number, height: number, rooms: Record<string, [number, number]>, ways: Record<string, number[]>,
): Hill {
  const stairs: Record<string, Stair> = {};
  for (const [path, way] of Object.entries(ways)) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = way;
    const [cx = (x0 + x1) / 2, cy = (y0 + y1) / 2] = way.slice(4);
    const [bx, by] = beyond(cx, cy, x0, y0);
    const [ex, ey] = beyond(cx, cy, x1, y1);
    stairs[path] = {
      d: `M${bx} ${by}Q${cx} ${cy} ${ex} ${ey}`,
      at: { x: (x0 + 2 * cx + x1) / 4, y: (y0 + 2 * cy + y1) / 4 },
    };
  }
  return {
    width, height, stairs,
    rooms: Object.fromEntries(Object.entries(rooms).map(([room, [x, y]]) => [room, { x, y }])),
  };
}

// A way is where it begins, where it ends, and towards what it bends.
export const TALL = drawn(400, 572, {
  A: [36, 515], B: [134, 502], C: [262, 515], D: [346, 512], E: [36, 402], F: [136, 374], G: [276, 387], H: [372, 374],
  I: [62, 274], J: [200, 247], K: [372, 264], L: [296, 224], M: [60, 148], N: [340, 148], S: [200, 62],
}, {
  "A>E": [36, 492, 36, 426], "B>I": [104, 464, 72, 298, 87, 384], "B>F": [136, 464, 136, 398],
  "C>G": [262, 492, 264, 411], "D>G": [328, 488, 304, 411], "D>H": [372, 488, 372, 398], "E>I": [36, 378, 40, 298],
  "F>J": [140, 350, 178, 286, 150, 310], "G>J": [248, 363, 222, 286], "G>L": [294, 363, 296, 248],
  "H>K": [372, 350, 372, 288], "I>M": [60, 250, 60, 172], "J>S": [200, 208, 200, 104], "K>N": [372, 240, 364, 172],
  "L>N": [302, 200, 324, 172], "M>S": [54, 124, 116, 74, 54, 74], "N>S": [346, 124, 284, 74, 346, 74],
});

export const WIDE = drawn(640, 532, {
  A: [66, 478], B: [216, 464], C: [416, 478], D: [540, 474], E: [66, 362], F: [216, 344], G: [436, 356], H: [578, 350],
  I: [112, 254], J: [320, 230], K: [578, 252], L: [456, 200], M: [92, 140], N: [544, 140], S: [320, 60],
}, {
  "A>E": [66, 454, 66, 386], "B>I": [186, 426, 124, 278, 160, 330], "B>F": [216, 426, 216, 368],
  "C>G": [418, 454, 424, 380], "D>G": [518, 450, 468, 380], "D>H": [570, 450, 578, 374], "E>I": [68, 338, 90, 278],
  "F>J": [239, 346, 294, 269, 294, 340], "G>J": [387, 354, 346, 269, 346, 344], "G>L": [450, 332, 456, 224],
  "H>K": [578, 326, 578, 276], "I>M": [108, 230, 96, 164], "J>S": [320, 191, 320, 102], "K>N": [578, 228, 562, 164],
  "L>N": [474, 182, 512, 164], "M>S": [92, 116, 236, 70, 96, 66], "N>S": [544, 116, 404, 70, 540, 66],
});
