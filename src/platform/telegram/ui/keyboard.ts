import { callbackData } from './callback.ts';

export type ButtonSpec =
  | { readonly text: string; readonly callback_data: string; readonly style?: ButtonStyle }
  | { readonly text: string; readonly url: string }
  | { readonly text: string; readonly copy_text: { readonly text: string } };

/** Buys, sells, and acts that the screen describes. Apps that know no colours show the dot of the label alone. */
type ButtonStyle = 'success' | 'danger' | 'primary';

export type Row = readonly ButtonSpec[];

/** Rows of buttons; empty rows and nulls are left out, so that a conditional button reads in place. */
export type Keyboard = readonly Row[];

export function keyboard(
  ...rows: readonly (readonly (ButtonSpec | null | false)[] | null | false)[]
): Keyboard {
  return rows
    .filter((row) => row !== null && row !== false)
    .map((row) => row.filter((button) => button !== null && button !== false))
    .filter((row) => row.length > 0);
}

/** A button that needs no state. */
export function nav(text: string, feature: string, action: string): ButtonSpec {
  return { text, callback_data: callbackData(feature, action) };
}

/** As `nav`, under a message that must stay: the answer is a new screen. */
export function freshNav(text: string, feature: string, action: string): ButtonSpec {
  return { text, callback_data: callbackData(feature, action, { fresh: true }) };
}

/** A button whose meaning is in the row `id`. */
export function act(text: string, feature: string, action: string, id: string): ButtonSpec {
  return { text, callback_data: callbackData(feature, action, { id }) };
}

/** A button that buys: green, with a green dot for apps without colours. */
export const buys = (text: string, feature: string, action: string, id: string): ButtonSpec => ({
  ...act(`🟢 ${text}`, feature, action, id),
  style: 'success',
});

/** A button that sells: as `buys`, red. */
export const sells = (text: string, feature: string, action: string, id: string): ButtonSpec => ({
  ...act(`🔴 ${text}`, feature, action, id),
  style: 'danger',
});

/** A button that carries out the act on the screen. */
export const carriesOut = (text: string, feature: string, action: string, id: string): ButtonSpec => ({
  ...act(text, feature, action, id),
  style: 'primary',
});

/** Under a message that must stay, a part of the holding to sell. */
export const freshSells = (text: string, feature: string, action: string, id: string): ButtonSpec => ({
  ...freshAct(`🔴 ${text}`, feature, action, id),
  style: 'danger',
});

export function freshAct(text: string, feature: string, action: string, id: string): ButtonSpec {
  return { text, callback_data: callbackData(feature, action, { id, fresh: true }) };
}

export function link(text: string, url: string): ButtonSpec {
  return { text, url };
}

/** Telegram copies at most 256 characters. */
export function copy(text: string, content: string): ButtonSpec {
  return { text, copy_text: { text: content.slice(0, 256) } };
}

/** Splits buttons into rows of `size`. */
export function inRows(buttons: readonly ButtonSpec[], size: number): readonly Row[] {
  const rows: Row[] = [];
  for (let i = 0; i < buttons.length; i += size) rows.push(buttons.slice(i, i + size));
  return rows;
}

/** Marks the chosen one of several. */
export const ticked = (text: string, chosen: boolean): string => (chosen ? `✓ ${text}` : text);
