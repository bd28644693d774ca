import type { Api } from 'grammy';
import { wordsFor } from '../../../compose/texts/words.ts';
import type { NoticeToTell } from '../../../engine/notices/store-port.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { sendView } from '../../../platform/telegram/ui/screen.ts';
import { decodeCopyNotice } from '../rules/copy-notice.ts';
import { copyNoticeView } from './view.ts';

/** Says nothing where the copy or the followed wallet is no more. */
export async function tellCopy(
  deps: {
    readonly api: Api;
    readonly db: Pick<Stores, 'copies' | 'follows'>;
    readonly chain: Pick<Chain, 'token'>;
  },
  { notice, user }: NoticeToTell,
): Promise<void> {
  const told = decodeCopyNotice(notice.payload);
  const copy = await deps.db.copies.find(told.copyId);
  const follow = copy === null ? null : await deps.db.follows.find(copy.followId);
  if (follow === null) return;
  const token = told.mint === null ? null : await deps.chain.token(told.mint);
  const view = copyNoticeView(wordsFor(user), { label: follow.label, notice: told, token });
  await sendView(deps.api, Number(user.telegramId), view);
}
