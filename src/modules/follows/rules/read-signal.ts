import { AppError } from '../../../core/errors/app-error.ts';
import { withPlainDigits } from '../../../core/text/digits.ts';
import { SIGNAL_LIMITS } from './signal.ts';

const MINUTE_MS = 60_000;
/** In English and Spanish; accents are taken off before. */
const UNITS: ReadonlyMap<string, number> = new Map<string, number>([
  ...['s', 'sec', 'secs', 'second', 'seconds', 'seg', 'segundo', 'segundos'].map(of(1_000)),
  ...['', 'm', 'min', 'mins', 'minute', 'minutes', 'minuto', 'minutos'].map(of(MINUTE_MS)),
  ...['h', 'hr', 'hrs', 'hour', 'hours', 'hora', 'horas'].map(of(60 * MINUTE_MS)),
  ...['d', 'day', 'days', 'dia', 'dias'].map(of(1_440 * MINUTE_MS)),
]);

function of(ms: number): (name: string) => readonly [string, number] {
  return (name) => [name, ms];
}

/** The number of wallets of a signal, as typed. Throws SIGNAL_REFUSED for any other text than a whole number, and outside of its limits. */
export function readWallets(text: string): number {
  const plain = withPlainDigits(text).trim();
  return assertWallets(/^\d{1,9}$/.test(plain) ? Number(plain) : Number.NaN);
}

/** The time of a signal in milliseconds, as typed: `30 min`, `2h`, `1 día`; minutes without a unit. Throws SIGNAL_REFUSED as `readWallets`. */
export function readSpan(text: string): number {
  const plain = withPlainDigits(text).trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  const [, digits = '', unit = ''] = /^(\d{1,9})\s*([a-z]*)\.?$/.exec(plain) ?? [];
  return assertSpan(digits === '' ? Number.NaN : Number(digits) * (UNITS.get(unit) ?? Number.NaN));
}

/** The number itself where a signal takes so many wallets. Throws SIGNAL_REFUSED. */
export function assertWallets(wallets: number): number {
  const { least, most } = SIGNAL_LIMITS.wallets;
  if (Number.isInteger(wallets) && wallets >= least && wallets <= most) return wallets;
  throw new AppError('SIGNAL_REFUSED', { kind: 'wallets', least, most });
}

/** The milliseconds themselves where a signal takes them: whole minutes within its limits. Throws SIGNAL_REFUSED. */
export function assertSpan(spanMs: number): number {
  const { least, most } = SIGNAL_LIMITS.spanMs;
  if (spanMs >= least && spanMs <= most && spanMs % MINUTE_MS === 0) return spanMs;
  throw new AppError('SIGNAL_REFUSED', { kind: 'span' });
}

/** `30 min`, `2 h`: a time as `readSpan` reads it again, alike in both languages. */
export function spanText(spanMs: number): string {
  const minutes = spanMs / MINUTE_MS;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}
