/** The request of a line of plain text. `amount` and `token` as they were typed; null where they were not. */
export type TypedVerb =
  | { readonly kind: 'home' }
  | { readonly kind: 'positions' }
  | { readonly kind: 'launches' }
  | { readonly kind: 'amount-alone'; readonly amount: string }
  | {
      readonly kind: 'trade';
      readonly side: 'buy' | 'sell';
      readonly amount: string | null;
      readonly token: string | null;
    };

/** A map, for any word may be typed: a plain object has a `constructor`. */
const SIDES: ReadonlyMap<string, 'buy' | 'sell'> = new Map([
  ['buy', 'buy'],
  ['comprar', 'buy'],
  ['compra', 'buy'],
  ['sell', 'sell'],
  ['vender', 'sell'],
  ['vende', 'sell'],
]);
const GREETINGS: ReadonlySet<string> = new Set(['gm', 'gn', 'hi', 'hello', 'hey', 'hola', 'buenas']);
const LAUNCHES: ReadonlySet<string> = new Set(['new', 'launches', 'nuevo', 'nuevos', 'lanzamientos']);
const WHOLE: ReadonlySet<string> = new Set(['max', 'all', 'everything', 'máximo', 'maximo', 'todo']);
/** `sol` and these come in between: they have no meaning. */
const FILLERS: ReadonlySet<string> = new Set(['of', 'de', 'for', 'por', 'worth']);
const NUMBER = /^[-−+]?[\d.,]*\d[\d.,]*(?:e\d+)?%?$/i;
const LONGEST = 64;

/**
 * Reads `buy 0.3 pup`, `pup vender 50%`, `comprar pup`, `sell`, `gm`, `0.5 SOL`. Null for anything else, which may be a token's name. The
 * words may come in any order; a number that is no amount is handed on as it is, so that it is refused in words.
 */
export function readVerb(text: string): TypedVerb | null {
  const words = text.trim().split(/\s+/u);
  if (text.length > LONGEST || words.length > 6) return null;
  const lower = words.map((word) => word.toLowerCase());
  const [first = ''] = lower;
  if (words.length === 1 && GREETINGS.has(first.replace(/[!.]+$/, ''))) return { kind: 'home' };
  if (words.length === 1 && LAUNCHES.has(first)) return { kind: 'launches' };
  const sides = lower.flatMap((word) => SIDES.get(word) ?? []);
  const [side] = sides;
  if (sides.length > 1) return null;
  const rest = words.filter((_, index) => !SIDES.has(lower[index] ?? ''));
  const isNoise = (word: string): boolean => FILLERS.has(word.toLowerCase());
  const amounts = rest.filter((word) => NUMBER.test(word) || WHOLE.has(word.toLowerCase()));
  const others = rest.filter((word) => !amounts.includes(word) && !isNoise(word));
  const [amount = null] = amounts;
  if (side === undefined) {
    const isSol = others.length === 1 && others[0]?.toLowerCase() === 'sol';
    return isSol && amounts.length === 1 && amount !== null && NUMBER.test(amount)
      ? { kind: 'amount-alone', amount }
      : null;
  }
  const named = others.filter((word) => amount === null || word.toLowerCase() !== 'sol');
  if (amounts.length > 1 || named.length > 1) return null;
  const [token = null] = named;
  if (side === 'sell' && amount === null && token === null) return { kind: 'positions' };
  return { kind: 'trade', side, amount, token };
}

/** Whether a text means the same at any screen: a greeting, a purchase, a sale. An amount alone is a form's to read, where one is open. */
export function isWordsAtAnyScreen(text: string): boolean {
  const verb = readVerb(text);
  return verb !== null && verb.kind !== 'amount-alone';
}
