import { shortAddress } from '@tradepost/solana';
import type { Api } from 'grammy';
import { wordsFor } from '../../../compose/texts/words.ts';
import { fitted } from '../../../core/text/fit.ts';
import type { NoticeToTell } from '../../../engine/notices/store-port.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { sendView } from '../../../platform/telegram/ui/screen.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import { decodeKeyNotice } from '../rules/key-notice.ts';
import { keyNoticeView } from './view.ts';

const SYMBOL = 12;

/** Sends a notice of a key. Says nothing where the key is no more. */
export async function tellKey(
  deps: {
    readonly api: Api;
    readonly db: Pick<Stores, 'personalKeys'>;
    readonly chain: Pick<Chain, 'token'>;
  },
  { notice, user }: NoticeToTell,
): Promise<void> {
  const told = decodeKeyNotice(notice.payload);
  const key = await deps.db.personalKeys.find(told.keyId);
  if (key === null) return;
  const { mint } = told;
  const token = mint === null ? null : await deps.chain.token(mint);
  const symbol =
    mint === null ? null : token === null ? shortAddress(mint) : fitted(displaySymbol(token), SYMBOL);
  await sendView(
    deps.api,
    Number(user.telegramId),
    keyNoticeView(wordsFor(user), { key, notice: told, symbol }),
  );
}
