export type Slice = {
  readonly label: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
};

const LARGEST = 6;

/**
 * The slices of a ring, clockwise from the top, angles in radians. The six largest are slices of their own, the rest are one slice
 * (`rest`); nothing and less than nothing is left out. Empty when nothing is left.
 */
export function ringSlices(
  shares: readonly { readonly label: string; readonly value: number }[],
  rest: string,
): readonly Slice[] {
  const sorted = shares.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value);
  const small = sorted.slice(LARGEST).reduce((sum, { value }) => sum + value, 0);
  const parts = [...sorted.slice(0, LARGEST), ...(small > 0 ? [{ label: rest, value: small }] : [])];
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  let turned = -Math.PI / 2;
  return parts.map(({ label, value }) => {
    const from = turned;
    turned += (value / whole) * 2 * Math.PI;
    return { label, value, from, to: turned };
  });
}
