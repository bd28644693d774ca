import { WSOL_MINT } from '@tradepost/solana';
import type { Api } from 'grammy';
import { wordsFor } from '../../../compose/texts/words.ts';
import type { NoticeToTell } from '../../../engine/notices/store-port.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { sendView } from '../../../platform/telegram/ui/screen.ts';
import type { ButtonStates } from '../../../platform/telegram/ui/state.ts';
import { loadToken } from '../../trading/use/load-token.ts';
import { decodeFollowDigest, decodeFollowTrade } from '../rules/follow-notice.ts';
import { followDigestView, followNoticeView } from './view.ts';

type FollowTellDeps = {
  readonly api: Api;
  readonly db: Pick<Stores, 'follows'>;
  readonly chain: Pick<Chain, 'token'>;
  readonly states: ButtonStates;
};

/** Says nothing where the wallet is followed no more. Throws TOKEN_NOT_FOUND, so that it is sent later. */
export async function tellFollowTrade(deps: FollowTellDeps, { notice, user }: NoticeToTell): Promise<void> {
  const { followId, trade } = decodeFollowTrade(notice.payload);
  const follow = await deps.db.follows.find(followId);
  if (follow === null) return;
  const token = await loadToken(deps.chain, trade.mint);
  const trades = user.activeWalletId !== null && user.settings.paper?.on !== true;
  const payload = { mint: trade.mint, walletId: user.activeWalletId ?? '' };
  const stateId = trades ? await deps.states.issue({ userId: user.id, feature: 'trade', payload }) : null;
  const { label, leader } = follow;
  const isBack = notice.kind === 'follow-back';
  const view = followNoticeView(wordsFor(user), {
    label,
    leader,
    trade,
    isBack,
    token,
    money: { sol: WSOL_MINT },
    stateId,
  });
  await sendView(deps.api, Number(user.telegramId), view);
}

/** As `tellFollowTrade`, of trades that were counted alone. */
export async function tellFollowDigest(
  deps: Pick<FollowTellDeps, 'api' | 'db'>,
  { notice, user }: NoticeToTell,
): Promise<void> {
  const { followId, count } = decodeFollowDigest(notice.payload);
  const follow = await deps.db.follows.find(followId);
  if (follow === null) return;
  await sendView(
    deps.api,
    Number(user.telegramId),
    followDigestView(wordsFor(user), { label: follow.label, count }),
  );
}
