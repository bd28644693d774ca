import { AppError } from '../../../core/errors/app-error.ts';
import { withPlainDigits } from '../../../core/text/digits.ts';

/** What a person filters by, in the order in which it is written. */
const FIGURES = ['age', 'cap', 'liq', 'holders', 'dev', 'top10', 'bundle', 'curve', 'verdict'] as const;
export type FilterFigure = (typeof FIGURES)[number];

/** One condition: at least (`>`) or at most (`<`), both with the bound itself. */
export type Condition = {
  readonly figure: FilterFigure;
  readonly is: '<' | '>';
  /** Minutes of age, dollars, holders, percent; for the verdict 0 is fine, 1 careful, 2 blocked. */
  readonly bound: number;
};

/** All must hold; none lets everything through. */
export type LaunchFilter = readonly Condition[];

/** The figures of one launch. Null is "not known", and passes no condition about it. */
export type FilterFacts = { readonly [F in FilterFigure]: number | null };

const NAMES: ReadonlyMap<string, FilterFigure> = new Map<string, FilterFigure>(
  Object.entries({
    age: 'age',
    edad: 'age',
    cap: 'cap',
    liq: 'liq',
    liquidity: 'liq',
    liquidez: 'liq',
    holders: 'holders',
    tenedores: 'holders',
    dev: 'dev',
    top10: 'top10',
    top: 'top10',
    bundle: 'bundle',
    curve: 'curve',
    curva: 'curve',
    sold: 'curve',
    vendido: 'curve',
    verdict: 'verdict',
    veredicto: 'verdict',
  }),
);
const VERDICTS: ReadonlyMap<string, number> = new Map<string, number>(
  Object.entries({
    ok: 0,
    bien: 0,
    careful: 1,
    cuidado: 1,
    block: 2,
    bloqueo: 2,
  }),
);
const PERCENTS: ReadonlySet<FilterFigure> = new Set(['dev', 'top10', 'bundle', 'curve']);
const MULTIPLES: ReadonlyMap<string, number> = new Map<string, number>(
  Object.entries({ '': 1, k: 1e3, m: 1e6, b: 1e9 }),
);
const MINUTES: ReadonlyMap<string, number> = new Map<string, number>(
  Object.entries({ '': 1, m: 1, min: 1, h: 60, d: 1_440 }),
);
const CONDITION = /^(\p{L}+\d*)(<=|>=|<|>|=)(\S+)$/u;
const NUMBER = /^\$?(\d{1,12}(?:[.,]\d{1,4})?)([a-z]*)%?$/;
const LARGEST = 1e12;
const MAX_CONDITIONS = 9;

/**
 * Reads `age<30 cap>5k dev<5 curve>20 verdict<careful`, in English or Spanish, parted by spaces. Throws FILTER_INVALID with the part that
 * is none; an empty text and `all` let everything through.
 */
export function readFilter(text: string): LaunchFilter {
  const plain = withPlainDigits(text).trim().toLowerCase();
  if (['', 'all', 'todo', 'todos'].includes(plain)) return [];
  const parts = plain.replace(/\s*(<=|>=|<|>|=)\s*/g, '$1').split(/[\s;]+/);
  if (parts.length > MAX_CONDITIONS) throw invalid(parts[MAX_CONDITIONS] ?? '');
  const read = parts.map(readCondition);
  // The last word about a figure and side counts.
  const kept = new Map(read.map((one) => [`${one.figure}${one.is}`, one]));
  return FIGURES.flatMap((figure) => (['>', '<'] as const).flatMap((is) => kept.get(`${figure}${is}`) ?? []));
}

function readCondition(part: string): Condition {
  const [, name = '', sign = '', value = ''] = CONDITION.exec(part) ?? [];
  const figure = NAMES.get(name);
  if (figure === undefined) throw invalid(part);
  const is = sign.startsWith('>') ? '>' : '<';
  if (figure === 'verdict') {
    const bound = VERDICTS.get(value);
    if (bound === undefined || is === '>') throw invalid(part);
    return { figure, is, bound };
  }
  const [, digits = '', unit = ''] = NUMBER.exec(value) ?? [];
  const scale = figure === 'age' ? MINUTES.get(unit) : MULTIPLES.get(unit);
  const bound = Number(digits.replace(',', '.')) * (scale ?? Number.NaN);
  if (digits === '' || !Number.isFinite(bound) || bound > LARGEST) throw invalid(part);
  if (PERCENTS.has(figure) && (unit !== '' || bound > 100)) throw invalid(part);
  return { figure, is, bound };
}

const invalid = (part: string): AppError => new AppError('FILTER_INVALID', { given: part.slice(0, 32) });

/** As `readFilter` reads it again; empty for a filter that lets everything through. */
export function filterText(filter: LaunchFilter): string {
  return filter.map(({ figure, is, bound }) => `${figure}${is}${boundText(figure, bound)}`).join(' ');
}

const VERDICT_WORDS = ['ok', 'careful', 'block'];

function boundText(figure: FilterFigure, bound: number): string {
  if (figure === 'verdict') return VERDICT_WORDS[bound] ?? 'block';
  if (figure === 'age') return bound % 60 === 0 && bound > 0 ? `${bound / 60}h` : `${bound}m`;
  const step = [
    [1e9, 'b'],
    [1e6, 'm'],
    [1e3, 'k'],
  ] as const;
  const [scale, unit] = step.find(([size]) => bound >= size && bound % (size / 10) === 0) ?? [1, ''];
  return `${bound / scale}${unit}`;
}

/** Whether a launch passes. A figure that is not known passes no condition about it. */
export function passes(filter: LaunchFilter, facts: Partial<FilterFacts>): boolean {
  return filter.every(({ figure, is, bound }) => {
    const value = facts[figure] ?? null;
    if (value === null || Number.isNaN(value)) return false;
    return is === '<' ? value <= bound : value >= bound;
  });
}

/** The figures that a filter asks for. */
export const asksFor = (filter: LaunchFilter): ReadonlySet<FilterFigure> =>
  new Set(filter.map(({ figure }) => figure));
