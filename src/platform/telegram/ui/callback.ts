/**
 * The data of a button: `<feature>:<action>` for navigation, `<feature>:<action>:<id>` when there is state, where the id names a row (never
 * a mint, an amount or a person). A leading `+` asks to leave the tapped message as it is and to answer with a new screen, for results and
 * receipts that must stay readable.
 */
export type CallbackData = {
  readonly feature: string;
  readonly action: string;
  /** Which of several like buttons: `trade:buy-2:…`. */
  readonly index: number | null;
  readonly id: string | null;
  readonly fresh: boolean;
};

const MAX_BYTES = 64;
const SHAPE = /^(\+?)([a-z_]{1,16}):([a-z][a-z0-9_]{0,15})(?:-(\d{1,2}))?(?::([A-Za-z0-9_-]{22}))?$/;

/** Throws when Telegram would refuse it: that is a bug, not user input. */
export function callbackData(
  feature: string,
  action: string,
  options: { readonly id?: string; readonly fresh?: boolean } = {},
): string {
  const text = `${options.fresh === true ? '+' : ''}${feature}:${action}${options.id === undefined ? '' : `:${options.id}`}`;
  if (Buffer.byteLength(text) > MAX_BYTES || !SHAPE.test(text)) {
    throw new RangeError(`not a callback of at most ${MAX_BYTES} bytes: ${text}`);
  }
  return text;
}

/** Null for anything that is not ours: callback data is written by the sender of the update. */
export function parseCallback(text: string): CallbackData | null {
  const match = SHAPE.exec(text);
  if (match === null) return null;
  const [, plus, feature = '', action = '', index, id] = match;
  return {
    feature,
    action,
    index: index === undefined ? null : Number(index),
    id: id ?? null,
    fresh: plus === '+',
  };
}
