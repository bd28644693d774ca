import { grouped, type Marks } from '../../../core/text/figures.ts';

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';
/** From this many zeros on they are counted instead of printed: 0.0₆42 is 0.00000042, as traders write it. */
const COUNTED_ZEROS = 5;

/** A price for reading: `digits` significant digits, no exponent. */
export function priceLabel(marks: Marks, value: number, digits = 4): string {
  if (!Number.isFinite(value)) return 'n/a';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const sign = value < 0 ? '-' : '';
  if (size >= 1e6) return `${sign}${compactLabel(marks, size)}`;
  const zeros = -Math.floor(Math.log10(size)) - 1;
  if (zeros < COUNTED_ZEROS) {
    const fraction = Math.max(0, Math.min(digits + zeros, 20));
    return sign + inMarks(marks, trimmed(size.toFixed(Math.min(fraction, size >= 1_000 ? 0 : fraction))));
  }
  const [mantissa = '0'] = size.toExponential(digits - 1).split('e');
  const figures = mantissa.replace('.', '').replace(/0+$/, '');
  // Rounding may have carried 9.9996 to 10.000, one zero fewer.
  const exponent = -Number(size.toExponential(digits - 1).split('e')[1]) - 1;
  return `${sign}0${marks.point}0${subscript(exponent)}${figures}`;
}

/** `1.25M`, `88K`, `950`: three digits. */
export function compactLabel(marks: Marks, value: number): string {
  if (!Number.isFinite(value)) return 'n/a';
  for (const [size, unit] of UNITS)
    if (value >= size) return `${inMarks(marks, trimmed((value / size).toPrecision(3)))}${unit}`;
  return inMarks(marks, trimmed(value >= 1 ? value.toPrecision(3) : value.toFixed(3)));
}

const UNITS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/** `+4.1 %`, `−12 %`, `0.0 %`: the sign is always said. */
export function percentLabel(marks: Marks, percent: number | null): string {
  if (percent === null || !Number.isFinite(percent)) return 'n/a';
  const size = Math.abs(percent);
  const { point, spacedPercent } = marks;
  if (Number(size.toFixed(1)) === 0) return `0${point}0${spacedPercent}`;
  const digits = size.toFixed(size >= 100 ? 0 : 1);
  return `${percent > 0 ? '+' : '−'}${inMarks(marks, digits)}${spacedPercent}`;
}

/** `38 %`, `0.4 %`: a part between 0 and 1, with a digit below one percent. */
export function shareLabel(marks: Marks, part: number): string {
  return `${inMarks(marks, (part * 100).toFixed(part < 0.01 ? 1 : 0))}${marks.spacedPercent}`;
}

/** `14:30` inside a day, `21 Nov` from a day on. UTC. */
export function timeLabel(seconds: number, spacing: number): string {
  const at = new Date(seconds * 1_000);
  if (spacing < 86_400 && seconds % 86_400 !== 0)
    return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()] ?? ''}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (value: number): string => value.toString().padStart(2, '0');
const trimmed = (text: string): string =>
  text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
/** `1234.5` in the marks of a language. */
const inMarks = (marks: Marks, text: string): string => {
  const [whole = '', fraction] = text.split('.');
  return `${grouped(marks, whole)}${fraction === undefined ? '' : `${marks.point}${fraction}`}`;
};
const subscript = (value: number): string =>
  Array.from(value.toString())
    .map((digit) => SUBSCRIPTS[Number(digit)] ?? '')
    .join('');
