/** From values to pixels. `kind` is chosen by the span: above a factor of five a straight axis would flatten the lower half. */
export type Scale = {
  readonly kind: 'linear' | 'log';
  readonly low: number;
  readonly high: number;
  /** Pixel of a value; values outside the span land outside the plot. */
  at(value: number): number;
};

const LOG_ABOVE = 5;
/** Room above and below the values, as a part of their span. */
const MARGIN = 0.06;

/**
 * A vertical scale for values from `low` to `high` (both > 0 for a log axis), `top` being the pixel of the highest. One value alone gets a
 * span of a tenth of itself, so that it is in the middle.
 */
export function createScale(low: number, high: number, top: number, bottom: number): Scale {
  const kind = low > 0 && high / low > LOG_ABOVE ? 'log' : 'linear';
  const project = kind === 'log' ? Math.log : (value: number): number => value;
  const single = high <= low;
  const half = single ? Math.abs(high) * 0.05 || 1 : 0;
  const from = project(low) - half;
  const to = project(high) + half;
  const room = (to - from) * MARGIN;
  const [least, most] = [from - room, to + room];
  return {
    kind,
    low: kind === 'log' ? Math.exp(least) : least,
    high: kind === 'log' ? Math.exp(most) : most,
    at: (value) => bottom - ((project(value) - least) / (most - least)) * (bottom - top),
  };
}

/** Round values inside the scale, ascending, at most `most`: steps of 1, 2 or 5 times a power of ten. */
export function valueTicks(scale: Scale, most: number): readonly number[] {
  return scale.kind === 'log' ? logTicks(scale, most) : linearTicks(scale.low, scale.high, most);
}

function linearTicks(low: number, high: number, most: number): readonly number[] {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  for (const factor of [1, 2, 5, 10, 20]) {
    const step = power * factor;
    const first = Math.ceil(low / step);
    const last = Math.floor(high / step);
    if (last - first + 1 <= most)
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
  }
  return [];
}

/** 1, 2, 5 of each power of ten; the powers alone, then every second of them, where that is too many. */
function logTicks({ low, high }: Scale, most: number): readonly number[] {
  const first = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, i) => first + i);
  const inside = (values: readonly number[]): readonly number[] =>
    values.filter((value) => value >= low && value <= high);
  const fine = inside(powers.flatMap((power) => [1, 2, 5].map((factor) => factor * 10 ** power)));
  if (fine.length <= most) return fine;
  for (let every = 1; ; every += 1) {
    const coarse = inside(
      powers.filter((power) => (power - first) % every === 0).map((power) => 10 ** power),
    );
    if (coarse.length <= most) return coarse;
  }
}

/** Spacings of time labels, in seconds, as on a clock or a calendar. */
const SPACINGS = [
  60, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000,
];

/** Moments from `from` to `to` (Unix seconds, UTC) that a clock shows round, at most `most`, with their spacing. */
export function timeTicks(
  from: number,
  to: number,
  most: number,
): { readonly spacing: number; readonly at: readonly number[] } {
  const spacing =
    SPACINGS.find((candidate) => (to - from) / candidate <= most) ?? Math.ceil((to - from) / most);
  const first = Math.ceil(from / spacing) * spacing;
  const count = Math.max(0, Math.min(most, Math.floor((to - first) / spacing) + 1));
  return { spacing, at: Array.from({ length: count }, (_, i) => first + i * spacing) };
}
