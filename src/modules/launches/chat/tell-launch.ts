import type { Api } from 'grammy';
import { wordsFor } from '../../../compose/texts/words.ts';
import type { NoticeToTell } from '../../../engine/notices/store-port.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { editText, sendView, type View } from '../../../platform/telegram/ui/screen.ts';
import type { ButtonStates } from '../../../platform/telegram/ui/state.ts';
import type { TokenData } from '../../market/use/token-data.ts';
import type { LaunchNotice } from '../rules/launch-alert.ts';
import { decodeLaunchDigest, decodeLaunchStage, type LaunchStageNotice } from '../rules/launch-notice.ts';
import { type LaunchFigureDeps, type LaunchReads, launchNow } from '../use/launch-figures.ts';
import { launchDigestView, launchNoticeView } from './view.ts';

type LaunchTellDeps = Pick<LaunchFigureDeps, 'chain'> & {
  readonly api: Api;
  readonly db: Pick<Stores, 'seenLaunches'>;
  readonly tokens: Pick<TokenData, 'prices' | 'profile' | 'lookNow'>;
  readonly launchReads: LaunchReads;
  readonly launch: { readonly launchpads: readonly { readonly name: string; readonly label: string }[] };
  readonly clock: Clock;
  readonly states: ButtonStates;
};

/** Says nothing where the stage did not last until now: then no person has read of it. */
export async function tellLaunch(deps: LaunchTellDeps, told: NoticeToTell): Promise<void> {
  const about = decodeLaunchStage(told.notice.payload);
  const { user } = told;
  const row = await deps.db.seenLaunches.notice({ userId: user.id, ...about });
  if (row === null || row.takenBack || row.messageId !== null) return;
  const view = await viewOf(deps, told, about, row);
  if (view === null) return;
  const messageId = await sendView(deps.api, Number(user.telegramId), view);
  await deps.db.seenLaunches.sent({ userId: user.id, ...about }, messageId);
}

/** Edits the message of a stage to what holds now. A message that is gone, or was never sent, stays so. */
export async function tellLaunchBack(deps: LaunchTellDeps, told: NoticeToTell): Promise<void> {
  const about = decodeLaunchStage(told.notice.payload);
  const { user } = told;
  const row = await deps.db.seenLaunches.notice({ userId: user.id, ...about });
  if (row === null || row.messageId === null) return;
  const view = await viewOf(deps, told, about, row);
  if (view !== null) await editText(deps.api, Number(user.telegramId), row.messageId, view);
}

/** The number of launches that were counted alone. */
export async function tellLaunchDigest(
  deps: Pick<LaunchTellDeps, 'api'>,
  { notice, user }: NoticeToTell,
): Promise<void> {
  const view = launchDigestView(wordsFor(user), decodeLaunchDigest(notice.payload));
  await sendView(deps.api, Number(user.telegramId), view);
}

async function viewOf(
  deps: LaunchTellDeps,
  { user }: NoticeToTell,
  { mint, stage }: LaunchStageNotice,
  { takenBack }: LaunchNotice,
): Promise<View | null> {
  const launch = await deps.db.seenLaunches.find(mint);
  if (launch === null) return null;
  const shown = await launchNow({ ...deps, ...deps.launchReads }, launch);
  const trades = user.activeWalletId !== null && user.settings.paper?.on !== true;
  const payload = { mint, walletId: user.activeWalletId ?? '' };
  const stateId = trades ? await deps.states.issue({ userId: user.id, feature: 'trade', payload }) : null;
  const pad = deps.launch.launchpads.find(({ name }) => name === launch.pad)?.label ?? launch.pad;
  const now = deps.clock.now();
  return launchNoticeView(wordsFor(user), { stage, shown, takenBack, pad, now, stateId });
}
