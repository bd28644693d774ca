import { shortAddress } from '@tradepost/solana';
import type { Api } from 'grammy';
import { wordsFor } from '../../../compose/texts/words.ts';
import type { NoticeToTell } from '../../../engine/notices/store-port.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { sendView } from '../../../platform/telegram/ui/screen.ts';
import type { ButtonStates } from '../../../platform/telegram/ui/state.ts';
import { loadToken } from '../../trading/use/load-token.ts';
import { countFunders } from '../rules/leader-funder.ts';
import { decodeSignal, decodeSignalDigest, type SignalNotice } from '../rules/signal-notice.ts';
import { signalDigestView, signalNoticeView } from './signal-view.ts';

type SignalTellDeps = {
  readonly api: Api;
  readonly db: Pick<Stores, 'follows'>;
  readonly chain: Pick<Chain, 'token'>;
  readonly states: ButtonStates;
};

/**
 * Names the wallets whose purchases still count, and their funders as far as they are known by now. Says nothing where a fork took so many
 * back that too few are left. Throws TOKEN_NOT_FOUND, so that it is sent later.
 */
export async function tellSignal(deps: SignalTellDeps, { notice, user }: NoticeToTell): Promise<void> {
  const said = decodeSignal(notice.payload);
  const leaders = await standing(deps, said);
  if (leaders.length < said.wallets) return;
  const [token, follows, funderOf] = await Promise.all([
    loadToken(deps.chain, said.mint),
    deps.db.follows.listByUser(user.id),
    deps.db.follows.funders(leaders),
  ]);
  const labels = new Map(follows.map(({ leader, label }) => [leader, label]));
  const trades = user.activeWalletId !== null && user.settings.paper?.on !== true;
  const payload = { mint: said.mint, walletId: user.activeWalletId ?? '' };
  const stateId = trades ? await deps.states.issue({ userId: user.id, feature: 'trade', payload }) : null;
  const view = signalNoticeView(wordsFor(user), {
    token,
    labels: leaders.map((leader) => labels.get(leader) ?? shortAddress(leader)),
    beganAt: said.beganAt,
    spanMs: said.until - said.beganAt,
    ...countFunders(leaders, funderOf),
    stateId,
  });
  await sendView(deps.api, Number(user.telegramId), view);
}

/** The wallets of the notice that bought within its window, as the trades are known now. */
async function standing(
  { db }: Pick<SignalTellDeps, 'db'>,
  { mint, beganAt, until, leaders }: SignalNotice,
): Promise<SignalNotice['leaders']> {
  const bought = await db.follows.purchases(leaders, [mint], { since: beganAt, until });
  const stands = bought.filter(({ takenBack }) => !takenBack);
  return leaders.filter((leader) => stands.some((trade) => trade.leader === leader));
}

/** Signals that were counted alone. */
export async function tellSignalDigest(
  { api }: Pick<SignalTellDeps, 'api'>,
  { notice, user }: NoticeToTell,
): Promise<void> {
  const view = signalDigestView(wordsFor(user), decodeSignalDigest(notice.payload));
  await sendView(api, Number(user.telegramId), view);
}
