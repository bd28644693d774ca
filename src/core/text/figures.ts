/**
 * Numbers as the screens print them, in one place. All are exact integers until the last digit, and none flatters: a gain and a
 * value are cut, a loss and a cost are rounded up in size. Null is `n/a`, never zero.
 */
export type Figures = {
  /** A price in dollars × 10^12: three significant digits, `$0.00151`; five zeros and more are counted, `$0.0₆42`. */
  price(picoUsd: bigint | null): string;
  /** A price in lamports × 10^18 of a whole token, with the same digits: `0.0000101 SOL`. */
  solPrice(price: bigint | null): string;
  /** Capital, liquidity, volume in millionths of a dollar: three digits, `$1.51M`. */
  compact(microUsd: bigint | null): string;
  /** Millionths of a dollar: cents below 1,000 and whole dollars from there, `$146.39`, `$9,142`; `<$0.01` for less. */
  usd(microUsd: bigint | null): string;
  /** A row's worth: three digits, `$146`, `$37.1`, `$9.10`, `$1.2K`. */
  worth(microUsd: bigint | null): string;
  /** A cost: as `usd`, rounded up. */
  usdUpTo(microUsd: bigint): string;
  /** As `usd` with its sign: `+$1.45`, `−$3.61`. */
  signedUsd(microUsd: bigint | null): string;
  /** Four digits behind the point, six below one SOL; to the lamport where that would show nothing. */
  sol(lamports: bigint): string;
  /** As `sol` with its sign. */
  signedSol(lamports: bigint): string;
  /** To the lamport. */
  solExact(lamports: bigint): string;
  /** Rounded up at the sixth digit, for the most that may be taken. */
  solUpTo(lamports: bigint): string;
  /** Smallest units of a token: whole from 1,000, four digits from one, else to the last. */
  units(units: bigint, decimals: number): string;
  /** A part of a whole: `+4.1%`, `−12%`; one digit, none from 100 on. `n/a` where the whole is nothing. */
  change(part: bigint, whole: bigint): string;
  /** A movement of a market in percent, as `change`. */
  move(percent: number | null): string;
  /** Hundredths of a percent without a sign, exact: `3.1%`, `0.25%`. */
  percent(bps: number): string;
  /** Hundredths of a percent of a loss: one digit, rounded up. */
  percentUpTo(bps: number): string;
  /** A count: `1,204`. */
  count(value: number | bigint): string;
};

/** The marks of a language in and around a number. */
export type Marks = {
  readonly point: string;
  readonly group: string;
  /** Digits before the point from which on thousands are grouped. */
  readonly groupFrom: number;
  /** The sign of a percentage as the screens of every day print it. */
  readonly percent: string;
  /** The same sign in a sentence. */
  readonly spacedPercent: string;
};

const ENGLISH: Marks = { point: '.', group: ',', groupFrom: 4, percent: '%', spacedPercent: ' %' };
// A space that no line is broken at; below 10 000 none: 1 500 would be read as two numbers.
const SPANISH: Marks = {
  point: ',',
  group: '\u202f',
  groupFrom: 5,
  percent: '\u202f%',
  spacedPercent: '\u202f%',
};

const UNKNOWN = 'n/a';
const MINUS = '\u2212';
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';
/** From this many zeros behind the point on they are counted. */
const COUNTED_ZEROS = 5;
const DIGITS = 3;
const COMPACT = [
  [18, 'T'],
  [15, 'B'],
  [12, 'M'],
  [9, 'K'],
] as const;

/** The marks of one language; every language but Spanish has the English ones. */
export function marksOf(language: string): Marks {
  return language === 'es' ? SPANISH : ENGLISH;
}

/** The numbers of one language; every language but Spanish reads the English marks. */
export function figuresOf(language: string): Figures {
  return language === 'es' ? SPANISH_FIGURES : ENGLISH_FIGURES;
}

const ENGLISH_FIGURES = figuresWith(ENGLISH);
const SPANISH_FIGURES = figuresWith(SPANISH);

function figuresWith(marks: Marks): Figures {
  const usd = (micro: bigint, up = false): string => {
    if (micro > 0n && micro < 10_000n) return up ? `$${fixed(marks, 1n, 2)}` : `<$${fixed(marks, 1n, 2)}`;
    const step = micro >= 1_000_000_000n ? 1_000_000n : 10_000n;
    const cut = up ? (micro + step - 1n) / step : micro / step;
    return `$${step === 10_000n ? fixed(marks, cut, 2) : grouped(marks, cut.toString())}`;
  };
  const sol = (lamports: bigint, up = false): string => {
    const size = sizeOf(lamports);
    const step = size >= 1_000_000_000n ? 100_000n : 1_000n;
    const shown = size < step && !up ? size : ((up ? size + step - 1n : size) / step) * step;
    return `${lamports < 0n ? MINUS : ''}${decimal(marks, shown, 9)} SOL`;
  };
  const part = (size: bigint, whole: bigint, up: boolean): string => {
    const scaled = size * 1_000n;
    const tenths = up ? (scaled + whole - 1n) / whole : scaled / whole;
    // From 100 % on the digit behind the point goes: cut with a gain, rounded up with a loss.
    const shown = tenths < 1_000n ? tenths : ((up ? tenths + 9n : tenths) / 10n) * 10n;
    return `${decimal(marks, shown, 1)}${marks.percent}`;
  };
  const signedPart = (of: bigint, whole: bigint): string =>
    `${signOf(of)}${part(sizeOf(of), whole, of < 0n)}`;
  return {
    price: (pico) => (pico === null ? UNKNOWN : `$${significant(marks, pico, 12)}`),
    solPrice: (price) => (price === null ? UNKNOWN : `${significant(marks, price, 27)} SOL`),
    compact: (micro) => (micro === null ? UNKNOWN : `$${compact(marks, micro)}`),
    usd: (micro) => (micro === null ? UNKNOWN : micro < 0n ? `${MINUS}${usd(-micro, true)}` : usd(micro)),
    worth: (micro) => (micro === null ? UNKNOWN : worth(marks, micro, usd)),
    usdUpTo: (micro) => usd(micro, true),
    signedUsd: (micro) => (micro === null ? UNKNOWN : `${signOf(micro)}${usd(sizeOf(micro), micro < 0n)}`),
    sol: (lamports) => sol(lamports),
    signedSol: (lamports) => `${signOf(lamports)}${sol(sizeOf(lamports), lamports < 0n)}`,
    solExact: (lamports) => `${lamports < 0n ? MINUS : ''}${decimal(marks, sizeOf(lamports), 9)} SOL`,
    solUpTo: (lamports) => `${decimal(marks, ((lamports + 999n) / 1_000n) * 1_000n, 9)} SOL`,
    units: (amount, decimals) => unitsText(marks, amount, decimals),
    change: (of, whole) => (whole <= 0n ? UNKNOWN : signedPart(of, whole)),
    move: (percent) =>
      percent === null || !Number.isFinite(percent)
        ? UNKNOWN
        : signedPart(BigInt(Math.round(percent * 1e4)), 1_000_000n),
    percent: (bps) => `${decimal(marks, BigInt(Math.trunc(bps)), 2)}${marks.percent}`,
    percentUpTo: (bps) => part(BigInt(Math.ceil(bps)), 10_000n, true),
    count: (value) => grouped(marks, BigInt(value).toString()),
  };
}

const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value);
const signOf = (value: bigint): string => (value > 0n ? '+' : value < 0n ? MINUS : '');

/** Whole digits with the language's mark between thousands. */
export function grouped({ group, groupFrom }: Marks, digits: string): string {
  return digits.length < groupFrom ? digits : digits.replace(/\B(?=(\d{3})+(?!\d))/g, group);
}

/** All `scale` digits behind the point. */
function fixed(marks: Marks, value: bigint, scale: number): string {
  const digits = value.toString().padStart(scale + 1, '0');
  return `${grouped(marks, digits.slice(0, -scale))}${marks.point}${digits.slice(-scale)}`;
}

/** Without trailing zeros. */
function decimal(marks: Marks, value: bigint, scale: number): string {
  if (scale === 0) return grouped(marks, value.toString());
  const digits = value.toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  const whole = grouped(marks, digits.slice(0, -scale));
  return fraction === '' ? whole : `${whole}${marks.point}${fraction}`;
}

/** Three significant digits, cut; from 1,000 on the whole part. */
function significant(marks: Marks, value: bigint, scale: number): string {
  if (value <= 0n) return '0';
  const { length } = value.toString();
  const step = 10n ** BigInt(Math.max(0, Math.min(length - DIGITS, scale)));
  const cut = (value / step) * step;
  const zeros = scale - length;
  if (zeros < COUNTED_ZEROS) return decimal(marks, cut, scale);
  return `0${marks.point}0${subscript(zeros)}${cut.toString().replace(/0+$/, '')}`;
}

const subscript = (value: number): string =>
  Array.from(value.toString())
    .map((digit) => SUBSCRIPTS[Number(digit)] ?? '')
    .join('');

/** Three digits of millionths, cut, with the letter of their size. */
function compact(marks: Marks, micro: bigint): string {
  if (micro <= 0n) return '0';
  const { length } = micro.toString();
  const step = 10n ** BigInt(Math.max(0, length - DIGITS));
  const cut = (micro / step) * step;
  const [scale, letter] = COMPACT.find(([size]) => length > size) ?? [6, ''];
  return `${decimal(marks, cut, scale)}${letter}`;
}

/** As `compact`, with its cents where three digits hold them. */
function worth(marks: Marks, micro: bigint, usd: (micro: bigint) => string): string {
  return micro < 10_000_000n ? usd(micro) : `$${compact(marks, micro)}`;
}

function unitsText(marks: Marks, amount: bigint, decimals: number): string {
  const one = 10n ** BigInt(decimals);
  const size = sizeOf(amount);
  const kept = size >= 1_000n * one ? 0 : size >= one ? 4 : decimals;
  const step = 10n ** BigInt(Math.max(0, decimals - kept));
  return `${amount < 0n ? MINUS : ''}${decimal(marks, (size / step) * step, decimals)}`;
}
