import type { Person } from '@tradepost/local-telegram';
import type { Address } from '@tradepost/solana';
import { address } from '../../src/core/address/address.ts';

/** What people do in `/create_token`, step by step: taps and answers, each with the screen that must follow. */
export const tapAndWait = async (person: Person, button: string | RegExp, text: RegExp) => {
  await person.tap(button);
  return person.waitFor((shown, message) => text.test(shown) && labels(message).length > 0);
};
export const sayAndWait = async (person: Person, words: string, text: RegExp) => {
  await person.say(words);
  return person.waitFor((shown, message) => text.test(shown) && labels(message).length > 0);
};
export const buttons = (message: { reply_markup?: unknown } | undefined) =>
  (
    (message?.reply_markup as { inline_keyboard?: { text: string; url?: string }[][] } | undefined)
      ?.inline_keyboard ?? []
  ).flat();
export const labels = (message: { reply_markup?: unknown } | undefined): string[] =>
  buttons(message).map(({ text }) => text);

export async function begin(person: Person): Promise<void> {
  await sayAndWait(person, '/create_token', /need a referral account|Which type/);
  if (/referral account/.test((await person.lastMessage())?.text ?? '')) {
    await tapAndWait(person, 'Create referral account', /Which type/);
  }
}

/** From the type to the powers, with the usual answers. */
export async function usual(person: Person, type: string, symbol: string): Promise<void> {
  await begin(person);
  await tapAndWait(person, type, /The symbol/);
  await sayAndWait(person, symbol, /The name/);
  await tapAndWait(person, symbol, /Send a picture/);
  await tapAndWait(person, 'Skip', /A description/);
  await tapAndWait(person, 'Skip', /Links/);
  await tapAndWait(person, 'Skip', /Decimals/);
  await tapAndWait(person, '6', /How many tokens/);
  await tapAndWait(person, '1,000,000,000', /Who gets them/);
  await tapAndWait(person, 'Main', /What you keep/);
}

export async function made(person: Person): Promise<{ readonly mint: Address; readonly text: string }> {
  await tapAndWait(person, 'Create token', /Created/);
  const message = await person.waitFor(
    (text, shown) => /Created/.test(text) && labels(shown).includes('Give up powers'),
  );
  const text = message.text ?? '';
  return { mint: address(/\n([1-9A-HJ-NP-Za-km-z]{32,44})/.exec(text)?.[1] ?? ''), text };
}
