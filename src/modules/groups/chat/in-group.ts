import { type Address, isAddress } from '@tradepost/solana';
import { GrammyError } from 'grammy';
import type { Message } from 'grammy/types';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { chooseLanguage, type Words, wordsOf } from '../../../compose/texts/words.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import { markOf } from '../../../core/time/elapsed.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { GROUP_COMMANDS } from '../../../platform/telegram/feature.ts';
import { authored } from '../../../platform/telegram/reading/authored.ts';
import { commandOf, type GivenCommand } from '../../../platform/telegram/reading/command-of.ts';
import { askedFor } from '../../../platform/telegram/reading/said.ts';
import { messageOptions, type View } from '../../../platform/telegram/ui/screen.ts';
import { displayName } from '../../tokens/rules/display-name.ts';
import { type Answered, afterAnswer, NOT_ANSWERED } from '../rules/answers.ts';
import { readDays, standings } from '../rules/group-call.ts';
import { groupCode } from '../use/group-settings.ts';
import { type Caller, scanToken } from '../use/scan-token.ts';
import { groupView, said, scanView, standingsView } from './view.ts';

const DAY_MS = 86_400_000;
/** Groups whose answers are remembered; the longest silent ones are forgotten first. */
const MAX_GROUPS = 10_000;

type GroupDeps = Pick<FeatureDeps, 'clock' | 'db' | 'groups' | 'log' | 'passportUrl' | 'tokens' | 'trade'>;

type AskedScan = { readonly kind: 'scan'; readonly mint: Address | null; readonly isBare: boolean };

/** The question of a group's message. */
type Asked =
  | AskedScan
  | { readonly kind: 'standings' | 'group' | 'forget' | 'elsewhere'; readonly rest: string };

/**
 * Answers of the bot in groups: figures of tokens and results of calls, and nothing of any person's account. No person is created or
 * loaded, and no dialogue is opened; buttons are links. Never throws.
 */
export function groupChat(deps: GroupDeps): (ctx: BotContext) => Promise<void> {
  const groups = new Map<number, Answered>();

  /** Counts one answer; false where nothing may be said now. */
  function mayAnswer(chatId: number, mint: string | null): boolean {
    const after = afterAnswer(groups.get(chatId) ?? NOT_ANSWERED, markOf(deps.clock).steadyMs, mint);
    if (after === null) return false;
    groups.delete(chatId);
    groups.set(chatId, after);
    const [oldest] = groups.keys();
    if (groups.size > MAX_GROUPS && oldest !== undefined) groups.delete(oldest);
    return true;
  }

  async function answer(ctx: BotContext, message: Message, asked: Asked): Promise<void> {
    const { chat } = message;
    const mint = asked.kind === 'scan' ? asked.mint : null;
    if (!mayAnswer(chat.id, mint)) return;
    const groupId = BigInt(chat.id);
    const group = await deps.db.groups.find(groupId);
    const words = wordsOf(chooseLanguage(group?.language ?? null, null));
    const view = await viewOf(deps, ctx, { words, asked, message, group });
    if (view !== null) await sendInGroup(ctx, message, view);
  }

  return async (ctx) => {
    const { message } = ctx;
    if (message === undefined) return;
    try {
      const moved = movedIn(message);
      if (moved !== null) {
        await deps.db.groups.move(moved.from, moved.to);
        return;
      }
      const asked = askedIn(ctx, message);
      if (asked !== null) await answer(ctx, message, asked);
    } catch (err) {
      if (isRefused(err)) return;
      if (!isAppError(err)) {
        deps.log.warn({ err }, 'a group could not be answered');
        return;
      }
      deps.log.info({ code: err.code }, 'a group could not be answered');
      await sendInGroup(ctx, message, said(wordsOf('en').text('groups.later'))).catch(() => undefined);
    }
  };
}

type Found = {
  readonly words: Words;
  readonly asked: Asked;
  readonly message: Message;
  readonly group: Awaited<ReturnType<GroupDeps['db']['groups']['find']>>;
};

async function viewOf(
  deps: GroupDeps,
  ctx: BotContext,
  { words, asked, message, group }: Found,
): Promise<View | null> {
  const groupId = BigInt(message.chat.id);
  const botName = ctx.me.username;
  const readAt = deps.clock.now();
  switch (asked.kind) {
    case 'scan':
      return scan(deps, ctx, { words, asked, message, group, readAt });
    case 'standings': {
      const days = readDays(asked.rest);
      if (days === null) return said(words.text('groups.lb_ask'));
      const calls = await deps.db.groups.calls(groupId, readAt - days * DAY_MS);
      return standingsView(words, { days, rows: standings(calls) });
    }
    case 'group':
      return groupView(words, { botName, groupId, group, code: await groupCode(deps, group) });
    case 'forget':
      return said(
        words.text('groups.forgotten', {
          count: await forgetCaller(deps, message),
        }),
      );
    case 'elsewhere':
      return {
        ...said(words.text('group.private_only')),
        keyboard: [[{ text: words.text('btn.open_chat'), url: `https://t.me/${botName}` }]],
      };
  }
}

async function scan(
  deps: GroupDeps,
  ctx: BotContext,
  { words, asked, message, group, readAt }: Found & { readonly asked: AskedScan; readonly readAt: number },
): Promise<View | null> {
  const { mint, isBare } = asked;
  if (mint === null) return said(words.text('groups.ask_scan'));
  const found = await scanToken(
    { ...deps, quote: deps.trade.paperQuote },
    {
      groupId: BigInt(message.chat.id),
      mint,
      caller: callerOf(words, message),
    },
  );
  // An address in the talk of people may be a wallet's.
  if (found === null) return isBare ? null : said(words.text('groups.no_token'));
  if (found.isFirst && found.call !== null) deps.groups.enterSoon(found.call);
  return scanView(words, {
    scan: found,
    group,
    code: await groupCode(deps, group),
    botName: ctx.me.username,
    chartUrl: deps.passportUrl(mint),
    readAt,
  });
}

/** The two ids of a group that became a supergroup. Telegram notes it in both chats; one note is enough, and the other changes nothing. */
function movedIn(message: Message): { readonly from: bigint; readonly to: bigint } | null {
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
  if (to !== undefined) return { from: BigInt(chat.id), to: BigInt(to) };
  return from === undefined ? null : { from: BigInt(from), to: BigInt(chat.id) };
}

/** Null where a chat wrote the message: an anonymous admin, or a channel. Its call is the group's, and counts for no person. */
function callerOf(words: Words, { from, sender_chat: chat }: Message): Caller | null {
  if (from === undefined || chat !== undefined) return null;
  return { id: BigInt(from.id), name: displayName(from.first_name) ?? words.text('groups.someone') };
}

/** Takes a person's name off their calls, and counts these; 0 for a chat, which has none. */
const forgetCaller = async (
  { db }: Pick<GroupDeps, 'db'>,
  { chat, from, sender_chat: writer }: Message,
): Promise<number> =>
  from === undefined || writer !== undefined ? 0 : db.groups.forget(BigInt(chat.id), BigInt(from.id));

const COMMANDS: Readonly<Record<(typeof GROUP_COMMANDS)[number], 'scan' | 'standings' | 'group' | 'forget'>> =
  { scan: 'scan', lb: 'standings', group: 'group', forgetme: 'forget' };
const KNOWN = new Map(Object.entries(COMMANDS));

/** A command with another bot's name is another bot's; one without a name is ours where only groups have it. */
function askedIn(ctx: BotContext, message: Message): Asked | null {
  const own = ctx.me.username.toLowerCase();
  const command = commandOf(message);
  if (command !== null) return askedBy(command, own, message);
  const text = askedFor(message);
  const mint = mintIn(text);
  if (mint === null) return null;
  const isReply = message.reply_to_message?.from?.id === ctx.me.id;
  const isMention = text.toLowerCase().includes(`@${own}`);
  if (isReply || isMention) return { kind: 'scan', mint, isBare: false };
  // With Telegram's privacy mode the talk of people reaches an admin alone: the group's admins want it read.
  return ctx.me.can_read_all_group_messages ? null : { kind: 'scan', mint, isBare: true };
}

function askedBy({ name, to, rest }: GivenCommand, own: string, message: Message): Asked | null {
  if (to !== null && to !== own) return null;
  const known = KNOWN.get(name);
  if (known === undefined) return to === own ? { kind: 'elsewhere', rest } : null;
  // A forwarded word of another person forgets nothing.
  if (!authored(message)) return null;
  if (known !== 'scan') return { kind: known, rest };
  const replied = message.reply_to_message;
  const mint = mintIn(rest) ?? mintIn(askedFor(message)) ?? mintIn(replied?.text ?? replied?.caption ?? '');
  return { kind: 'scan', mint, isBare: false };
}

/** The first address in a text. */
function mintIn(text: string): Address | null {
  const words: readonly string[] = text.slice(0, 500).match(/[1-9A-HJ-NP-Za-km-z]{32,44}/g) ?? [];
  return words.find(isAddress) ?? null;
}

/** As an answer to the message, in its topic. */
async function sendInGroup(ctx: BotContext, message: Message, view: View): Promise<void> {
  await ctx.api.sendMessage(message.chat.id, view.text.markup, {
    ...messageOptions(view),
    reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
  });
}

/** Telegram's word that the bot may not write there, or not so often: the group's affair, and no fault. */
const isRefused = (err: unknown): boolean =>
  err instanceof GrammyError && (err.error_code === 400 || err.error_code === 403 || err.error_code === 429);
