import { type Address, shortAddress } from '@tradepost/solana';
import { type Api, GrammyError } from 'grammy';
import type { BotDeps, LaunchServices } from '../../compose/bot-deps.ts';
import { type Words, wordsFor } from '../../compose/texts/words.ts';
import { loadResult } from '../../engine/intents/chat/load-result.ts';
import { resultView } from '../../engine/intents/chat/result-view.ts';
import {
  decodeConvert,
  decodeGraduated,
  decodeRevokeReminder,
  decodeRewardPaid,
} from '../../engine/intents/rules/notice-payload.ts';
import type { Notice, NoticeToTell } from '../../engine/notices/store-port.ts';
import { tellAlert, tellAlertEnded } from '../../modules/alerts/chat/tell-alert.ts';
import { tellCopy } from '../../modules/copying/chat/tell-copy.ts';
import { depositView } from '../../modules/deposits/chat/notice-view.ts';
import { decodeDeposit } from '../../modules/deposits/rules/deposit-notice.ts';
import { tellFollowDigest, tellFollowTrade } from '../../modules/follows/chat/tell-follow.ts';
import { tellSignal, tellSignalDigest } from '../../modules/follows/chat/tell-signal.ts';
import { guardNoticeView } from '../../modules/guard/chat/notice-view.ts';
import { CARD_TTL_MS, KEY_REVIEW, keyCard } from '../../modules/keys/chat/card-view.ts';
import { tellLaunch, tellLaunchBack, tellLaunchDigest } from '../../modules/launches/chat/tell-launch.ts';
import type { LaunchReads } from '../../modules/launches/use/launch-figures.ts';
import type { SolPrice } from '../../modules/market/use/sol-price.ts';
import type { TokenData } from '../../modules/market/use/token-data.ts';
import { liveAuthorities } from '../../modules/mint/use/quote-revoke-authority.ts';
import { orderNoticeView } from '../../modules/orders/chat/notice-view.ts';
import { isClosed } from '../../modules/orders/rules/order.ts';
import { decodeOrderNotice } from '../../modules/orders/rules/order-notice.ts';
import { tellKey } from '../../modules/personal-keys/chat/tell-key.ts';
import type { User } from '../../modules/settings/rules/user.ts';
import { displayName } from '../../modules/tokens/rules/display-name.ts';
import { loadToken } from '../../modules/trading/use/load-token.ts';
import { tellExport } from '../../modules/wallets/chat/tell-export.ts';
import { tellWallet } from '../../modules/wallets/chat/tell-wallet.ts';
import type { Chain } from '../ports/chain.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Notifier } from '../ports/notifier.ts';
import type { Stores } from '../ports/stores.ts';
import { amountText, solText, usdNote } from './ui/amounts.ts';
import { code } from './ui/html.ts';
import { freshAct, freshNav, type Keyboard, keyboard } from './ui/keyboard.ts';
import { editText, sendView, type View } from './ui/screen.ts';
import type { ButtonStates } from './ui/state.ts';

export type NotifierDeps = {
  readonly api: Api;
  readonly db: Pick<
    Stores,
    | 'users'
    | 'intents'
    | 'notices'
    | 'orders'
    | 'alerts'
    | 'follows'
    | 'seenLaunches'
    | 'copies'
    | 'personalKeys'
    | 'referrals'
    | 'createdTokens'
    | 'mails'
    | 'positions'
    | 'wallets'
    | 'exports'
    | 'guards'
    | 'flags'
  >;
  readonly chain: Pick<Chain, 'token' | 'holding' | 'latestBlockhash' | 'slotMs'>;
  readonly tokens: Pick<TokenData, 'prices' | 'profile' | 'lookNow'>;
  readonly launchReads: LaunchReads;
  readonly launch: Pick<LaunchServices, 'launchpads'>;
  readonly states: ButtonStates;
  readonly clock: Clock;
  readonly solPrice: SolPrice;
  readonly trade: Pick<BotDeps['trade'], 'slippageThatPasses'>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly options: { readonly explorerUrl: string };
  readonly passportUrl: (mint: Address) => string | null;
  readonly keyReview: BotDeps['keyReview'];
};

type Delivery = Awaited<ReturnType<Notifier['deliver']>>;

/** Telegram is back in a moment more often than not. */
const RETRY_MS = 3_000;

/**
 * Notices as chat messages. The text is read from the intent's rows at the moment of delivery, so a late or repeated notice never says less
 * than is known; an intent's messages are edits of one message. A person who blocked the bot is marked and not bothered again until they
 * return.
 */
export function createBotNotifier(world: NotifierDeps): Notifier {
  const deps = { ...world, issued: new Map<string, string>() };
  const botName = rememberedName(deps.api);
  return {
    deliver: async (told) => {
      const { user, notice } = told;
      if (user.blockedAt !== null) return { kind: 'away' };
      try {
        await tell(deps, told, botName);
        return { kind: 'delivered' };
      } catch (error) {
        return judge(deps, user, notice, error);
      }
    },
  };
}

type BotName = () => Promise<string>;

/** Asked for once: a process that only runs the worker has not met the bot. */
function rememberedName(api: Api): BotName {
  let name: string | null = null;
  return async () => (name ??= (await api.getMe()).username);
}

async function tell(deps: NotifierDeps, told: NoticeToTell, botName: BotName): Promise<void> {
  const { notice, user } = told;
  const words = wordsFor(user);
  const chatId = Number(user.telegramId);
  switch (notice.kind) {
    case 'waiting':
    case 'progress':
    case 'confirmed':
    case 'final':
      return tellIntent(deps, told, botName);
    case 'reward-paid':
      return tellReward(deps, told);
    case 'invitee-joined':
      await sendView(deps.api, chatId, {
        text: words.html('notice.invitee'),
        keyboard: keyboard([freshNav(words.text('btn.referral'), 'referral', 'open')]),
      });
      return;
    case 'revoke-reminder':
      return remindOfPowers(deps, user, decodeRevokeReminder(notice.payload).mint);
    case 'graduated':
      return tellGraduated(deps, told);
    case 'alert':
    case 'alert-ended':
    case 'follow-trade':
    case 'follow-back':
    case 'follow-digest':
    case 'signal':
    case 'signal-digest':
    case 'launch-stage':
    case 'launch-back':
    case 'launch-digest':
    case 'copy':
    case 'personal-key':
      return tellNews(deps, told);
    case 'order':
      return tellOrder(deps, told);
    case 'convert-open':
      await sendView(deps.api, chatId, {
        text: words.html('notice.convert_open'),
        keyboard: keyboard([freshNav(words.text('btn.convert'), 'convert', 'open')]),
      });
      return;
    case 'convert-ended':
      return tellConvertEnded(deps, told);
    case 'key-request':
      return tellKeyRequest(deps, user, payloadText(notice.payload, 'requestId'));
    case 'key-mail-failed':
      return tellMailFailed(deps, user, payloadText(notice.payload, 'mailId'));
    case 'guard':
      await sendView(deps.api, chatId, guardNoticeView(words, notice.payload));
      return;
    case 'deposit':
      return tellDeposit(deps, told);
    case 'export':
      return tellExport(deps, told);
    case 'wallet':
      return tellWallet(deps, told);
  }
}

/** Prices, trades of followed wallets, stages of launches, and what copies and programs did. */
function tellNews(deps: NotifierDeps, told: NoticeToTell): Promise<void> {
  const { kind } = told.notice;
  if (kind === 'alert') return tellAlert(deps, told);
  if (kind === 'alert-ended') return tellAlertEnded(deps, told);
  if (kind === 'copy') return tellCopy(deps, told);
  if (kind === 'signal') return tellSignal(deps, told);
  if (kind === 'signal-digest') return tellSignalDigest(deps, told);
  if (kind === 'personal-key') return tellKey(deps, told);
  if (kind === 'launch-stage') return tellLaunch(deps, told);
  if (kind === 'launch-back') return tellLaunchBack(deps, told);
  if (kind === 'launch-digest') return tellLaunchDigest(deps, told);
  return kind === 'follow-digest' ? tellFollowDigest(deps, told) : tellFollowTrade(deps, told);
}

async function tellReward(deps: NotifierDeps, { notice, user }: NoticeToTell): Promise<void> {
  const words = wordsFor(user);
  const { lamports, signature, source } = decodeRewardPaid(notice.payload);
  const usd = usdNote(words, lamports, await deps.solPrice());
  const text = words.html(`notice.reward_${source}`, {
    sol: solText(words, lamports),
    usd,
    signature: code(signature),
  });
  const ofPoints = source === 'rebate' || source === 'conversion';
  await sendView(deps.api, Number(user.telegramId), {
    text,
    keyboard: keyboard([
      ofPoints
        ? freshNav(words.text('btn.points'), 'points', 'open')
        : freshNav(words.text('btn.referral'), 'referral', 'open'),
    ]),
  });
}

async function tellGraduated(deps: NotifierDeps, { notice, user }: NoticeToTell): Promise<void> {
  const words = wordsFor(user);
  const { mint, symbol, pad } = decodeGraduated(notice.payload);
  const text = words.html('notice.graduated', {
    symbol: displayName(symbol) ?? shortAddress(mint),
    pad,
    mint: code(mint),
  });
  await sendView(deps.api, Number(user.telegramId), { text, keyboard: homeButton(words) });
}

async function tellConvertEnded(deps: NotifierDeps, { notice, user }: NoticeToTell): Promise<void> {
  const words = wordsFor(user);
  const { period, points, lamports } = decodeConvert(notice.payload);
  const common = { number: period, points: amountText(words, points, 0) };
  const text =
    lamports > 0n
      ? words.html('notice.convert_paid', { ...common, sol: solText(words, lamports) })
      : words.html('notice.convert_back', common);
  await sendView(deps.api, Number(user.telegramId), { text, keyboard: homeButton(words) });
}

const homeButton = (words: Words): Keyboard => keyboard([freshNav(words.text('btn.home'), 'home', 'open')]);

async function tellDeposit(deps: NotifierDeps, { notice, user }: NoticeToTell): Promise<void> {
  const said = decodeDeposit(notice.payload);
  const [wallet, token, microUsdPerSol] = await Promise.all([
    deps.db.wallets.find(said.walletId),
    said.mint === null ? null : deps.chain.token(said.mint),
    deps.solPrice(),
  ]);
  const view = depositView(wordsFor(user), { said, wallet: wallet?.name ?? '', token, microUsdPerSol });
  await sendView(deps.api, Number(user.telegramId), view);
}

/** In the message of its fire where it has one: its results are edited into that. Throws TOKEN_NOT_FOUND, as `tellAlert`. */
async function tellOrder(deps: NotifierDeps, { notice, user, progress }: NoticeToTell): Promise<void> {
  const said = decodeOrderNotice(notice.payload);
  const group = await deps.db.orders.find(said.orderId);
  const order = group?.orders.find(({ id }) => id === said.orderId);
  if (order === undefined) return;
  // The notice lets its person give the order more time; an order that is over can get none.
  if (said.event === 'ending' && (isClosed(order) || order.expiresAt <= deps.clock.now())) return;
  const token = await loadToken(deps.chain, order.mint);
  const [fire = null] = (await deps.db.orders.fires(order.id, 20)).filter(({ n }) => n === said.n);
  // Its result is there already.
  if (said.event === 'fired' && fire?.end != null) return;
  const { id: orderId, mint, walletId } = order;
  const payload = { orderId, mint, walletId };
  const stateId = await deps.states.issue({ userId: user.id, feature: 'orders trade', payload });
  const view = orderNoticeView(wordsFor(user), { notice: said, order, fire, token, stateId });
  if (progress !== null && (await editText(deps.api, Number(progress.chatId), progress.messageId, view)))
    return;
  const messageId = await sendView(deps.api, Number(user.telegramId), view);
  if (notice.intentId === null) return;
  await deps.db.notices.setProgressMessage({ intentId: notice.intentId, chatId: user.telegramId, messageId });
}

/** Says nothing when it was decided meanwhile, or to a person who is no operator any more. */
async function tellKeyRequest(deps: NotifierDeps, user: User, requestId: string): Promise<void> {
  const { keyReview } = deps;
  if (!keyReview.isOperator(user.telegramId)) return;
  const found = await keyReview.find({ telegramId: user.telegramId }, requestId);
  if (found?.request.status !== 'confirmed') return;
  const payload = { requestId };
  const stateId = await deps.states.issue({
    userId: user.id,
    feature: KEY_REVIEW,
    payload,
    ttlMs: CARD_TTL_MS,
  });
  const proposed = keyReview.proposed(found.request);
  await sendView(deps.api, Number(user.telegramId), keyCard(wordsFor(user), { ...found, proposed, stateId }));
}

async function tellMailFailed(deps: NotifierDeps, user: User, mailId: string): Promise<void> {
  const mail = await deps.db.mails.find(mailId);
  if (mail === null || !deps.keyReview.isOperator(user.telegramId)) return;
  const { to: email, template, status, lastError } = mail;
  const isToPerson = template === 'notice' || template === 'notice-code';
  const text = wordsFor(user).html(isToPerson ? 'notice.person_mail_failed' : 'notice.key_mail_failed', {
    email,
    template,
    status,
    reason: lastError ?? '',
  });
  await sendView(deps.api, Number(user.telegramId), { text });
}

/** Says nothing when the powers are gone by now. */
async function remindOfPowers(deps: NotifierDeps, user: User, mint: Address): Promise<void> {
  const token = await deps.db.createdTokens.find(mint);
  const held = token === null ? [] : liveAuthorities(token);
  if (token === null || held.length === 0) return;
  const words = wordsFor(user);
  const stateId = await deps.states.issue({ userId: user.id, feature: 'revoke', payload: { mint } });
  await sendView(deps.api, Number(user.telegramId), {
    text: words.html('revoke.reminder', {
      symbol: displayName(token.spec.symbol) ?? '…',
      authorities: held.map((authority) => words.text(`mint.authority.${authority}`)).join(', '),
    }),
    keyboard: keyboard([
      freshAct(words.text('btn.revoke_wizard'), 'revoke', 'token', stateId),
      freshNav(words.text('btn.home'), 'home', 'open'),
    ]),
  });
}

async function tellIntent(
  deps: NotifierDeps,
  { notice, user, about, progress }: NoticeToTell,
  botName: BotName,
): Promise<void> {
  if (about === null) return;
  const { intent } = about;
  const words = wordsFor(user);
  const facts = await loadResult(deps, about, user.id, notice, botName);
  // Overtaken: a later notice says more.
  if (notice.kind === 'progress' && facts.standing.kind !== 'sent') return;
  if (notice.kind === 'waiting' && facts.standing.kind !== 'waiting') return;
  const view: View = resultView(words, facts);
  const chatId = Number(user.telegramId);
  // An edit rings no bell: that something waits to leave, or is late, is said in a message of its own.
  // Once: a later attempt edits that message.
  const isLate =
    notice.kind === 'progress' &&
    facts.standing.kind === 'sent' &&
    facts.standing.isLate &&
    about.attempts.length === 1;
  const editable = progress !== null && notice.kind !== 'waiting' && !isLate;
  if (editable && (await editText(deps.api, Number(progress.chatId), progress.messageId, view))) return;
  const messageId = await sendView(deps.api, chatId, view);
  await deps.db.notices.setProgressMessage({ intentId: intent.id, chatId: user.telegramId, messageId });
  if ((notice.kind === 'waiting' || isLate) && progress !== null) {
    await deps.api.deleteMessage(Number(progress.chatId), progress.messageId).catch((error: unknown) => {
      deps.log.info({ notice: notice.id, err: error }, 'an older message stays');
    });
  }
}

async function judge(deps: NotifierDeps, user: User, notice: Notice, error: unknown): Promise<Delivery> {
  if (error instanceof GrammyError) {
    if (error.error_code === 403) {
      await deps.db.users.update(user.id, { blockedAt: deps.clock.now() });
      return { kind: 'away' };
    }
    const retryAfter = error.parameters.retry_after;
    if (error.error_code === 429) return { kind: 'retry', afterMs: (retryAfter ?? 1) * 1_000 };
    if (error.error_code === 400) {
      // Telegram will refuse the same words again.
      deps.log.error({ notice: notice.id, description: error.description }, 'a notice was refused');
      return { kind: 'undeliverable' };
    }
  }
  deps.log.warn({ notice: notice.id, err: error }, 'a notice was not delivered and is tried again');
  return { kind: 'retry', afterMs: RETRY_MS };
}

function payloadText(payload: unknown, name: string): string {
  if (typeof payload !== 'object' || payload === null) return '';
  const value: unknown = Object.entries(payload).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : '';
}
