import type { Message } from '@grammyjs/types';
import type { Person } from '@tradepost/local-telegram';

/** The next message of the bot that matches and can be acted on: it has buttons. */
export function waitForScreen(who: Person, match: RegExp): Promise<Message> {
  return who.waitFor((text, message) => match.test(text) && buttons(message).length > 0, {
    timeoutMs: 30_000,
  });
}

const MOST_TAPS = 3;

/**
 * The question behind a button of a card. Where the answer is that the network is away and nothing was sent, the person goes back to the card
 * and taps again, three times at most. Throws with the transcript where no question comes.
 */
export async function askTrade(who: Person, button: string, question = /At least/): Promise<Message> {
  for (let taps = 1; taps < MOST_TAPS; taps += 1) {
    await who.tap(button);
    const screen = await who.waitFor(
      (text, message) =>
        (question.test(text) || /code CHAIN_UNREACHABLE/.test(text)) && buttons(message).length > 0,
      { timeoutMs: 30_000 },
    );
    if (question.test(screen.text ?? '')) return screen;
    await who.tap('Back');
    await waitForScreen(who, /\n\S+( SOL)? · cap |No market/);
  }
  await who.tap(button);
  return waitForScreen(who, question);
}

/**
 * The result of the request that was confirmed on the screen `asked`. It is shown in that message, or in a newer one. An older message that
 * changes meanwhile is about an earlier trade.
 */
export function waitForResult(who: Person, asked: Message, done: RegExp): Promise<Message> {
  return who.waitFor(
    (text, message) =>
      message.message_id >= asked.message_id && done.test(text) && buttons(message).length > 0,
    { timeoutMs: 30_000 },
  );
}

/** A message that fits, also one from before the person's last action: an earlier trade becomes final at any time. */
export function waitForPast(
  who: Person,
  match: (text: string, message: Message) => boolean,
): Promise<Message> {
  return who.waitFor(match, { timeoutMs: 30_000, past: true });
}

export function hasButton(message: Message, label: string): boolean {
  return buttons(message).some((button) => button.text === label);
}

/** The signature behind a result's Explorer button. */
export function signatureOf(message: Message): string {
  const url = buttonUrl(message, 'Explorer');
  return decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
}

export function buttonUrl(message: Message, label: string): string {
  const button = buttons(message).find((candidate) => candidate.text === label);
  if (button === undefined || !('url' in button))
    throw new Error(`no button "${label}" with a link under: ${message.text ?? ''}`);
  return button.url;
}

/** The invite link a message shows. */
export function startLink(message: Message): string {
  const link = /https:\/\/t\.me\/\S+/.exec(message.text ?? '')?.[0];
  if (link === undefined) throw new Error(`no invite link in: ${message.text ?? ''}`);
  return link;
}

function buttons(message: Message) {
  const markup = message.reply_markup;
  return markup !== undefined && 'inline_keyboard' in markup ? markup.inline_keyboard.flat() : [];
}
